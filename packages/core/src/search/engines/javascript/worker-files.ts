/**
 * The part of the worker's program that opens, reads and judges files (JavaScript as text; see `worker-source.ts`).
 * It expects `settings` (`WorkerSettings`), `tell` and the functions of `worker-text.ts`.
 *
 * A folder on the way may become a link after it was listed. So the file's folder is opened first and compared with
 * where it should be, once for all of its files, and they are opened below what is held.
 */
export const FILES_SOURCE = String.raw`
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = fs.constants;
const isLinux = process.platform === 'linux';
/** Linux: to go through a folder takes no right to list it. Node has no name for the flag. */
const O_PATH = 0o10000000;
const CHUNK = 1024 * 1024;
let buffer = Buffer.allocUnsafeSlow(CHUNK);
let held = { folder: undefined, fd: -1, base: '' };

function reasonOf(thrown) {
  if (thrown instanceof RangeError && /call stack/.test(thrown.message)) return settings.tooLongForPattern;
  return settings.readFailures[thrown.code] || String(thrown.message || thrown);
}

/** Whatever goes wrong with a file is told of it. */
function telling(path, use) {
  try {
    use();
  } catch (thrown) {
    // JavaScript compiles an expression when it is first used, and may find it too large.
    if (thrown instanceof SyntaxError) throw thrown;
    tell('f', path, reasonOf(thrown));
  }
}

/** Names that are no UTF-8 have an escape for each bad byte. */
function systemPath(path) {
  if (!/[\udc80-\udcff]/u.test(path)) return path;
  const parts = [];
  for (const character of path) {
    const code = character.codePointAt(0);
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

function joined(folder, name) {
  if (name === '') return folder;
  return folder.endsWith('/') ? folder + name : folder + '/' + name;
}

function enter(folder) {
  if (held.folder === folder) return;
  leave();
  const path = joined(settings.workingDirectory, folder);
  if (!isLinux) {
    held = { folder, fd: -1, base: path };
    return;
  }
  const fd = fs.openSync(systemPath(path), O_PATH | O_DIRECTORY);
  const base = '/proc/self/fd/' + fd;
  const expected = systemPath(joined(settings.folder, folder));
  if (!fs.readlinkSync(base, 'buffer').equals(Buffer.from(expected))) {
    fs.closeSync(fd);
    throw new Error('its folder was moved or replaced meanwhile');
  }
  held = { folder, fd, base };
}

function leave() {
  const { fd } = held;
  held = { folder: undefined, fd: -1, base: '' };
  if (fd !== -1) fs.closeSync(fd);
}

/** Opens a regular file and hands it on; whatever goes wrong is told. */
function withFile(path, use) {
  telling(path, () => {
    const slash = path.lastIndexOf('/');
    enter(slash === -1 ? '' : path.slice(0, slash));
    const fd = fs.openSync(systemPath(held.base + '/' + path.slice(slash + 1)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = fs.fstatSync(fd);
      if (!stat.isFile()) throw new Error('not a regular file any more');
      if (stat.size > 0) use(fd, stat.size);
    } finally {
      fs.closeSync(fd);
    }
  });
}

/**
 * Hands on the text of a file, in parts of whole lines where it is large, until 'use' gives false. Gives false, at
 * once or after some parts, for a file that is no text where 'judge' is set.
 */
function readText(fd, size, judge, use) {
  let filled = fs.readSync(fd, buffer, 0, CHUNK, null);
  const wide = filled < 2 ? undefined : wideEncoding(buffer);
  try {
    return readHeld(fd, { filled, size, wide }, judge, use);
  } catch (thrown) {
    if (judge && thrown instanceof TooLarge && isOddSomewhere(fd, wide)) return false;
    throw thrown;
  }
}

function readHeld(fd, { filled, size, wide }, judge, use) {
  if (wide !== undefined) {
    const text = new TextDecoder(wide).decode(readAll(fd, filled, size));
    if (judge && text.includes('\0')) return false;
    use(isOfBytes ? bytesOf(text) : text, general);
    return true;
  }
  const mark = filled >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  if (filled === size && filled < CHUNK) return usePart(buffer.subarray(mark, filled), judge, use) !== undefined;
  if (bySpan) return usePart(readAll(fd, filled, size).subarray(mark), judge, use) !== undefined;
  return readParts(fd, filled, mark, judge, use);
}

function wideEncoding(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

class TooLarge extends Error {}

/** Whether there is something in a file that makes it no text, which is known once all that can be held of it was read. */
function isOddSomewhere(fd, wide) {
  const piece = Buffer.allocUnsafeSlow(CHUNK);
  const decoder = new TextDecoder(wide ?? 'utf-8', { fatal: wide === undefined });
  try {
    for (let at = 0, read = CHUNK; read > 0; at += read) {
      read = fs.readSync(fd, piece, 0, CHUNK, at);
      const bytes = piece.subarray(0, read);
      if (wide === undefined && turnsToJapanese(bytes)) return true;
      if (decoder.decode(bytes, { stream: read > 0 }).includes('\0')) return true;
    }
    return false;
  } catch (thrown) {
    if (thrown.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return true;
    throw thrown;
  }
}

function readAll(fd, filled, size) {
  const parts = [Buffer.from(buffer.subarray(0, filled))];
  let total = filled;
  for (let read = filled; read > 0; total += read) {
    if (total > settings.maxHeldBytes || size > settings.maxHeldBytes)
      throw new TooLarge('larger than ' + inMegabytes(settings.maxHeldBytes) + ' and not to be searched in parts');
    read = fs.readSync(fd, buffer, 0, CHUNK, null);
    parts.push(Buffer.from(buffer.subarray(0, read)));
  }
  return Buffer.concat(parts);
}

function inMegabytes(bytes) {
  return Math.round(bytes / 1024 / 1024) + ' MB';
}

function readParts(fd, filled, mark, judge, use) {
  let from = mark;
  try {
    for (;;) {
      const end = buffer.subarray(0, filled).lastIndexOf(10) + 1;
      if (end > from) {
        const wanted = usePart(buffer.subarray(from, end), judge, use);
        if (wanted !== true) return wanted !== undefined;
        buffer.copyWithin(0, end, filled);
        filled -= end;
        from = 0;
      }
      if (filled === buffer.length) grow();
      const read = fs.readSync(fd, buffer, filled, buffer.length - filled, null);
      if (read === 0) break;
      filled += read;
    }
    return filled <= from || usePart(buffer.subarray(from, filled), judge, use) !== undefined;
  } finally {
    if (buffer.length > CHUNK) buffer = Buffer.allocUnsafeSlow(CHUNK);
  }
}

function grow() {
  if (buffer.length >= settings.maxHeldBytes)
    throw new TooLarge('it has a line longer than ' + inMegabytes(settings.maxHeldBytes));
  const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 4, settings.maxHeldBytes));
  buffer.copy(larger);
  buffer = larger;
}

/** Gives what 'use' gives: whether more is wanted; undefined for bytes that are no text. */
function usePart(bytes, judge, use) {
  const ascii = isAscii(bytes);
  if (judge && ((!ascii && !isUtf8(bytes)) || bytes.includes(0) || turnsToJapanese(bytes))) return undefined;
  if (literal !== undefined && use.onlyMatches && bytes.indexOf(literal) === -1) return true;
  if (ascii) return use(bytes.latin1Slice(0, bytes.length), bytes.includes(13) ? general : plain);
  return use(isOfBytes ? bytes.latin1Slice(0, bytes.length) : bytes.utf8Slice(0, bytes.length), general);
}

/** The bytes of its UTF-8, one code unit for each. */
function bytesOf(text) {
  return Buffer.from(text).latin1Slice();
}
`;
