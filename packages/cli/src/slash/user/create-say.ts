import type { Agent } from '@tenon/core';
import type { ModelEndpoint } from '../../choose-model.js';
import type { Preparation } from '../../prepare-session.js';
import type { Prompt } from '../../read-prompt.js';
import type { Surroundings } from '../../surroundings.js';
import type { FilledCommand } from './run-user-command.js';

/** What a prompt such as `/name words` comes to; undefined for one that is said as it is. @throws as `sayCommand` */
export type Say = (agent: Agent, prompt: Prompt, signal: AbortSignal) => Promise<FilledCommand | undefined>;

/** For doors in which nobody types. */
export function createSay(
  surroundings: Surroundings,
  preparation: Preparation,
  endpoint: Pick<ModelEndpoint, 'named'>,
): Say {
  return async (agent, prompt, signal) => {
    if (!prompt.text.trimStart().startsWith('/')) return undefined;
    const { sayCommand } = await import('./say-command.js');
    return sayCommand(prompt, { surroundings, preparation, endpoint, agent, signal });
  };
}
