/** The part of the thread's program (`thread-source.ts`) that gives the lines to be shown of single files. */
export const LINES_SOURCE = String.raw`
/** The text of whole lines; undefined for what is odd, or left to others. */
function textOf(bytes) {
  const ascii = isAscii(bytes);
  if ((!ascii && !isUtf8(bytes)) || bytes.includes(0) || hasLongRun(bytes)) return undefined;
  return ascii ? bytes.latin1Slice(0, bytes.length) : bytes.utf8Slice(0, bytes.length);
}

/** What is shown of one text. */
function shownIn(text, limits) {
  if (text === undefined) return undefined;
  const lines = linesOf(limits);
  lines.add(text);
  return lines.shown();
}

function shownInWide(bytes, limits) {
  if (bytes === undefined) return undefined;
  const text = wideText(bytes);
  return text.includes('\0') || isGreedyIn(text) ? undefined : shownIn(text, limits);
}

/** Of a file that is longer than the buffer, which is full: no further than it is needed. */
function shownInLarge(fd, start, limits) {
  const lines = linesOf(limits);
  let from = start;
  for (let filled = BUFFER_BYTES; filled > 0; from = 0) {
    const end = filled < BUFFER_BYTES ? filled : buffer.lastIndexOf(10) + 1;
    if (end <= from) {
      const whole = readWhole(fd);
      return whole && shownIn(textOf(whole.subarray(start)), limits);
    }
    const text = textOf(buffer.subarray(from, end));
    if (text === undefined || Atomics.load(control, 0) >= job) return undefined;
    if (lines.add(text)) break;
    progress();
    buffer.copyWithin(0, end, filled);
    filled = readOn(fd, buffer, filled - end);
  }
  return lines.shown();
}

/** What is shown of one file; undefined for what is left to others, be it only to say what is wrong. */
function shownOf({ folder, name, maxMatches }, { before, after, hasEscapes }) {
  const toPath = hasEscapes ? systemPath : asItIs;
  const own = folder === '' ? base : base + folder + '/';
  let fd = -1;
  try {
    fd = fs.openSync(toPath(own + name), FLAGS);
    const filled = fill(fd);
    if (filled === ODD || !isInPlace(fd, Buffer.from(toPath(own)))) return undefined;
    const limits = { maxMatches, before, after };
    const start = startOf(filled);
    const isLarge = filled === BUFFER_BYTES;
    if (start === WIDE) return shownInWide(isLarge ? readWhole(fd) : buffer.subarray(0, filled), limits);
    return isLarge ? shownInLarge(fd, start, limits) : shownIn(textOf(buffer.subarray(start, filled)), limits);
  } catch {
    return undefined;
  } finally {
    progress();
    if (fd !== -1) fs.closeSync(fd);
  }
}
`;
