import { count } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

/** What is told as JSON, and in words for people. The text may come from anywhere. */
interface Answer {
  readonly value: unknown;
  readonly text: string;
}

/** Things that files describe, as a command lists them. `T` is all that is known of them. */
export interface Catalogue<T> {
  /** `agent`; the command is called by its plural. */
  readonly noun: 'agent' | 'skill';
  /** `an agent`. */
  readonly one: string;
  /** With the name of the one that is to be shown. */
  readonly read: (name: string | undefined) => Promise<T>;
  readonly list: (all: T) => Answer;
  readonly check: (all: T) => { readonly amount: number; readonly problems: readonly unknown[]; readonly text: string };
  /** One of them; a sentence where there is none. */
  readonly show: (name: string, all: T) => Answer | string;
}

/** `[list|show NAME|check] [--json]`; `check` ends with 1 when something is wrong. @throws ExitFailure `USAGE` */
export async function catalogueCommand<T>(
  { out }: Pick<Surroundings, 'out'>,
  [action = 'list', name, ...rest]: readonly string[],
  { json }: Pick<Options, 'json'>,
  { noun, one, read, list, check, show }: Catalogue<T>,
): Promise<ExitCode> {
  const takesName = action === 'show';
  const isKnown = action === 'list' || action === 'check' || takesName;
  if (!isKnown || rest.length > 0 || (name === undefined) === takesName)
    throw usage(`"tenon ${noun}s" takes list, show with the name of ${one}, or check.`);
  const all = await read(name);
  const say = ({ value, text }: Answer): Promise<unknown> =>
    json ? out.writeData(jsonText(value)) : out.write(safeBlock(text));
  if (action === 'check') {
    const { amount, problems, text } = check(all);
    const isSound = problems.length === 0;
    await say({ value: problems, text: isSound ? `${count(amount, noun)}: nothing is wrong.\n` : text });
    return isSound ? ExitCode.OK : ExitCode.UNEXPECTED;
  }
  const answer = name === undefined ? list(all) : show(name, all);
  if (typeof answer === 'string') throw usage(answer);
  await say(answer);
  return ExitCode.OK;
}
