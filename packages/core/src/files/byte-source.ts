import type { Stats } from 'node:fs';

/** What of an open file its readers use; a `FileHandle` is one. */
export interface ReadableFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<Stats>;
}

/** All of a file that was read already, to be read like an open one. */
export function heldFile(bytes: Uint8Array, stat: Stats): ReadableFile {
  return {
    read: async (buffer, offset, length, position) => {
      const part = bytes.subarray(position, position + length);
      buffer.set(part, offset);
      return { bytesRead: part.length };
    },
    stat: async () => stat,
  };
}

/** The text of an open file, of which the first bytes were read already. */
export interface ByteSource {
  readonly file: ReadableFile;
  readonly head: Uint8Array;
  /** True when the head is all of the file, so that it need not be read again. */
  readonly headIsAll: boolean;
  readonly bomLength: number;
}

export interface BytesRead {
  readonly bytes: Uint8Array;
  /** True when the file ends behind these bytes. */
  readonly ended: boolean;
}

/** A shorter rest of the head is read again, with what follows it. */
const WIDEST_UNIT = 4;

/**
 * Bytes from `position` (behind the byte order mark) on: from the head while it reaches, otherwise as many as the buffer
 * takes. The bytes are good until the buffer is used again.
 */
export async function readBytes(source: ByteSource, position: number, buffer: () => Buffer): Promise<BytesRead> {
  const { file, head, headIsAll, bomLength } = source;
  const at = position + bomLength;
  if (headIsAll || at + WIDEST_UNIT <= head.length) return { bytes: head.subarray(at), ended: headIsAll };
  const target = buffer();
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await file.read(target, filled, target.length - filled, at + filled);
    if (bytesRead === 0) return { bytes: target.subarray(0, filled), ended: true };
    filled += bytesRead;
  }
  return { bytes: target, ended: false };
}
