import { lastSession, type Agent, type LastSession } from '@tenon/core';
import type { Preparation } from '../../../prepare-session.js';
import type { Surroundings } from '../../../surroundings.js';

export { welcomeBack, welcomeBackLine } from '../views/welcome-back.js';

interface Place {
  readonly surroundings: Pick<Surroundings, 'tenonHome'>;
  readonly preparation: Pick<Preparation, 'roots' | 'settings'>;
}

/** The session that a new one may go on from instead. Undefined for one that goes on already, and where nobody wants to know. */
export async function lastHere(
  agent: Pick<Agent, 'history' | 'sessionFile'>,
  { surroundings, preparation }: Place,
): Promise<LastSession | undefined> {
  const { roots, settings } = preparation;
  if (agent.history.length > 0 || settings.values['ui.welcomeBack']?.value === false) return undefined;
  return lastSession({ root: roots[0], tenonHome: surroundings.tenonHome }, agent.sessionFile);
}
