/** The part of the thread's program (`thread-source.ts`) that gives the lines to be shown of single files. */
export const LINES_SOURCE = String.raw`
/** A longer line, in bytes, has more than is kept of it: one code unit of UTF-16 has at most three. */
const MAX_UNIT = 3;
const longLine = MAX_UNIT * 2 * keptOfLine;

/** Adds whole lines. True when nothing more is wanted, undefined for what is odd, or left to others. */
function addLines(lines, bytes) {
  const ascii = isAscii(bytes);
  if (!isText(bytes, ascii)) return undefined;
  if (!canNeedlesTell(bytes, ascii)) return addText(lines, bytes, ascii);
  if (needles.meaning === 'choice' && findNeedle(bytes, 0) !== -1) return addText(lines, bytes, ascii);
  let from = 0;
  for (let left = FEW_LINES + bytes.length / BYTES_A_LINE; from < bytes.length; left--) {
    const at = findNeedle(bytes, from);
    const start = at === -1 ? bytes.length : bytes.lastIndexOf(10, at) + 1;
    if (start > from && lines.pass(bytes.subarray(from, start))) return true;
    if (at === -1) break;
    const feed = bytes.indexOf(10, at);
    from = feed === -1 || left < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, from);
    const isLong = left >= 0 && line.length > longLine;
    const isOver = (isLong ? addLong(lines, line, at - start) : undefined) ?? addText(lines, line, ascii);
    if (isOver !== false) return isOver;
  }
  return false;
}

/** Adds a long line in which a needle stands first at that place; undefined where it must be searched as a whole. */
function addLong(lines, line, at) {
  const start = findInLine(line, at);
  if (start === LEFT || start === undefined) return undefined;
  return start === -1 ? lines.pass(line) : lines.addLong(withoutEnd(line), start);
}

function withoutEnd(line) {
  let end = line.length;
  if (line[end - 1] === 10) end--;
  if (line[end - 1] === 13) end--;
  return line.subarray(0, end);
}

/** See 'lineTuple': of a line that is so long that it is cut, decoded around its match alone. */
function lineAround(line, at, number) {
  let from = Math.max(0, at - MAX_UNIT * keptOfLine);
  while (isWithinUtf8(line[from])) from--;
  let to = Math.min(line.length, at + MAX_UNIT * keptOfLine);
  while (isWithinUtf8(line[to])) to++;
  const before = countUnits(line.subarray(0, from));
  const index = before + line.utf8Slice(from, at).length;
  const start = Math.max(0, index - keptOfLine);
  const text = line.utf8Slice(from, to).slice(start - before, start - before + 2 * keptOfLine);
  return [number, index + 1, text, start, before + countUnits(line.subarray(from))];
}

/** Adds whole lines that are searched as text. */
function addText(lines, bytes, ascii) {
  return hasLongRun(bytes) ? undefined : lines.add(bytes, ascii);
}

function shownInSmall(bytes, limits) {
  const lines = new ShownLines(limits);
  return addLines(lines, bytes) === undefined ? undefined : lines.shown();
}

function shownInWide(bytes, limits) {
  if (bytes === undefined) return undefined;
  const text = wideText(bytes);
  if (text.includes('\0') || isGreedyIn(text)) return undefined;
  const lines = new ShownLines(limits);
  lines.addText(text);
  return lines.shown();
}

/** Of a file that is longer than the buffer, which is full: no further than it is needed. */
function shownInLarge(fd, start, limits) {
  const lines = new ShownLines(limits);
  let from = start;
  for (let filled = BUFFER_BYTES; filled > 0; from = 0) {
    const end = filled < BUFFER_BYTES ? filled : buffer.lastIndexOf(10) + 1;
    if (end <= from) {
      const whole = readWhole(fd);
      return whole && shownInSmall(whole.subarray(start), limits);
    }
    const bytes = buffer.subarray(from, end);
    if (Atomics.load(control, 0) >= job) return undefined;
    const isOver = addLines(lines, bytes);
    if (isOver === undefined) return undefined;
    if (isOver) break;
    progress();
    buffer.copyWithin(0, end, filled);
    filled = readOn(fd, buffer, filled - end);
  }
  return lines.shown();
}

/** What is shown of one file; undefined for what is left to others, be it only to say what is wrong. */
function shownOf({ folder, name, maxMatches, skip }, { before, after, hasEscapes }) {
  const toPath = hasEscapes ? systemPath : asItIs;
  const own = folder === '' ? base : base + folder + '/';
  let fd = -1;
  try {
    fd = fs.openSync(toPath(own + name), FLAGS);
    const filled = fill(fd);
    if (filled === ODD || !isInPlace(fd, Buffer.from(toPath(own)))) return undefined;
    const limits = { maxMatches, skip, before, after };
    const start = startOf(filled);
    const isLarge = filled === BUFFER_BYTES;
    if (start === WIDE) return shownInWide(isLarge ? readWhole(fd) : buffer.subarray(0, filled), limits);
    return isLarge ? shownInLarge(fd, start, limits) : shownInSmall(buffer.subarray(start, filled), limits);
  } catch {
    return undefined;
  } finally {
    progress();
    if (fd !== -1) fs.closeSync(fd);
  }
}
`;
