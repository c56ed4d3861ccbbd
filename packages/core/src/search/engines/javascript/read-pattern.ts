import { notation } from './backtracking/notation.js';
import { either, inSequence, NOTHING, repeated, type Extent, type Times } from './extent.js';
import { setFlags } from './pattern-flags.js';
import {
  enter,
  heightOf,
  isPcre2,
  leave,
  leaveToMatcher,
  PatternProblem,
  setHeight,
  skipBlank,
  take,
  takeCharacter,
  takeText,
  type PatternReader,
} from './pattern-reader.js';
import { atomic, readEscape, dot, lineEnd, lineStart, literal, setHere } from './read-escape.js';
import { readAround } from './read-look.js';
import { readPcre2Group } from './read-pcre2-group.js';
import { readPcre2Set } from './read-pcre2-set.js';
import { readSet } from './read-set.js';

/** The whole pattern in JavaScript's notation, for the flags `gmv`. @throws PatternProblem */
export function readPattern(reader: PatternReader): string {
  const source = readAlternatives(reader);
  if (reader.at < reader.pattern.length) throw new PatternProblem('unopened group', reader.at);
  return source;
}

/** Up to the end of the group; flags that are set in it end with it. */
function readAlternatives(reader: PatternReader, sharesNumbers = false): string {
  const { flags, certain, extent, found, isCounted } = reader;
  const before = found.groups;
  let most = before;
  let whole: Extent | undefined;
  let [branches, source, varies] = [1, '', false];
  let [parts, height, highest] = [0, 0, 0];
  const endBranch = (): void => {
    varies ||= reader.extent.least < reader.extent.most;
    whole = whole === undefined ? reader.extent : either(whole, reader.extent);
    highest = Math.max(highest, heightOf(parts, height));
    most = Math.max(most, found.groups);
    [parts, height] = [0, 0];
  };
  [reader.extent, reader.isCounted] = [NOTHING, true];
  for (;;) {
    skipBlank(reader);
    const next = reader.pattern[reader.at];
    if (next === undefined || next === ')') break;
    if (takeText(reader, '|')) {
      endBranch();
      [reader.extent, reader.certain] = [NOTHING, certain];
      reader.isCounted = true;
      if (sharesNumbers) found.groups = before;
      branches++;
      source += '|';
    } else {
      source += readRepeated(reader);
      [parts, height] = [parts + 1, Math.max(height, reader.height)];
    }
  }
  endBranch();
  found.groups = most;
  [reader.branches, reader.varies, reader.isCounted] = [branches, varies, isCounted];
  setHeight(reader, heightOf(branches, highest));
  reader.extent = inSequence(extent, { ...NOTHING, ...whole });
  reader.flags = flags;
  if (branches > 1) reader.certain = certain;
  return source;
}

function readRepeated(reader: PatternReader): string {
  const { certain, extent, starts, reachesFeeds, looksAround, isUnlimited, isCounted, isLeftOut } = reader;
  reader.height = 0;
  reader.extent = NOTHING;
  const isGroup = reader.pattern[reader.at] === '(';
  const isPlace = isPcre2(reader) && /^\\[GK]/.test(reader.pattern.slice(reader.at, reader.at + 2));
  const isAhead = take(reader, /(?=\((?:\?[=!*]|\*(?:pla|nla|napla|\w+ahead):))/y) !== undefined;
  reader.isLeftOut ||= !isCounted && reader.isBehind;
  let source = readAtom(reader);
  reader.isLeftOut = isLeftOut;
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
      if (reader.starts > starts && quantifier.most > 1) leaveToMatcher(reader);
      if (quantifier.most === Infinity && !isAhead) reader.isUnlimited = true;
      source = repeat(reader, source, quantifier, reader.starts > starts);
      setHeight(reader, reader.height + 1);
      // Nor does it take a time through that matches nothing.
      const mayForget = reader.extent.least === 0 && quantifier.most > quantifier.least;
      if (quantifier.least === 0 || mayForget) reader.certain = certain;
      if (quantifier.most === 0 && !isPcre2(reader))
        [reader.reachesFeeds, reader.looksAround] = [reachesFeeds, looksAround];
      // PCRE2 keeps a group that is never there.
      reader.extent = { ...repeated(reader.extent, quantifier) };
      if (quantifier.most === 0 && !isGroup) reader.extent = NOTHING;
      if (quantifier.isPossessive) source = atomic(reader, source);
    }
  reader.extent = isCounted ? inSequence(extent, reader.extent) : extent;
  if (!isCounted) reader.isUnlimited = isUnlimited;
  return source ?? '';
}

