import { TEXT_SOURCE } from '../javascript/worker-text.js';

/** The part of the thread's program (`thread-source.ts`) that searches bytes for one pattern. */
export const SEARCHER_SOURCE = String.raw`
function searcherFor(pattern) {
${TEXT_SOURCE}
  const literal = pattern.literal === undefined ? undefined : Buffer.from(pattern.literal);
  const textOf = (bytes, ascii) => (ascii ? bytes.latin1Slice(0, bytes.length) : bytes.utf8Slice(0, bytes.length));
  /** The other one takes milliseconds to be compiled where it has classes of Unicode. */
  const expressionFor = (bytes, ascii) => (ascii && !bytes.includes(13) ? plain : general);
  return {
    inText: (text) => countIn(text, general),
    count: (bytes, ascii) => {
      if (literal !== undefined && bytes.indexOf(literal) === -1) return 0;
      return ascii || isAscii(bytes) ? countIn(textOf(bytes, true), expressionFor(bytes, true)) : countInBytes(bytes);
    },
    /** Of a part of a line, where the first match in it begins, -1 for none; undefined where it touches an end that is not the line's. */
    startIn: (bytes, isStart, isEnd) => {
      const ascii = isAscii(bytes);
      const text = textOf(bytes, ascii);
      const match = execute(expressionFor(bytes, ascii), text, 0);
      if (match === null) return -1;
      const end = match.index + match[0].length;
      if ((!isStart && match.index === 0) || (!isEnd && end === text.length)) return undefined;
      return Buffer.byteLength(text.slice(0, match.index));
    },
    /** Takes whole lines, one text behind the other. */
    lines: ({ maxMatches, before, after }) => {
      const state = newCollection(maxMatches, before, after);
      /** 'isKnown': that they are ASCII. */
      const add = (bytes, isKnown) => {
        const ascii = isKnown || isAscii(bytes);
        collect(textOf(bytes, ascii), expressionFor(bytes, ascii), state);
        return isComplete(state);
      };
      return {
        /** True when nothing more is wanted. */
        add,
        addText: (text) => collect(text, general, state),
        /** A long line, without its end, and where its first match begins, in bytes for which needles tell; undefined when no more matches are wanted. */
        addLong: (line, at) => {
          if (state.matches >= maxMatches) return undefined;
          state.matches++;
          addMatch(lineAround(line, at, state.line++), state);
          return isComplete(state);
        },
        /** Of a text without a match, in bytes for which needles tell. */
        pass: (bytes) => {
          let head = 0;
          for (let lines = 0; lines < state.afterLeft && head < bytes.length; lines++) {
            const feed = bytes.indexOf(10, head);
            head = feed === -1 ? bytes.length : feed + 1;
          }
          let tail = bytes.length;
          for (let lines = 0; lines < before && tail > head; lines++) tail = tail < 2 ? 0 : Math.max(head, bytes.lastIndexOf(10, tail - 2) + 1);
          if (head > 0) add(bytes.subarray(0, head), false);
          state.line += finderOf(bytes).countFeeds(bytes.byteOffset + head, bytes.byteOffset + tail);
          if (tail < bytes.length) add(bytes.subarray(tail), false);
          return isComplete(state);
        },
        shown: () => ({ matches: state.matches, lines: state.lines }),
      };
    },
  };
}
`;
