import { parse, type ParsedScript } from 'unbash';
import { readMove } from './folder-move.js';
import { readPlainly } from './plain-reading.js';
import { reasonOfProgram } from './program-knowledge.js';
import { walkScript, type SimpleCommand } from './syntax-walk.js';

export type { SimpleCommand } from './syntax-walk.js';

export interface CommandAnalysis {
  /** Every simple command that was found, at any depth, in source order. */
  readonly commands: readonly SimpleCommand[];
  /** Why the text may do more than its commands say, one noun phrase each; empty when it is plain. */
  readonly unknown: readonly string[];
  /** Words that output is redirected to; each has its reason in `unknown` as well. */
  readonly writesTo: readonly string[];
  /** The folder of a `cd` that comes first and that all further commands run behind; absent when there is none. */
  readonly movesTo?: string;
}

/** Longer text is not read: parsing time grows faster than length, and a command argument has a limit of its own. */
export const MAX_COMMAND_LENGTH = 65_536;

/** Closers do not count back, since a quoted one would hide depth. */
const MAX_OPENERS = 400;

/** C0 without tab and newline, DEL and C1: parsers differ on them, and terminals obey them. */
const CONTROL_CHARACTER = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** Blanks that are none to bash in one locale and are in another, and characters that reorder or hide text. */
const UNUSUAL_BLANK = /[\u00a0\u1680\u2000-\u200b\u2028-\u202f\u205f-\u2069\u3000\ufeff\u00ad\u{e0000}-\u{e007f}]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * What a shell text would run. The analysis may only raise: what is not certain is a reason in
 * `unknown`, and nothing that quoting, spacing or splitting does takes a command off the list. `directory` is
 * where it would run, absolute.
 */
export function analyseCommand(text: string, directory?: string): CommandAnalysis {
  const tooMuch = reasonNotToRead(text);
  if (tooMuch !== null) return { commands: [], unknown: [tooMuch], writesTo: [] };
  const unknown = new Set<string>(reasonsOfCharacters(text));
  const script = tryParse(text);
  if (script === null) return { commands: [], unknown: [...unknown, 'a syntax error'], writesTo: [] };
  const walked = walkScript(script);
  for (const reason of walked.unknown) unknown.add(reason);
  for (const { argv } of walked.commands) {
    const reason = reasonOfProgram(argv, directory);
    if (reason !== null) unknown.add(reason);
  }
  const move = readMove(script, walked.commands);
  if (move === 'uncertain') unknown.add('a `cd` that may or may not be done before other commands');
  if (walked.commands.length === 0) unknown.add('no command');
  if (unknown.size === 0) {
    const doubt = doubtOfSecondReading(text, walked.commands);
    if (doubt !== null) unknown.add(doubt);
  }
  const moved = typeof move === 'object' ? { movesTo: move.to } : {};
  return { commands: walked.commands, unknown: [...unknown], writesTo: [...walked.writesTo], ...moved };
}

function reasonNotToRead(text: string): string | null {
  if (text.length > MAX_COMMAND_LENGTH) return `a text of more than ${MAX_COMMAND_LENGTH} characters`;
  const openers = text.match(/[({`]/g)?.length ?? 0;
  return openers > MAX_OPENERS ? 'a text that is nested too deep' : null;
}

function reasonsOfCharacters(text: string): string[] {
  const reasons: string[] = [];
  if (CONTROL_CHARACTER.test(text)) reasons.push('a control character');
  if (UNUSUAL_BLANK.test(text)) reasons.push('a blank or hidden character outside ASCII');
  if (LONE_SURROGATE.test(text)) reasons.push('a character that is not valid Unicode');
  return reasons;
}

function tryParse(text: string): ParsedScript | null {
  try {
    return parse(text);
  } catch {
    // The grammar's own stack can run out on hostile text; that is a reason to ask, not to fail.
    return null;
  }
}

/** What a grammar misses, a reader that knows only plain words does not: both must see the same words. */
function doubtOfSecondReading(text: string, commands: readonly SimpleCommand[]): string | null {
  const plain = readPlainly(text);
  if ('refused' in plain) return plain.refused;
  const same =
    plain.commands.length === commands.length &&
    plain.commands.every((words, index) => {
      const argv = commands[index]?.argv ?? [];
      return words.length === argv.length && words.every((word, place) => word === argv[place]);
    });
  return same ? null : 'a text that can be read in two ways';
}
