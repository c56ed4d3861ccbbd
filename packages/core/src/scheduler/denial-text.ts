import type { Effect } from '../effects/effect.js';
import { denialAdvice, trustHint } from '../policy/denial-advice.js';
import type { Verdict } from '../policy/verdict.js';
import type { CommandSurroundings } from '../shell/command-effects.js';
import { commandSurroundings } from '../tools/command-surroundings.js';
import { readCommand } from '../tools/read-command.js';
import type { SchedulerServices } from './services.js';

interface Judged {
  readonly effects: readonly Effect[];
  readonly verdict: Verdict;
}

/** What the model is told of a call that the rules or the mode forbid: why, and what it may do instead. */
export function denialText(toolName: string, assessment: Judged, services: SchedulerServices): string {
  return [`Denied: ${assessment.verdict.reason}.`, ...adviceFor(toolName, assessment, services)].join(' ');
}

/** What the model may do instead of a call that does not run: at most one text, of whole sentences. */
export function adviceFor(
  toolName: string,
  { verdict, effects }: Judged,
  services: SchedulerServices,
): readonly string[] {
  const context = services.policyContext();
  const advice = denialAdvice(verdict, { toolName, effects }, { context, readCommand: reader(services, false) });
  return advice === undefined ? [] : [advice];
}

/** Why the person is asked, and what would spare the question where it is the lacking trust of a folder. */
export function questionText(toolName: string, { verdict, effects }: Judged, services: SchedulerServices): string {
  const context = services.policyContext();
  const hint = trustHint({ toolName, effects }, { context, readTrusted: reader(services, true) });
  return hint === undefined ? verdict.reason : `${verdict.reason}; ${hint}`;
}

function reader(
  { gate, policyContext, shell: program = 'bash' }: SchedulerServices,
  isTrusted: boolean,
): (text: string) => Effect[] {
  const directory = policyContext().roots[0] ?? '/';
  const surroundings = (): CommandSurroundings => commandSurroundings(gate, {}, () => isTrusted);
  return (text) => readCommand(text, { directory, zone: 'workspace' }, { program, surroundings });
}

/** What the model is told of a call that the person did not want. `refused`: as the tool itself says it. */
export function refusedByPerson(feedback: string | undefined, refused?: string): string {
  const said = feedback === undefined || feedback === '' ? '' : ` Their words: ${JSON.stringify(feedback)}.`;
  if (refused !== undefined) return `${refused}${said}`;
  return `The user declined this call; it did not run.${said} Do not repeat it as it is.`;
}

/** Of one that somebody would have had to agree to. */
export function nobodyToAsk(reason: string, rules: readonly string[]): string {
  const way =
    rules.length === 0
      ? ''
      : ` It would run under the rule ${rules.map((rule) => JSON.stringify(rule)).join(' and ')}.`;
  return `This call needs approval (${reason}), and nobody can be asked; it did not run.${way} Go on without it if you can.`;
}
