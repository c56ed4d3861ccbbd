import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * A file of two parts, each a list of byte arrays, and a head that describes them:
 * magic (8 bytes), length of the head and its checksum (4 bytes each), the head (JSON), then the parts, all at multiples of eight.
 * What was damaged is not read. Meant for memory that may be lost: nothing is waited for to reach the disk.
 */
interface Head {
  readonly data: unknown;
  readonly parts: readonly PartPlace[];
}

interface FoundHead extends Head {
  /** Where the parts begin. */
  readonly start: number;
  /** Of the file: another one has another. */
  readonly identity: string;
}

interface PartPlace {
  /** From the end of the head. */
  readonly offset: number;
  readonly length: number;
  readonly checksum: number;
  /** Lengths of its arrays; each begins at a multiple of eight. */
  readonly arrays: readonly number[];
}

const MAGIC = Buffer.from('TENONSI1');
const PREFIX = 16;
/** Larger ones are neither written nor read. In bytes. */
const MAX_FILE = 64 * 1024 * 1024;
const MAX_HEAD = 8 * 1024 * 1024;
/** Bytes summed up between two looks at the clock. */
const PIECE = 2 * 1024 * 1024;

/** Asked between pieces of work: may take a pause. False: the work is to be given up. */
export type Pace = () => Promise<boolean> | boolean;

/** An index file as it was found. It is not held open: what is read of it later is of the same file, or nothing. */
export class IndexFile {
  readonly data: unknown;
  readonly #path: string;
  readonly #head: FoundHead;

  private constructor(path: string, head: FoundHead) {
    this.#path = path;
    this.#head = head;
    this.data = head.data;
  }

  /** Undefined when there is no such file, or it is damaged or not its owner's alone. */
  static async find(path: string): Promise<IndexFile | undefined> {
    const head = await withFile(path, readHead);
    return head === undefined ? undefined : new IndexFile(path, head);
  }

  /** The arrays of a part; undefined when it is damaged, or another file has taken its place. */
  async read(part: number): Promise<Uint8Array[] | undefined> {
    const place = this.#head.parts[part];
    if (place === undefined) return undefined;
    return withFile(this.#path, async (handle) => {
      const head = await readHead(handle);
      if (head?.identity !== this.#head.identity) return undefined;
      const bytes = await readAt(handle, head.start + place.offset, place.length);
      return bytes === undefined || crc32(bytes) !== place.checksum ? undefined : arraysIn(bytes, place.arrays);
    });
  }

  /** Now used: it is not removed for being old. */
  async touch(): Promise<void> {
    const now = new Date();
    await withFile(this.#path, async (handle) => handle.utimes(now, now));
  }
}

function arraysIn(bytes: Buffer, lengths: readonly number[]): Uint8Array[] {
  let at = 0;
  return lengths.map((length) => {
    const array = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length);
    at += padded(length);
    return array;
  });
}

/** Undefined when anything fails. */
async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    return await use(handle);
  } catch {
    return undefined;
  } finally {
    await handle.close().catch(() => undefined);
  }
}

async function readHead(handle: FileHandle): Promise<FoundHead | undefined> {
  const stat = await handle.stat();
  const isOwn = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isFile() || !isOwn || (stat.mode & 0o022) !== 0 || stat.size > MAX_FILE) return undefined;
  const prefix = await readAt(handle, 0, PREFIX);
  if (prefix === undefined || !prefix.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const length = prefix.readUInt32LE(8);
  const checksum = prefix.readUInt32LE(12);
  if (length > MAX_HEAD) return undefined;
  const bytes = await readAt(handle, PREFIX, length);
  if (bytes === undefined || crc32(bytes) !== checksum) return undefined;
  const head: Head = JSON.parse(bytes.toString());
  return { ...head, start: PREFIX + length, identity: `${stat.dev}:${stat.ino}:${stat.size}:${checksum}` };
}

/** Undefined when the file ends before. */
async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
    if (bytesRead === 0) return undefined;
    at += bytesRead;
  }
  return bytes;
}

export interface IndexContent {
  /** As JSON has it. */
  readonly data: unknown;
  readonly parts: readonly (readonly Uint8Array[])[];
}

/**
 * Puts it in place of what was there, for its owner only. The arrays must stay as they are until then. @returns false when it is
 * too large or the pace gave it up; then nothing has changed. @throws what the system says
 */
export async function writeIndexFile(path: string, { data, parts }: IndexContent, pace: Pace): Promise<boolean> {
  const places: PartPlace[] = [];
  let offset = 0;
  for (const arrays of parts) {
    const place = await placeOf(arrays, offset, pace);
    if (place === undefined) return false;
    places.push(place);
    offset += place.length;
  }
  const bytes = [...headBytes(data, places), ...parts.flat().flatMap((array) => [array, paddingOf(array.length)])];
  if (bytes.reduce((sum, one) => sum + one.length, 0) > MAX_FILE) return false;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temp = `${path}-${randomBytes(6).toString('hex')}${TEMP_ENDING}`;
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await writeAll(handle, bytes);
    } finally {
      await handle.close();
    }
    if (await pace()) {
      await rename(temp, path);
      return true;
    }
  } catch (thrown) {
    await unlink(temp).catch(() => undefined);
    throw thrown;
  }
  await unlink(temp).catch(() => undefined);
  return false;
}

export const TEMP_ENDING = '.tmp';
/** Buffers for one call to the system. */
const VECTOR = 512;

async function writeAll(handle: FileHandle, bytes: readonly Uint8Array[]): Promise<void> {
  const wanted = bytes.filter(({ length }) => length > 0);
  for (let at = 0; at < wanted.length; at += VECTOR) {
    const vector = wanted.slice(at, at + VECTOR);
    const { bytesWritten } = await handle.writev(vector);
    const length = vector.reduce((sum, one) => sum + one.length, 0);
    if (bytesWritten !== length) throw new Error(`${bytesWritten} of ${length} bytes written`);
  }
}

async function placeOf(arrays: readonly Uint8Array[], offset: number, pace: Pace): Promise<PartPlace | undefined> {
  let checksum = 0;
  let length = 0;
  for (const array of arrays) {
    for (let at = 0; at < array.length; at += PIECE) {
      checksum = crc32(array.subarray(at, at + PIECE), checksum);
      if (!(await pace())) return undefined;
    }
    checksum = crc32(paddingOf(array.length), checksum);
    length += padded(array.length);
  }
  return { offset, length, checksum, arrays: arrays.map((array) => array.length) };
}

function headBytes(data: unknown, parts: readonly PartPlace[]): [Buffer, Buffer] {
  const json = Buffer.from(JSON.stringify({ data, parts }));
  const head = Buffer.concat([json, Buffer.alloc(padded(json.length) - json.length, ' ')]);
  const prefix = Buffer.alloc(PREFIX);
  MAGIC.copy(prefix);
  prefix.writeUInt32LE(head.length, 8);
  prefix.writeUInt32LE(crc32(head), 12);
  return [prefix, head];
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function paddingOf(length: number): Uint8Array {
  return PADDINGS[padded(length) - length] ?? new Uint8Array(0);
}

const PADDINGS: readonly Uint8Array[] = Array.from({ length: 8 }, (_, length) => new Uint8Array(length));
