import { MOST_LINES } from '../../report/shown-line.js';
import { JAPANESE_SOURCE } from '../japanese-source.js';

/**
 * The part of a worker's program that searches texts (JavaScript as text; see `worker-source.ts`). It expects `keptOfLine`, and that
 * `setPattern` is called before anything else. What is of the pattern are variables rather than an object or closures of it, so that the
 * next pattern finds code that fits.
 */
export const TEXT_SOURCE = String.raw`
${JAPANESE_SOURCE}
const mostLines = ${MOST_LINES};
let general;
let plain;
let byLine = false;
let keepsFeed = false;
let keepsReturn = false;
/** In place of 'general' where a line ends in a line feed alone. */
let fed;
let bySpan = false;
let isWithinLines = false;
/** See 'SpanHabits': whether nothing at all is matched at a place of which nothing is known. */
let matchesInside = false;
/** Found in the bytes of every text with a match, taken for Latin-1; if 'byBytes', of a match each. */
let byteExpressions = [];
let byBytes = false;
/** What every match is, where that is known: without these bytes there is none. */
let literal;

/** Takes a 'JavaScriptPattern'. */
function setPattern(pattern) {
  const { inBytes } = pattern;
  general = new RegExp(pattern.general, pattern.flags);
  plain = new RegExp(pattern.plain, pattern.flags);
  byLine = pattern.unit === 'line';
  keepsFeed = pattern.keepsFeed === true;
  keepsReturn = pattern.keepsReturn === true;
  fed = pattern.fed === undefined ? undefined : new RegExp(pattern.fed, pattern.flags);
  bySpan = pattern.unit === 'span';
  isWithinLines = pattern.spans?.isByLine === true;
  matchesInside = pattern.spans?.hasInnerPlaces === true && isEmptyAt(general, '\ue000\ue000', 1);
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
  for (;;) {
    expression.lastIndex = from;
    const match = expression.exec(text);
    if (match === null || !isWithinCharacter(text, match.index))
      return match === null || match.indices === undefined ? match : fromStart(text, match);
    from = match.index + 1;
  }
}

/** The part of a match that is told; see 'JavaScriptPattern'. */
function fromStart(text, { 0: whole, index, indices }) {
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
  if (byLine) return findByLine(expression, text, from);
  const match = execute(expression, text, from);
  return match === null || isBehindLastLine(text, match.index) ? -1 : match.index;
}

function findByLine(expression, text, from) {
  const byFeed = expression === general && fed !== undefined ? fed : expression;
  while (from < text.length) {
    const next = lineEndOf(text, from);
    const end = text.charCodeAt(next - 1) === 10 ? next - 1 : next;
    const hasReturn = !keepsReturn && text.charCodeAt(end - 1) === 13 && end > from;
    const stop = hasReturn && end < next ? end - 1 : end;
    const hasFeed = keepsFeed && end < next && !hasReturn;
    // A last line without an end is taken for one that ends as that before it.
    const isReturned = hasReturn || (end === next && text.charCodeAt(from - 2) === 13);
    const match = execute(isReturned ? expression : byFeed, text.slice(from, hasFeed ? next : stop), 0);
    if (match !== null) return from + (hasFeed ? placeWithin(expression, text.slice(from, stop)) : match.index);
    from = next;
  }
  return -1;
}

/** Where the match begins in its line, without the line feed that it may want: ripgrep then names the line's start. */
function placeWithin(expression, line) {
  const match = execute(expression, line, 0);
  return match === null ? 0 : match.index;
}

/** After a line feed at the end of a text no other line begins. */
function isBehindLastLine(text, index) {
  return index === text.length && (index === 0 || text.charCodeAt(index - 1) === 10);
}

function countIn(text, expression) {
  let count = 0;
  if (bySpan) {
    for (let match = firstSpan(expression, text); match !== undefined; match = nextSpan(expression, text, match))
      if (match.isCounted) count++;
    return count;
  }
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
  if (byLine) return findByLine(expression, text, from);
  expression.lastIndex = from;
  if (!expression.test(text)) return -1;
  const end = expression.lastIndex;
  if (isWithinCharacter(text, end)) return findLine(expression, text, from);
  return isBehindLastLine(text, end) ? -1 : end;
}

function firstSpan(expression, text) {
  return nextSpan(expression, text, { start: -1, end: 0, from: 0, last: -1, inner: 0, isCounted: true });
}

/** The next occurrence; an empty one directly behind another is none. */
function nextSpan(expression, text, before) {
  if (before.inner > 0) return { ...before, inner: before.inner - 1 };
  let from = before.from;
  while (from <= text.length) {
    const match = execute(expression, text, from);
    if (match === null) return undefined;
    const start = match.index;
    const end = start + match[0].length;
    if (isWithinLines && endsInReturn(text, start, end)) {
      const span = spanBefore(expression, text, from, end, before);
      if (span !== undefined) return span;
      from = Math.max(end, start + 1);
      continue;
    }
    if (end > start) return { start, end, from: end, last: end, inner: 0, isCounted: true };
    if (isBehindLastLine(text, start)) return undefined;
    from = start + (text.codePointAt(start) > 0xffff ? 2 : 1);
    const inner = matchesInside ? bytesBehind(text, start) : 0;
    const isCounted = !isUncounted(text, start, before);
    if (start !== before.last) return { start, end, from, last: end, inner, isCounted };
    if (inner > 0) return { start: start + 1, end: start + 1, from, last: end, inner: inner - 1, isCounted };
  }
  return undefined;
}

function isEmptyAt(expression, text, at) {
  expression.lastIndex = at;
  const match = expression.exec(text);
  return match !== null && match.index === at && match[0] === '';
}

/** Bytes of a character in UTF-8 behind its first. */
function bytesBehind(text, at) {
  const code = text.codePointAt(at) ?? 0;
  return code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
}

/** Whether a match takes the carriage return of a line's end, or stands behind it. */
function endsInReturn(text, start, end) {
  return text.charCodeAt(end) === 10 && text.charCodeAt(end - 1) === 13;
}

/** The occurrence in what stands before the line's end; without any in the line, its start. */
function spanBefore(expression, text, from, end, before) {
  const match = execute(expression, text.slice(0, end - 1), from);
  const lineStart = lineStartOf(text, end - 1);
  if (match !== null) {
    const start = match.index;
    const last = start + match[0].length;
    const next = last > start ? last : start + 1;
    if (last > start || start !== before.last) return { start, end: last, from: next, last, inner: 0, isCounted: true };
  }
  if (before.start >= lineStart) return undefined;
  return { start: lineStart, end: lineStart, from: end, last: end, inner: 0, isCounted: true };
}

/** ripgrep counts an empty occurrence at the end of a text without a last line's end only where none is in its line or touches it. */
function isUncounted(text, start, before) {
  if (start !== text.length || before.start === -1) return false;
  const lineStart = lineStartOf(text, start);
  const last = Math.max(before.start, before.end - 1);
  return isWithinLines ? last >= lineStart : lineEndOf(text, last) >= lineStart;
}

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

/**
 * The lines that the first occurrences touch, each once, with where the first that is wanted begins in it or goes on. Of those to skip it is
 * the last line, of the others no more than 'mostLines' and one.
 */
function linesOfSpans(text, expression, state) {
  let found = [];
  for (
    let span = firstSpan(expression, text);
    span !== undefined && state.matches < state.maxMatches;
    span = nextSpan(expression, text, span)
  ) {
    if (span.isCounted) state.matches++;
    if (state.matches <= state.skip) {
      found = [{ at: -1, lineStart: lineStartOf(text, Math.max(span.start, span.end - 1)), isWanted: false, isSkipped: true }];
      continue;
    }
    let at = span.start;
    do {
      if (found.length > mostLines) break;
      const line = { at: span.isCounted ? at : -1, lineStart: lineStartOf(text, at), isWanted: true, isSkipped: false };
      const last = found.at(-1);
      if (last === undefined || line.lineStart > last.lineStart) found.push(line);
      else if (!last.isWanted) found = [{ ...line, isSkipped: true }];
      const feed = text.indexOf('\n', at);
      at = feed === -1 ? text.length : feed + 1;
    } while (at < span.end);
  }
  return found;
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
function lineTuple(text, start, at, number) {
  let end = text.indexOf('\n', start);
  if (end === -1) end = text.length;
  if (end > start && text.charCodeAt(end - 1) === 13) end--;
  const length = end - start;
  // A match may begin in the line's end; of one within it ripgrep tells no place where lines are searched one by one.
  const isInEnd = !bySpan && !keepsReturn && at - start > length && text.charCodeAt(at) === 10;
  const place = isInEnd ? 0 : Math.min(at - start, length);
  const column = at === -1 ? 0 : place + 1;
  if (length <= 2 * keptOfLine) return [number, column, text.slice(start, end), 0, length];
  const from = Math.max(0, column - 1 - keptOfLine);
  return [number, column, text.slice(start + from, Math.min(end, start + from + 2 * keptOfLine)), from, length];
}
`;
