import { notation } from './backtracking/notation.js';
import { either, NOTHING } from './extent.js';
import {
  leaveToMatcher,
  PatternProblem,
  take,
  takeText,
  Unsupported,
  widen,
  type PatternReader,
} from './pattern-reader.js';
import { atomic } from './read-escape.js';
import { readAround, type ReadRest } from './read-look.js';
import { backReference, callGroup, checkGroups, groupNumber, namedGroup, numbersOf } from './read-reference.js';

/** A group that only our own matcher knows begins there. */
const OWN_KINDS =
  /(?=\?(?:[R&+]|-?\d|P>|[(|C*]|<\*)|\*(?:(?:ACCEPT|FAIL|F|COMMIT|PRUNE|SKIP|THEN|MARK)[:)]|:|[a-z_]+:))/y;

const LOOKS: Readonly<Record<string, string>> = {
  pla: '?=',
  positive_lookahead: '?=',
  nla: '?!',
  negative_lookahead: '?!',
  plb: '?<=',
  positive_lookbehind: '?<=',
  nlb: '?<!',
  negative_lookbehind: '?<!',
  napla: '?*',
  non_atomic_positive_lookahead: '?*',
  naplb: '?<*',
  non_atomic_positive_lookbehind: '?<*',
};

/** Kinds of groups that only PCRE2 has; `open`: the place of the bracket, behind which the reader is. */
export function readPcre2Group(reader: PatternReader, open: number, readRest: ReadRest): string | undefined {
  const called = take(reader, /\?P=(\w+)\)/y)?.[1];
  if (called !== undefined) return backReference(reader, numbersOf(reader, called), open);
  if (takeText(reader, '?>')) return atomic(reader, readRest(reader, open));
  if (take(reader, OWN_KINDS) === undefined) return undefined;
  leaveToMatcher(reader);
  return readOwn(reader, open, readRest);
}

function readOwn(reader: PatternReader, open: number, readRest: ReadRest): string | undefined {
  const call = take(reader, /\?(?:(R)|([+-]?\d+)|(?:&|P>)(\w+))\)/y);
  if (call !== undefined) {
    const [, whole, number, name] = call;
    if (whole !== undefined) return callGroup(reader, 0, open);
    return callGroup(reader, number === undefined ? namedGroup(reader, name) : groupNumber(reader, number), open);
  }
  const look = take(reader, /\?<?\*/y)?.[0];
  if (look !== undefined) return readAround(reader, look, open, readRest);
  if (takeText(reader, '?|')) {
    reader.found.sharesNumbers = true;
    return `(?:${readRest(reader, open, true)})`;
  }
  if (take(reader, /\?(?=\()/y) !== undefined) return readCondition(reader, open, readRest);
  // What it calls is not there.
  if (take(reader, /\?C(?:\d*|"(?:[^"]|"")*"|'(?:[^']|'')*'|\{[^}]*\})\)/y) !== undefined) return '';
  return readVerb(reader) ?? readSpelled(reader, open, readRest);
}

/** `(?(…)yes|no)`, the reader at the inner bracket. */
function readCondition(reader: PatternReader, open: number, readRest: ReadRest): string {
  const start = reader.at;
  const isDefinition = reader.pattern.startsWith('(DEFINE)', start);
  const test = takeLook(reader, readRest) ?? takeTest(reader);
  const branches = readRest(reader, open);
  if (reader.branches > 2) throw new PatternProblem('conditional subpattern contains more than two branches', open);
  if (isDefinition && reader.branches > 1)
    throw new PatternProblem('DEFINE subpattern contains more than one branch', open);
  if (reader.branches === 1) reader.extent = isDefinition ? NOTHING : either(reader.extent, { ...NOTHING });
  reader.hasPlaces = true;
  return notation.condition(test, branches);
}

function takeLook(reader: PatternReader, readRest: ReadRest): string | undefined {
  const open = reader.at;
  const [, sign, spelled = ''] = take(reader, /\((?:(\?<?[=!*])|\*([a-z_]+):)/y) ?? [];
  const kind = sign ?? LOOKS[spelled];
  const { extent } = reader;
  const look = kind === undefined ? undefined : readAround(reader, kind, open, readRest);
  if (look === undefined) reader.at = open;
  reader.extent = extent;
  return look;
}

/** The version by which PCRE2 in ripgrep 15 goes. */
const VERSION = [10, 46] as const;

function takeTest(reader: PatternReader): string {
  const start = reader.at;
  const match = take(
    reader,
    /\((?:(DEFINE)|VERSION(>?=)(\d+)(?:\.(\d+))?|(R)(?:(\d+)|&(\w+))?|([+-]?\d+)|<(\w+)>|'(\w+)'|(\w+))\)/y,
  );
  if (match === undefined) throw new PatternProblem('malformed number or name after (?(', start + 1);
  const [, definition, sign, major, minor = '0', within, number, called, digits, ...names] = match;
  if (definition !== undefined) return '(no)';
  if (sign !== undefined) {
    const [wanted, other] = [Number(major), Number(minor.padEnd(2, '0'))];
    const isOther = wanted !== VERSION[0] || other !== VERSION[1];
    const isNewer = VERSION[0] > wanted || (VERSION[0] === wanted && VERSION[1] > other);
    return !isOther || (sign === '>=' && isNewer) ? '(yes)' : '(no)';
  }
  if (within !== undefined) {
    const group = called === undefined ? number : namedGroup(reader, called);
    if (group !== undefined) checkGroups(reader, [Number(group)], start + 1);
    return `(within:${group ?? ''})`;
  }
  const name = names.find((each) => each !== undefined);
  const groups = name === undefined ? [groupNumber(reader, digits ?? '')] : numbersOf(reader, name);
  checkGroups(reader, groups, start + 1);
  return `(groups:${groups.join(',')})`;
}

function readVerb(reader: PatternReader): string | undefined {
  const [whole, verb, name = '', mark = ''] =
    take(reader, /\*(?:(ACCEPT|COMMIT|PRUNE|SKIP|THEN|MARK|FAIL|F)(?::([^)]*))?|:([^)]*))\)/y) ?? [];
  if (whole === undefined) return undefined;
  reader.hasPlaces = true;
  // It matches nothing, not even nothing.
  if (verb === 'F' || verb === 'FAIL') widen(reader, Infinity, 0);
  if (verb === 'F' || verb === 'FAIL' || verb === 'ACCEPT') reader.isCounted = false;
  if (verb === 'ACCEPT' && reader.givesBack) reader.isInterpreted = true;
  if (verb === undefined) return notation.verb('MARK', mark);
  if (verb === 'MARK' && name === '') throw new PatternProblem('(*MARK) must have an argument', reader.at);
  return notation.verb(verb === 'F' ? 'FAIL' : verb, name);
}

/** `(*pla:…)` and the like. */
function readSpelled(reader: PatternReader, open: number, readRest: ReadRest): string | undefined {
  const start = reader.at;
  const name = take(reader, /\*([a-z_]+):/y)?.[1];
  if (name === undefined) return undefined;
  if (name === 'atomic') return atomic(reader, readRest(reader, open));
  const kind = LOOKS[name];
  if (kind !== undefined) return readAround(reader, kind, open, readRest);
  if (/^(?:a?sr|(?:atomic_)?script_run|scs|scan_substring)$/.test(name)) throw new Unsupported(`(*${name}:…)`, open);
  throw new PatternProblem('(*alpha_assertion) not recognized', start);
}
