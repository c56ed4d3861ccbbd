import { parse, type ParsedScript } from 'unbash';
import { MAX_COMMAND_LENGTH } from './command-length.js';
import { mayEndEarlier } from './older-reading.js';
import type { ProgramCall, ProgramFacts } from './program-facts.js';
import { doubtsOfSecondLook } from './second-look.js';
import { BEGINNING } from './walk/position.js';
import { ScriptWalk } from './walk/script-walk.js';
import type { CommandUse, FileUse } from './walk/walk-record.js';
import type { ListNames } from './words/match-names.js';

export interface CommandAnalysis {
  /** Every command that was found, at any depth, also those that others start, in the order in which they were come upon. */
  readonly commands: readonly CommandUse[];
  /** Files that redirections open. */
  readonly files: readonly FileUse[];
  /** Why the text may do more than that, one noun phrase each; empty when it was understood whole. */
  readonly unknown: readonly string[];
}

export interface AnalysisOptions {
  /** Where it would run, absolute. */
  readonly directory: string;
  /** What `~` stands for. */
  readonly home?: string | undefined;
  readonly judge: (call: ProgramCall) => ProgramFacts;
  /** The names in a folder; without it a wildcard may stand for an option. */
  readonly list?: ListNames | undefined;
}

/** Closers do not count back, since a quoted one would hide depth. */
const MAX_OPENERS = 400;

/** Parsing time grows with the square of their number where none of them ends. */
const MAX_DOCUMENTS = 1_000;

/** C0 without tab and newline, DEL and C1: parsers differ on them, and terminals obey them. */
const CONTROL_CHARACTER = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** Blanks that are none to bash in one locale and are in another, and characters that reorder or hide text. */
const UNUSUAL_BLANK = /[\u00a0\u1680\u2000-\u200b\u2028-\u202f\u205f-\u2069\u3000\ufeff\u00ad\u{e0000}-\u{e007f}]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * What a shell text would run. The analysis may only raise: what is not certain is a reason in
 * `unknown`, and nothing that quoting, spacing or splitting does takes a command off the list.
 */
export function analyseCommand(text: string, { directory, home, judge, list }: AnalysisOptions): CommandAnalysis {
  const nothing = { commands: [], files: [] };
  const tooMuch = reasonNotToRead(text);
  if (tooMuch !== null) return { ...nothing, unknown: [tooMuch] };
  const unknown = new Set<string>(reasonsOfCharacters(text));
  const script = tryParse(text);
  if (script === null) return { ...nothing, unknown: [...unknown, 'a syntax error'] };
  const walk = new ScriptWalk({
    judge,
    home,
    list,
    parse: (inner) => {
      const read = reasonNotToRead(inner) === null ? tryParse(inner) : null;
      return read !== null && mayEndEarlier(inner, read) ? null : read;
    },
  });
  const isDone = endsNormally(() => {
    walk.whole(script, { folders: [directory], variables: new Map(), args: [] }, BEGINNING);
    // What is not followed to its end is in doubt already.
    if (!walk.isSpent) for (const doubt of doubtsOfSecondLook(text, script)) unknown.add(doubt);
  });
  if (!isDone) unknown.add('a text that is nested too deep');
  const { record } = walk;
  for (const reason of record.unknown) unknown.add(reason);
  if (record.commands.length === 0) unknown.add('no command');
  return { commands: record.commands, files: record.files, unknown: [...unknown] };
}

function reasonNotToRead(text: string): string | null {
  if (text.length > MAX_COMMAND_LENGTH) return `a text of more than ${MAX_COMMAND_LENGTH} characters`;
  const openers = text.match(/[({`]/g)?.length ?? 0;
  if (openers > MAX_OPENERS) return 'a text that is nested too deep';
  const documents = text.match(/<</g)?.length ?? 0;
  return documents > MAX_DOCUMENTS ? 'more here-documents than can be read' : null;
}

function reasonsOfCharacters(text: string): string[] {
  const reasons: string[] = [];
  if (CONTROL_CHARACTER.test(text)) reasons.push('a control character');
  if (UNUSUAL_BLANK.test(text)) reasons.push('a blank or hidden character outside ASCII');
  if (LONE_SURROGATE.test(text)) reasons.push('a character that is not valid Unicode');
  return reasons;
}

/** The stack can run out on hostile text. */
function endsNormally(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

function tryParse(text: string): ParsedScript | null {
  try {
    return parse(text);
  } catch {
    // The grammar's own stack can run out on hostile text; that is a reason to ask, not to fail.
    return null;
  }
}
