import { atomic, readEscape, backReference, dot, lineEnd, lineStart, literal, setHere } from './read-escape.js';
import { either, inSequence, lookAround, NOTHING, repeated, type Extent, type Times } from './extent.js';
import { setFlags } from './pattern-flags.js';
import {
  enter,
  heightOf,
  isPcre2,
  leave,
  LeftToPcre2,
  PatternProblem,
  setHeight,
  skipBlank,
  take,
  takeCharacter,
  takeText,
  Unsupported,
  type PatternReader,
} from './pattern-reader.js';
import { readPcre2Set } from './read-pcre2-set.js';
import { readSet } from './read-set.js';

/** In PCRE2: characters that a branch behind which is looked may match, unless all its matches are as long. */
const MAX_BEHIND = 255;

/** The whole pattern in JavaScript's notation, for the flags `gmv`. @throws PatternProblem */
export function readPattern(reader: PatternReader): string {
  const source = readAlternatives(reader);
  if (reader.at < reader.pattern.length) throw new PatternProblem('unopened group', reader.at);
  return source;
}

/** Up to the end of the group; flags that are set in it end with it. */
function readAlternatives(reader: PatternReader): string {
  const { flags, certain, extent } = reader;
  let whole: Extent | undefined;
  let [branches, source] = [1, ''];
  let [parts, height, highest] = [0, 0, 0];
  const endBranch = (): void => {
    whole = whole === undefined ? reader.extent : either(whole, reader.extent);
    highest = Math.max(highest, heightOf(parts, height));
    [parts, height] = [0, 0];
  };
  reader.extent = NOTHING;
  for (;;) {
    skipBlank(reader);
    const next = reader.pattern[reader.at];
    if (next === undefined || next === ')') break;
    if (takeText(reader, '|')) {
      endBranch();
      [reader.extent, reader.certain] = [NOTHING, certain];
      branches++;
      source += '|';
    } else {
      source += readRepeated(reader);
      [parts, height] = [parts + 1, Math.max(height, reader.height)];
    }
  }
  endBranch();
  setHeight(reader, heightOf(branches, highest));
  reader.extent = inSequence(extent, { ...NOTHING, ...whole });
  reader.flags = flags;
  if (branches > 1) reader.certain = certain;
  return source;
}

function readRepeated(reader: PatternReader): string {
  const { certain, extent, starts, reachesFeeds, looksAround } = reader;
  reader.height = 0;
  reader.extent = NOTHING;
  const isGroup = reader.pattern[reader.at] === '(';
  const isPlace = isPcre2(reader) && /^\\[GK]/.test(reader.pattern.slice(reader.at, reader.at + 2));
  let source = readAtom(reader);
  skipBlank(reader);
  if (source === undefined || isPlace) refuseQuantifier(reader);
  else
    for (let times = 0; ; times++) {
      skipBlank(reader);
      const start = reader.at;
      const quantifier = takeQuantifier(reader);
      if (quantifier === undefined) break;
      if (times > 0 && isPcre2(reader)) throw missing(reader, start);
      // JavaScript forgets what an earlier time through passed.
      if (reader.starts > starts && quantifier.most > 1) throw new Unsupported('\\K in what is repeated', start);
      source = repeat(reader, source, quantifier, { start, hasStart: reader.starts > starts });
      setHeight(reader, reader.height + 1);
      // Nor does it take a time through that matches nothing.
      const mayForget = reader.extent.least === 0 && quantifier.most > quantifier.least;
      if (quantifier.least === 0 || mayForget) reader.certain = certain;
      if (quantifier.most === 0 && !isPcre2(reader))
        [reader.reachesFeeds, reader.looksAround] = [reachesFeeds, looksAround];
      // PCRE2 keeps a group that is never there.
      reader.extent = { ...repeated(reader.extent, quantifier) };
      if (quantifier.most === 0 && !isGroup) reader.extent = NOTHING;
      if (quantifier.isPossessive) source = atomic(reader, source, start);
    }
  reader.extent = inSequence(extent, reader.extent);
  return source ?? '';
}

/**
 * JavaScript takes no time through that matches nothing, but looks for another way. All others take it and go on behind the loop; it is the
 * same where they try that last, and where they need not try it.
 */
