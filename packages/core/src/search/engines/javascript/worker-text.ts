import { MOST_LINES } from '../../report/shown-line.js';
import { JAPANESE_SOURCE } from '../japanese-source.js';
import { MATCHER_SOURCE } from './backtracking/matcher-source.js';
import { SPANS_SOURCE } from './worker-spans.js';

/**
 * The part of a worker's program that searches texts (JavaScript as text; see `worker-source.ts`). It expects `keptOfLine`, and that
 * `setPattern` is called before anything else. What is of the pattern are variables rather than an object or closures of it, so that the
 * next pattern finds code that fits.
 */
export const TEXT_SOURCE = String.raw`
${JAPANESE_SOURCE}
${MATCHER_SOURCE}
const mostLines = ${MOST_LINES};
let general;
let plain;
let byLine = false;
let keepsFeed = false;
let keepsReturn = false;
let seesBefore = false;
/** In place of 'general' where a line ends in a line feed alone. */
let fed;
let bySpan = false;
/** Where matches may span lines; see 'SpanHabits'. */
let isByLine = false;
let isSteady = false;
let isInside = false;
let isAtStart = false;
let isAtAnyStart = false;
let passesFeeds = false;
let cut;
/** A match may begin behind the place where it is found. */
let movesStart = false;
/** Found in the bytes of every text with a match, taken for Latin-1; if 'byBytes', of a match each. */
let byteExpressions = [];
let byBytes = false;
/** What every match is, where that is known: without these bytes there is none. */
let literal;
/** Texts are given as the bytes of their UTF-8. */
let isOfBytes = false;

/** Takes a 'JavaScriptPattern'. */
function setPattern(pattern) {
  const { inBytes } = pattern;
  const matchers = new Map();
  /** See 'Expression'. A tree may stand for several. */
  const compiled = (expression) => {
    if (typeof expression === 'string') return new RegExp(expression, pattern.flags);
    if (!matchers.has(expression)) matchers.set(expression, newMatcher(expression));
    return matchers.get(expression);
  };
  general = compiled(pattern.general);
  plain = compiled(pattern.plain);
  isOfBytes = pattern.isOfBytes === true;
  byLine = pattern.unit === 'line';
  keepsFeed = pattern.keepsFeed === true;
  keepsReturn = pattern.keepsReturn === true;
  seesBefore = pattern.seesBefore === true;
  fed = pattern.fed === undefined ? undefined : compiled(pattern.fed);
  bySpan = pattern.unit === 'span';
  if (bySpan) ({ isByLine, isSteady, isInside, isAtStart, isAtAnyStart } = pattern.spans);
  passesFeeds = pattern.spans?.passesFeeds === true;
  cut = bySpan ? compiled(pattern.spans.cut) : undefined;
  movesStart = pattern.flags.includes('d');
  byteExpressions = (inBytes?.sources ?? []).map((source) => new RegExp(source, inBytes.isCased ? 'g' : 'gi'));
  byBytes = inBytes?.isAll === true;
  literal = pattern.literal === undefined ? undefined : Buffer.from(pattern.literal);
}

/** Matches in UTF-8 that is not ASCII: mostly it need not be decoded, which takes longer than all else. */
function countInBytes(bytes) {
  const [rarest] = byteExpressions;
  if (rarest === undefined) return countIn(bytes.utf8Slice(0, bytes.length), general);
  const text = bytes.latin1Slice(0, bytes.length);
  if (byBytes) return countIn(text, rarest);
  for (const expression of byteExpressions) {
    expression.lastIndex = 0;
    if (!expression.test(text)) return 0;
  }
  return bySpan ? countIn(bytes.utf8Slice(0, bytes.length), general) : countInLinesWith(rarest, text, bytes);
}

/** Of the lines alone that have what every match has. */
function countInLinesWith(expression, text, bytes) {
  let count = 0;
  for (let from = 0; from < text.length; ) {
    expression.lastIndex = from;
    if (!expression.test(text)) break;
    const at = expression.lastIndex - 1;
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed + 1;
    count += countIn(bytes.utf8Slice(lineStartOf(text, at), end), general);
    from = end;
  }
  return count;
}

/** The first match from a place on. V8 finds empty ones between the two halves of a character too. */
function execute(expression, text, from) {
  for (let at = from; ; ) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    if (match === null) return match;
    if (!isWithinCharacter(text, match.index) && (!passesFeeds || match.index === from || !isWithinEnd(text, match.index)))
      return match.indices === undefined && match.kept === undefined ? match : fromStart(text, match);
    at = match.index + 1;
  }
}

/** The part of a match that is told; see 'JavaScriptPattern'. */
function fromStart(text, { 0: whole, index, indices, kept }) {
  if (kept !== undefined) return { 0: text.slice(kept, index + whole.length), index: kept };
  let start = index;
  for (const [name, place] of Object.entries(indices.groups))
    if (name.startsWith('s') && place !== undefined) start = Math.max(start, place[0]);
  return { 0: text.slice(start, index + whole.length), index: start };
}

function isWithinCharacter(text, index) {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}

/** Where in the text the first match at or behind 'from', a line's start, begins; -1 for none. */
function findLine(expression, text, from) {
  if (byLine) return findByLine(expression, text, from, true);
  const match = execute(expression, text, from);
  return match === null || isBehindLastLine(text, match.index) ? -1 : match.index;
}

/** 'wantsPlace': where in the line, and not only which. */
function findByLine(expression, text, from, wantsPlace) {
  const byFeed = expression === general && fed !== undefined ? fed : expression;
  while (from < text.length) {
    const next = lineEndOf(text, from);
    const end = text.charCodeAt(next - 1) === 10 ? next - 1 : next;
    const hasReturn = !keepsReturn && text.charCodeAt(end - 1) === 13 && end > from;
    const stop = hasReturn && end < next ? end - 1 : end;
    const hasFeed = keepsFeed && end < next && !hasReturn;
    // A last line without an end is taken for one that ends as that before it.
    const isReturned = hasReturn || (end === next && text.charCodeAt(from - 2) === 13);
    const fitting = isReturned ? expression : byFeed;
    const match = execute(fitting, text.slice(from, hasFeed ? next : stop), 0);
    if (match !== null) {
      const isSoughtAgain = wantsPlace && (seesBefore || keepsFeed) && end < next;
      return isSoughtAgain ? placeWithin(fitting, text.slice(0, stop), from) : from + match.index;
    }
    from = next;
  }
  return -1;
}

/**
 * Where the first match in the last line begins, which ripgrep looks for again: there the line has no line feed, which it may want, it is
 * not the text's beginning, and what stands before it is seen. Where it finds none it names the line's start.
 */
function placeWithin(expression, seen, from) {
  const match = execute(expression, seen, from);
  return match === null ? from : match.index;
}

/** After a line feed at the end of a text no other line begins. */
function isBehindLastLine(text, index) {
  return index === text.length && (index === 0 || text.charCodeAt(index - 1) === 10);
}

function countIn(text, expression) {
  if (bySpan) return countSpans(text, expression);
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const at = findEnd(expression, text, from);
    if (at === -1) break;
    count++;
    const end = text.indexOf('\n', at);
    if (end === -1) break;
    from = end + 1;
  }
  return count;
}

/** As findLine, but any place in the line of that match behind its beginning: to ask only for the end takes half the time. */
function findEnd(expression, text, from) {
  if (byLine) return findByLine(expression, text, from, false);
  expression.lastIndex = from;
  if (!expression.test(text)) return -1;
  const end = expression.lastIndex;
  if (isWithinCharacter(text, end)) return findLine(expression, text, from);
  return isBehindLastLine(text, end) ? -1 : end;
}

${SPANS_SOURCE}
/** 'limits': 'FileLinesRequest' with 'before' and 'after'. */
function newCollection({ maxMatches, skip = 0, before, after }) {
  return { maxMatches, skip, before, after, lines: [], matches: 0, line: 1, ring: [], afterLeft: 0 };
}

function isComplete(state) {
  return state.matches >= state.maxMatches && state.afterLeft === 0;
}

/** Adds the shown lines of a text, which are whole lines and follow those that were added before. */
function collect(text, expression, state) {
  const matching = bySpan ? linesOfSpans(text, expression, state) : undefined;
  let from = 0;
  let taken = 0;
  while (from < text.length) {
    // To shift an array of very many lines takes as long as it is.
    const next = matching === undefined ? nextMatchingLine(text, expression, from, state) : matching[taken++];
    if (next === undefined && (isComplete(state) || taken > mostLines)) return;
    const stop = next === undefined ? text.length : next.lineStart;
    while (state.afterLeft > 0 && from < stop) {
      state.afterLeft--;
      state.lines.push(lineTuple(text, from, -1, state.line++));
      from = lineEndOf(text, from);
    }
    from = passOver(text, from, stop, state);
    if (next === undefined) return;
    if (next.isSkipped) forgetLines(state);
    if (next.isWanted) addMatch(lineTuple(text, from, next.at, state.line++), state);
    else state.line++;
    from = lineEndOf(text, from);
  }
}

function nextMatchingLine(text, expression, from, state) {
  if (state.matches >= state.maxMatches) return undefined;
  const at = findLine(expression, text, from);
  if (at === -1) return undefined;
  const isWanted = ++state.matches > state.skip;
  return { at, lineStart: lineStartOf(text, at), isWanted, isSkipped: !isWanted };
}

function lineStartOf(text, at) {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Goes on to 'stop' without showing lines, but keeps the last as what may stand before a match. */
function passOver(text, from, stop, state) {
  if (from >= stop) return from;
  const starts = [];
  for (let at = stop; at > from && starts.length < state.before; ) {
    at = lineStartOf(text, at - 1);
    starts.unshift(at);
  }
  const lines = countFeeds(text, from, stop);
  let line = state.line + lines - starts.length;
  for (const start of starts) {
    state.ring.push(lineTuple(text, start, -1, line++));
    if (state.ring.length > state.before) state.ring.shift();
  }
  state.line += lines;
  return stop;
}

/** Lines that begin between the two places. */
function countFeeds(text, from, stop) {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < stop; at = text.indexOf('\n', at + 1)) count++;
  return stop === text.length && text.charCodeAt(stop - 1) !== 10 ? count + 1 : count;
}

/** Adds a line that matches, and those kept that stand before it. */
function addMatch(tuple, state) {
  state.lines.push(...state.ring, tuple);
  state.ring = [];
  state.afterLeft = state.after;
}

/** What stands before a line in which something is skipped is not shown. */
function forgetLines(state) {
  state.lines = [];
  state.ring = [];
  state.afterLeft = 0;
}

/** Where the next line begins. */
function lineEndOf(text, start) {
  const feed = text.indexOf('\n', start);
  return feed === -1 ? text.length : feed + 1;
}

/** See 'LineTuple'; of a very long line only what surrounds its match. */
function lineTuple(text, start, at, number, isBytes = isOfBytes) {
  let end = text.indexOf('\n', start);
  if (end === -1) end = text.length;
  if (end > start && text.charCodeAt(end - 1) === 13) end--;
  const length = end - start;
  // A match may begin in the line's end; of one within it ripgrep tells no place where lines are searched one by one.
  const isInEnd = !bySpan && !keepsReturn && at - start > length && text.charCodeAt(at) === 10;
  const place = isInEnd ? 0 : Math.min(at - start, length);
  const column = at === -1 ? 0 : place + 1;
  if (isBytes) return tupleOfBytes(number, Buffer.from(text.slice(start, end), 'latin1'), place, at);
  if (length <= 2 * keptOfLine) return [number, column, text.slice(start, end), 0, length];
  const from = Math.max(0, column - 1 - keptOfLine);
  return [number, column, text.slice(start + from, Math.min(end, start + from + 2 * keptOfLine)), from, length];
}

/** A line of which each code unit was a byte. */
function tupleOfBytes(number, bytes, place, at) {
  const line = bytes.utf8Slice(0, bytes.length);
  return lineTuple(line, 0, at === -1 ? -1 : unitsBefore(bytes, place), number, false);
}

/** Code units of UTF-16, and one for each byte of a character before a place within it. */
function unitsBefore(bytes, place) {
  let whole = place;
  while (place < bytes.length && whole > 0 && (bytes[whole] & 0xc0) === 0x80) whole--;
  return bytes.utf8Slice(0, whole).length + place - whole;
}
`;
