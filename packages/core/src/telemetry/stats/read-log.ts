import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
/** A longer line is no event of Tenon's. */
const LONGEST_LINE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Hands over the whole lines of a file, one by one, without their ends; a last one that does not end is being written, or was
 * cut off by a crash. Returns how many were too long. Rejects with the signal's reason, or when the file cannot be read.
 */
export async function readLog(file: string, onLine: (line: Buffer) => void, signal: AbortSignal): Promise<number> {
  const handle = await open(file, 'r');
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('it is no regular file');
    let [parts, length, tooLong]: [Buffer[], number, number] = [[], 0, 0];
    for (;;) {
      signal.throwIfAborted();
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return tooLong;
      const fresh = buffer.subarray(0, bytesRead);
      let start = 0;
      for (let end = fresh.indexOf(NEWLINE); end >= 0; end = fresh.indexOf(NEWLINE, start)) {
        const piece = fresh.subarray(start, end);
        if (length + piece.length > LONGEST_LINE) tooLong += 1;
        else onLine(parts.length === 0 ? piece : Buffer.concat([...parts, piece]));
        [parts, length, start] = [[], 0, end + 1];
      }
      const rest = fresh.subarray(start);
      length += rest.length;
      // Of a line that is too long only its length is kept.
      if (length > LONGEST_LINE) parts = [];
      else if (rest.length > 0) parts.push(rest);
    }
  } finally {
    await handle.close();
  }
}
