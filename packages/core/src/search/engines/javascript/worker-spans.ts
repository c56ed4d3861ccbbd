/**
 * The part of a worker's program that counts matches that may span lines, as ripgrep does (JavaScript as text; see `worker-source.ts`). It
 * expects what is in `worker-text.ts`.
 *
 * ripgrep searches twice. First it looks for lines that matches touch, each time in what is left behind the match before as if a text began
 * there. Lines that stand beside each other are put together. Then it looks for the matches that begin in them, and sees all that stands
 * before, but not much of what stands behind; where it finds none, they count as one. Where matches are not empty and no other
 * ones when less is seen, both find the same.
 */
export const SPANS_SOURCE = String.raw`
/** Bytes behind lines that are seen when they are searched for the second time. */
const LOOK_AHEAD = 128;

/** Goes through the matches in a text; 'nextSpan' sets 'start' and 'end'. */
function newWalk(text, expression) {
  return {
    text, expression, start: 0, end: 0,
    /** Where the next match is looked for; no empty one counts at 'last'. */
    from: 0, last: -1,
    /** Matches between the bytes of the character at 'start' that are still to come. */
    inner: 0,
    /** The lines that are searched for the second time, in a text that may be cut behind them; in what is found nothing is counted twice. */
    seen: undefined, blockStart: 0, blockEnd: 0, isFound: false,
    /** Where lines are looked for; 'isCut': between the bytes of the character before. */
    place: 0, isCut: false,
    /** Lines that were found, and not yet searched. */
    nextStart: -1, nextEnd: -1,
  };
}

function countSpans(text, expression) {
  let count = 0;
  if (isSteady && !passesFeeds) {
    expression.lastIndex = 0;
    while (expression.test(text)) count++;
  } else for (const walk = newWalk(text, expression); nextSpan(walk); ) count++;
  return count;
}

/** False when there is none any more. */
function nextSpan(walk) {
  if (isSteady) return nextSteady(walk);
  for (;;) {
    if (walk.seen !== undefined && nextInBlock(walk)) return true;
    if (!nextBlock(walk)) return false;
  }
}

function nextSteady(walk) {
  const match = execute(walk.expression, walk.text, walk.from);
  if (match === null) return false;
  walk.start = match.index;
  walk.from = walk.end = match.index + match[0].length;
  return true;
}

/** The next match that begins in the present lines; their beginning or end where there is none at all. */
function nextInBlock(walk) {
  const { text, seen, blockEnd } = walk;
  if (walk.inner > 0) {
    walk.inner--;
    return true;
  }
  while (walk.from <= seen.length) {
    const match = execute(walk.expression, seen, walk.from);
    if (match === null || match.index >= blockEnd) break;
    const { last } = walk;
    const start = match.index;
    const end = start + match[0].length;
    const isEmpty = end === start;
    const inner = isEmpty && isInside ? bytesBehind(text, start) : 0;
    walk.from = isEmpty ? nextCharacter(text, start) : end;
    if (isEmpty && start === last && inner === 0) continue;
    const isSkipped = isEmpty && start === last;
    walk.inner = isSkipped ? inner - 1 : inner;
    walk.start = isSkipped ? start + 1 : start;
    walk.end = isSkipped ? start + 1 : end;
    walk.last = end;
    return (walk.isFound = true);
  }
  walk.seen = undefined;
  if (walk.isFound) return false;
  walk.start = walk.end = text.charCodeAt(blockEnd - 1) === 10 ? walk.blockStart : blockEnd;
  return true;
}

/** Finds lines that matches touch; false when there are none any more. */
function nextBlock(walk) {
  const { text } = walk;
  if (!(isByLine ? nextLine(walk) : nextLines(walk))) return false;
  const { blockStart, blockEnd } = walk;
  walk.seen = text.slice(0, isByLine ? endOfLine(text, blockEnd) : endOfSight(text, blockEnd, isOfBytes || walk.expression === plain));
  [walk.from, walk.last, walk.isFound] = [blockStart, -1, false];
  return true;
}

function nextLine(walk) {
  const { text, place } = walk;
  const match = place < text.length ? execute(walk.expression, text, place) : null;
  if (match === null) return false;
  walk.blockStart = lineStartOf(text, match.index + match[0].length);
  walk.place = walk.blockEnd = lineEndOf(text, walk.blockStart);
  return walk.blockStart < text.length;
}

function nextLines(walk) {
  const { text } = walk;
  if (isAtAnyStart && !movesStart) {
    // Behind each match comes another, so these are all lines.
    const isFirst = walk.place < text.length;
    walk.blockEnd = walk.place = text.length;
    return isFirst;
  }
  [walk.blockStart, walk.blockEnd] = [walk.nextStart, walk.nextEnd];
  walk.nextStart = -1;
  while (walk.place < text.length) {
    const match = findBehind(walk);
    if (match === null) break;
    const { start, end } = match;
    const lineStart = lineStartOf(text, start);
    const lineEnd = end > lineStart && text.charCodeAt(end - 1) === 10 ? end : lineEndOf(text, end);
    if (walk.blockStart === -1) walk.blockStart = lineStart;
    else if (walk.blockEnd < lineStart) {
      [walk.nextStart, walk.nextEnd] = [lineStart, lineEnd];
      break;
    }
    walk.blockEnd = lineEnd;
  }
  return walk.blockStart !== -1 && walk.blockStart < walk.blockEnd;
}

/** The first match in what is left of the text; the place to go on is behind it. */
function findBehind(walk) {
  const { text, place } = walk;
  const match = execute(walk.isCut ? cut : walk.expression, place === 0 ? text : text.slice(place), 0);
  if (match === null) {
    walk.place = text.length;
    return null;
  }
  const start = place + match.index;
  const end = start + match[0].length;
  walk.isCut = !isAtStart && end === start && bytesBehind(text, start) > 0;
  walk.place = end > start ? end : nextCharacter(text, start);
  return { start, end };
}

function nextCharacter(text, at) {
  if (isOfBytes) return at + 1;
  return at + (text.codePointAt(at) > 0xffff ? 2 : 1);
}

/** Bytes of a character in UTF-8 behind its first. */
function bytesBehind(text, at) {
  if (isOfBytes) return 0;
  const code = text.codePointAt(at) ?? 0;
  return code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
}

/** What is seen behind a place ends there. */
function endOfSight(text, from, isAsciiText) {
  let at = isAsciiText ? Math.min(text.length, from + LOOK_AHEAD) : from;
  for (let left = LOOK_AHEAD; !isAsciiText && at < text.length; at++) {
    const code = text.charCodeAt(at);
    left -= code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3;
    if (left < 0) break;
  }
  return isWithinCharacter(text, at) ? at - 1 : at;
}

/** Where the line that ends there has its own end. */
function endOfLine(text, end) {
  if (text.charCodeAt(end - 1) !== 10) return end;
  return text.charCodeAt(end - 2) === 13 ? end - 2 : end - 1;
}

/** Whether it is between the halves of a line's end. */
function isWithinEnd(text, at) {
  return text.charCodeAt(at) === 10 && text.charCodeAt(at - 1) === 13;
}

/**
 * The lines that the first matches touch and, behind the first of these that is wanted, those beside which they were found, each once, with where
 * the first that is wanted begins in it or goes on. Of those to skip it is the last line, of the others no more than 'mostLines' and one.
 */
function linesOfSpans(text, expression, state) {
  const walk = newWalk(text, expression);
  let found = [];
  let [blockStart, blockEnd] = [0, 0];
  while (state.matches < state.maxMatches && nextSpan(walk)) {
    const { start, end } = walk;
    const hasBegun = state.matches > state.skip;
    if (hasBegun && walk.blockStart !== blockStart) addUntouched(found, text, blockStart, blockEnd);
    ({ blockStart, blockEnd } = walk);
    if (hasBegun) addUntouched(found, text, blockStart, lineStartOf(text, Math.min(start, blockEnd)));
    if (++state.matches <= state.skip) {
      found = [{ at: -1, lineStart: lineStartOf(text, Math.max(start, end - 1)), isWanted: false, isSkipped: true }];
      continue;
    }
    let at = start;
    do {
      if (found.length > mostLines) break;
      const line = { at, lineStart: lineStartOf(text, at), isWanted: true, isSkipped: false };
      const last = found.at(-1);
      if (last === undefined || line.lineStart > last.lineStart) found.push(line);
      else if (!last.isWanted) found = [{ ...line, isSkipped: true }];
      const feed = text.indexOf('\n', at);
      at = feed === -1 ? text.length : feed + 1;
    } while (at < end);
  }
  if (state.matches > state.skip && state.matches < state.maxMatches) addUntouched(found, text, blockStart, blockEnd);
  return found;
}

/** The whole lines between two places that were not found. */
function addUntouched(found, text, from, to) {
  const last = found.at(-1);
  let lineStart = last === undefined ? from : Math.max(from, lineEndOf(text, last.lineStart));
  while (lineStart < to && found.length <= mostLines) {
    const end = lineEndOf(text, lineStart);
    if (end > to) break;
    found.push({ at: -1, lineStart, isWanted: true, isSkipped: false });
    lineStart = end;
  }
}
`;