function repeat(
  reader: PatternReader,
  source: string,
  quantifier: Quantifier,
  { start, hasStart }: { readonly start: number; readonly hasStart: boolean },
): string {
  const { source: sign, least, most, isGreedy } = quantifier;
  const { extent } = reader;
  const simple = `(?:${source})${sign}`;
  if (extent.least > 0 || least === most) return simple;
  // What matches nothing may say where the match begins.
  if (hasStart) return isGreedy ? `(?:(?:${source})|)` : `(?:|(?:${source}))`;
  if (extent.isNothingLast || !isGreedy) return simple;
  if (most === Infinity && !extent.isNothingFirst) {
    // Whether it matches is the same.
    if (reader.dialect.unit !== 'span' && !isPcre2(reader)) return simple;
    throw new Unsupported('a loop that may match nothing before it tries all else', start);
  }
  const isOnce = least === 0 && most === 1;
  const isOften = most !== Infinity && (most - least) * source.length > MAX_WRITTEN;
  // No two groups may have one name.
  if (isOften || (!isOnce && /\(\?<\w/.test(source))) throw new Unsupported('to repeat what may match nothing', start);
  const times = (count: number): string => (count > 0 ? `(?:${source}){${count}}` : '');
  // Where it has matched something, the default engine does not stop for nothing any more.
  const loop = isPcre2(reader) ? `(?:${source})*?` : `(?:(?:${source})*)??`;
  if (most === Infinity) return `${times(least - 1)}${loop}`;
  let rest = '';
  for (let left = most - least; left > 0; left--) rest = `(?:(?:${source})${rest}|)`;
  return `${times(least)}${rest}`;
}

/** Code units. */
const MAX_WRITTEN = 100_000;

interface Quantifier extends Times {
  readonly source: string;
  readonly isPossessive: boolean;
}

function takeQuantifier(reader: PatternReader): Quantifier | undefined {
  const simple = take(reader, /[*+?]/y)?.[0];
  if (simple !== undefined)
    return greedyOrLazy(reader, simple, [simple === '+' ? 1 : 0, simple === '?' ? 1 : Infinity]);
  if (reader.pattern[reader.at] !== '{') return undefined;
  return isPcre2(reader) ? takePcre2Count(reader) : takeCount(reader);
}

function greedyOrLazy(reader: PatternReader, source: string, [least, most]: [number, number]): Quantifier {
  const isPossessive = isPcre2(reader) && takeText(reader, '+');
  const isGreedy = isPossessive || takeText(reader, '?') === reader.flags.swapGreed;
  return { source: isGreedy ? source : `${source}?`, least, most, isGreedy, isPossessive };
}

/** What ripgrep's default engine takes for a count: there is none without a first number. */
function takeCount(reader: PatternReader): Quantifier {
  const start = reader.at++;
  const least = takeNumber(reader, start);
  let most: number | undefined = least;
  if (takeText(reader, ',')) {
    take(reader, /\s*/y);
    most = reader.pattern[reader.at] === '}' ? undefined : takeNumber(reader, start);
  }
  if (!takeText(reader, '}')) throw new PatternProblem('unclosed counted repetition', start);
  if (most !== undefined && most < least)
    throw new PatternProblem('invalid repetition count range, the start must be <= the end', start);
  skipBlank(reader);
  return greedyOrLazy(reader, countSource(least, most), [least, most ?? Infinity]);
}

function takeNumber(reader: PatternReader, brace: number): number {
  take(reader, /\s*/y);
  if (reader.at >= reader.pattern.length) throw new PatternProblem('unclosed counted repetition', brace);
  const start = reader.at;
  const digits = take(reader, /\d+/y)?.[0];
  if (digits === undefined) throw new PatternProblem('repetition quantifier expects a valid decimal', start);
  if (Number(digits) > 0xffff_ffff) throw new PatternProblem('decimal literal invalid', start);
  take(reader, /\s*/y);
  return Number(digits);
}

/** A brace that opens no count stands for itself. */
function takePcre2Count(reader: PatternReader): Quantifier | undefined {
  const start = reader.at;
  const match = take(reader, /\{[ \t]*(?=[ \t]*,?[ \t]*\d)(\d*)[ \t]*(?:(,)[ \t]*(\d*)[ \t]*)?\}/y);
  if (match === undefined) return undefined;
  const [, first = '', comma, second = ''] = match;
  const least = Number(first);
  const most = comma === undefined ? least : second === '' ? undefined : Number(second);
  if (Math.max(least, most ?? 0) > 0xffff) throw new PatternProblem('number too big in {} quantifier', start);
  if (most !== undefined && most < least) throw new PatternProblem('numbers out of order in {} quantifier', start);
  return greedyOrLazy(reader, countSource(least, most), [least, most ?? Infinity]);
}

function countSource(least: number, most: number | undefined): string {
  return least === most ? `{${least}}` : `{${least},${most ?? ''}}`;
}

/** Nothing can be repeated at the reader's place. */
function refuseQuantifier(reader: PatternReader): void {
  const start = reader.at;
  const isRepeated = isPcre2(reader)
    ? takeQuantifier(reader) !== undefined
    : /[*+?{]/.test(reader.pattern.charAt(start));
  if (isRepeated) throw missing(reader, start);
}

function missing(reader: PatternReader, start: number): PatternProblem {
  return isPcre2(reader)
    ? new PatternProblem('quantifier does not follow a repeatable item', reader.at - 1)
    : new PatternProblem('repetition operator missing expression', start);
}

/** One element; undefined for what only sets flags. */
function readAtom(reader: PatternReader): string | undefined {
  const start = reader.at;
  if (takeText(reader, '(')) return readGroup(reader);
  if (takeText(reader, '[')) return setHere(reader, isPcre2(reader) ? readPcre2Set(reader) : readSet(reader), start);
  if (takeText(reader, '.')) return dot(reader);
  if (takeText(reader, '^')) return lineStart(reader);
  if (takeText(reader, '$')) return lineEnd(reader);
  if (reader.pattern[start] === '\\') return readEscape(reader);
  refuseQuantifier(reader);
  return literal(reader, takeCharacter(reader).codePointAt(0) ?? 0, start);
}

function readGroup(reader: PatternReader): string | undefined {
  const open = reader.at - 1;
  if (!isPcre2(reader)) skipBlank(reader);
  const around = take(reader, /\?<?[=!]/y)?.[0];
  if (around !== undefined) return readAround(reader, around, open);
  const special = isPcre2(reader) ? readPcre2Group(reader, open) : undefined;
  if (special !== undefined) return special;
  if (take(reader, isPcre2(reader) ? /\?P?<|\?'/y : /\?P?</y) !== undefined) return readNamed(reader, open);
  const question = reader.at;
  if (!takeText(reader, '?')) return readCapture(reader, open);
  const outer = reader.flags;
  const { flags, isGroup } = setFlags(reader, question);
  reader.flags = flags;
  if (!isGroup) return undefined;
  const source = `(?:${readRest(reader, open)})`;
  reader.flags = outer;
  return source;
}

function readAround(reader: PatternReader, kind: string, open: number): string {
  if (!isPcre2(reader))
    throw new LeftToPcre2('look-around, including look-ahead and look-behind, is not supported', open);
  const { isBehind, isAround, certain } = reader;
  const direction = kind.startsWith('?<') ? 'behind' : 'ahead';
  [reader.isBehind, reader.isAround] = [direction === 'behind', true];
  const source = readRest(reader, open);
  const { least: shortest, most: longest } = reader.extent;
  if (reader.isBehind && longest === Infinity)
    throw new PatternProblem('length of lookbehind assertion is not limited', open);
  if (reader.isBehind && longest > MAX_BEHIND && longest > shortest)
    throw new PatternProblem('branch too long in variable-length lookbehind assertion', open);
  [reader.isBehind, reader.isAround, reader.hasPlaces] = [isBehind, isAround, true];
  reader.extent = lookAround(reader.extent, direction, kind.endsWith('='));
  if (kind.endsWith('!')) reader.certain = certain;
  return `(${kind}${source})`;
}

/** Kinds of groups that only PCRE2 has. */
function readPcre2Group(reader: PatternReader, open: number): string | undefined {
  const called = take(reader, /\?P=(\w+)\)/y)?.[1];
  if (called !== undefined) return backReference(reader, reader.names.get(called), open);
  if (takeText(reader, '?>')) return atomic(reader, readRest(reader, open), open);
  const rest = reader.pattern.slice(reader.at, reader.at + MAX_KIND);
  const other = OTHER_GROUPS.find(([beginning]) => beginning.test(rest));
  if (other !== undefined) throw new Unsupported(other[1], open);
  return undefined;
}

/** Code units that tell the kind of a group. */
const MAX_KIND = 80;

/** What JavaScript has nothing for. */
const OTHER_GROUPS: readonly (readonly [beginning: RegExp, name: string])[] = [
  [/^\?(?:[R&+]|-?\d|P>)/, 'a group that is called, as in (?R) or (?1),'],
  [/^\?\(/, 'a condition, (?(…)…),'],
  [/^\?\|/, 'a group whose branches share numbers, (?|…),'],
  [/^\*(?:(?:ACCEPT|FAIL|F|COMMIT|PRUNE|SKIP|THEN|MARK)[:)]|:|[a-z_]+:)/, 'a verb, (*…),'],
  [/^\?[C*^]/, 'this kind of group'],
];

function readCapture(reader: PatternReader, open: number, name?: string): string {
  const number = ++reader.groups;
  if (name !== undefined) reader.names.set(name, number);
  const source = readRest(reader, open);
  reader.certain = new Set([...reader.certain, number]);
  return `${reader.dialect.named ? `(?<g${number}>` : '(?:'}${source})`;
}

function readNamed(reader: PatternReader, open: number): string {
  const start = reader.at;
  const end = reader.pattern[start - 1] === "'" ? "'" : '>';
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== end) {
    const at = reader.at;
    const isFirst = at === start;
    const isRight = (isFirst ? /[\p{Alphabetic}_]/u : /[\p{Alphabetic}\p{N}_.[\]]/u).test(takeCharacter(reader));
    if (!isRight) throw new PatternProblem('invalid capture group character', at);
  }
  const name = reader.pattern.slice(start, reader.at);
  if (!takeText(reader, end)) throw new PatternProblem('unclosed capture group name', reader.at);
  if (name === '') throw new PatternProblem('empty capture group name', start);
  if (reader.names.has(name)) throw new PatternProblem('duplicate capture group name', start);
  return readCapture(reader, open, name);
}

function readRest(reader: PatternReader, open: number): string {
  enter(reader);
  const source = readAlternatives(reader);
  if (!takeText(reader, ')')) throw new PatternProblem('unclosed group', open);
  leave(reader);
  return source;
}