/**
 * JavaScript takes no time through that matches nothing, but looks for another way. All others take it and go on behind the loop; it is the
 * same where they try that last, and where they need not try it.
 */
function repeat(reader: PatternReader, source: string, quantifier: Quantifier, hasStart: boolean): string {
  const { source: sign, least, most, isGreedy } = quantifier;
  const { extent } = reader;
  const simple = `(?:${source})${sign}`;
  if (reader.dialect.own) return simple;
  if (extent.least > 0 || least === most) return simple;
  // What matches nothing may say where the match begins.
  if (hasStart) return isGreedy ? `(?:(?:${source})|)` : `(?:|(?:${source}))`;
  if (extent.isNothingLast || !isGreedy) return simple;
  if (most === Infinity && !extent.isNothingFirst) {
    // Whether it matches is the same.
    if (reader.dialect.unit !== 'span' && !isPcre2(reader)) return simple;
    leaveToMatcher(reader);
  }
  const isOnce = least === 0 && most === 1;
  const isOften = most !== Infinity && (most - least) * source.length > MAX_WRITTEN;
  // No two groups may have one name.
  if (isOften || (!isOnce && /\(\?<\w/.test(source))) leaveToMatcher(reader);
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
  if (around !== undefined) return readAround(reader, around, open, readRest);
  const special = isPcre2(reader) ? readPcre2Group(reader, open, readRest) : undefined;
  if (special !== undefined) return special;
  if (take(reader, isPcre2(reader) ? /\?P?<|\?'/y : /\?P?</y) !== undefined) return readNamed(reader, open);
  const question = reader.at;
  if (!takeText(reader, '?'))
    return reader.flags.namedOnly ? `(?:${readRest(reader, open)})` : readCapture(reader, open);
  const outer = reader.flags;
  const { flags, isGroup } = setFlags(reader, question);
  reader.flags = flags;
  if (!isGroup) return undefined;
  const source = `(?:${readRest(reader, open)})`;
  reader.flags = outer;
  return source;
}

function readCapture(reader: PatternReader, open: number): string {
  const number = ++reader.found.groups;
  reader.open.add(number);
  const source = readRest(reader, open);
  reader.open.delete(number);
  reader.certain = new Set([...reader.certain, number]);
  const { extents } = reader.found;
  const same = extents.get(number);
  extents.set(number, same === undefined ? reader.extent : either(same, reader.extent));
  return reader.dialect.named ? notation.group(number, source) : `(?:${source})`;
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
  noteName(reader, name, start);
  return readCapture(reader, open);
}

/** Of the group that is about to be read. */
function noteName({ found: { groups, names }, flags }: PatternReader, name: string, start: number): void {
  const number = groups + 1;
  const others = names.get(name) ?? [];
  if (others.length > 0 && !others.includes(number) && !flags.sameNames)
    throw new PatternProblem('duplicate capture group name', start);
  for (const [other, numbers] of names)
    if (other !== name && numbers.includes(number))
      throw new PatternProblem('different names for subpatterns of the same number are not allowed', start);
  names.set(name, [...new Set([...others, number])]);
}

function readRest(reader: PatternReader, open: number, sharesNumbers?: boolean): string {
  enter(reader);
  const source = readAlternatives(reader, sharesNumbers);
  if (!takeText(reader, ')')) throw new PatternProblem('unclosed group', open);
  leave(reader);
  return source;
}
