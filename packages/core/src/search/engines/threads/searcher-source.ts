import { TEXT_SOURCE } from '../javascript/worker-text.js';

/** The part of the thread's program (`thread-source.ts`) that searches bytes for one pattern, that of the last `setPattern`. */
export const SEARCHER_SOURCE = String.raw`
${TEXT_SOURCE}
function textOf(bytes, ascii) {
  return ascii ? bytes.latin1Slice(0, bytes.length) : bytes.utf8Slice(0, bytes.length);
}

/** The other one takes milliseconds to be compiled where it has classes of Unicode. */
function expressionFor(bytes, ascii) {
  return ascii && !bytes.includes(13) ? plain : general;
}

function countText(text) {
  return countIn(text, general);
}

function countMatches(bytes, ascii) {
  if (literal !== undefined && bytes.indexOf(literal) === -1) return 0;
  return ascii || isAscii(bytes) ? countIn(textOf(bytes, true), expressionFor(bytes, true)) : countInBytes(bytes);
}

/** Of a part of a line, where the first match in it begins, -1 for none; undefined where it touches an end that is not the line's. */
function startIn(bytes, isStart, isEnd) {
  const ascii = isAscii(bytes);
  const text = textOf(bytes, ascii);
  const match = execute(expressionFor(bytes, ascii), text, 0);
  if (match === null) return -1;
  const end = match.index + match[0].length;
  if ((!isStart && match.index === 0) || (!isEnd && end === text.length)) return undefined;
  return Buffer.byteLength(text.slice(0, match.index));
}

/** The shown lines of one file: takes whole lines, one text behind the other. */
class ShownLines {
  constructor(limits) {
    this.state = newCollection(limits);
  }

  /** 'isKnown': that they are ASCII. True when nothing more is wanted. */
  add(bytes, isKnown) {
    const ascii = isKnown || isAscii(bytes);
    collect(textOf(bytes, ascii), expressionFor(bytes, ascii), this.state);
    return isComplete(this.state);
  }

  addText(text) {
    collect(text, general, this.state);
  }

  /** A long line, without its end, and where its first match begins, in bytes for which needles tell; undefined when no more matches are wanted. */
  addLong(line, at) {
    const { state } = this;
    if (state.matches >= state.maxMatches) return undefined;
    const number = state.line++;
    if (++state.matches > state.skip) addMatch(lineAround(line, at, number), state);
    else forgetLines(state);
    return isComplete(state);
  }

  /** Of a text without a match, in bytes for which needles tell. */
  pass(bytes) {
    const { state } = this;
    let head = 0;
    for (let lines = 0; lines < state.afterLeft && head < bytes.length; lines++) {
      const feed = bytes.indexOf(10, head);
      head = feed === -1 ? bytes.length : feed + 1;
    }
    let tail = bytes.length;
    for (let lines = 0; lines < state.before && tail > head; lines++)
      tail = tail < 2 ? 0 : Math.max(head, bytes.lastIndexOf(10, tail - 2) + 1);
    if (head > 0) this.add(bytes.subarray(0, head), false);
    state.line += finderOf(bytes).countFeeds(bytes.byteOffset + head, bytes.byteOffset + tail);
    if (tail < bytes.length) this.add(bytes.subarray(tail), false);
    return isComplete(state);
  }

  shown() {
    return { matches: this.state.matches, lines: this.state.lines };
  }
}
`;
