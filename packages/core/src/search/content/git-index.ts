import { setImmediate as breathe } from 'node:timers/promises';
import { decodeEscaped } from '../../files/escaped-bytes.js';

/** Names of one folder's files in git's order, and the second of change of each, at the same index. */
export interface IndexedFolder {
  readonly names: readonly string[];
  readonly seconds: readonly number[];
}

/** By folder: relative, empty or with `/` at its end. */
export type IndexedTimes = ReadonlyMap<string, IndexedFolder>;

export interface GitIndex {
  readonly times: IndexedTimes;
  /** Entries in all. */
  readonly entries: number;
  /** Entries that git cannot judge by their times: it reads these files. */
  readonly racy: number;
}

/** Read between two turns of the event loop. */
const ENTRIES_PER_TURN = 16_384;
const SLASH = 0x2f;
const HEADER = 12;
/** Up to the object's name: times, device, inode, mode, owner, size; then a SHA-1 and flags. */
const STAT_BYTES = 40;
const HASH_BYTES = 20;
const REGULAR = 0o100000;
const GITLINK = 0o160000;
const TYPE = 0o170000;
/** Assumed to be unchanged, or one of several stages of a conflict. */
const UNTRUSTED = 0x8000 | 0x3000;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0xfff;
/** Times that fit into 31 bits, and no time that a wrapped one may look like. */
const MAX_SECOND = 0x7fffffff;

/**
 * The regular files in git's index and the second in which each was last changed when git looked at it (`gitformat-index`,
 * versions 2 to 4, SHA-1). Left out: what git is told not to look at, conflicts, and files as young as the index itself.
 * Undefined for anything else: a split or sparse index, a file system monitor, submodules, a damaged file.
 */
export async function readGitIndex(bytes: Buffer, indexSecond: number): Promise<GitIndex | undefined> {
  try {
    return await new IndexReader(bytes, indexSecond).read();
  } catch (thrown) {
    // Reading beyond the end of the bytes.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

class IndexReader {
  readonly #bytes: Buffer;
  readonly #indexSecond: number;
  readonly #times = new Map<string, { names: string[]; seconds: number[] }>();
  #at = HEADER;
  /** Where the last entry's path stands. */
  #path: Span;
  /** Of version 4: the last entry's path as bytes, one character each. */
  #rawPath = '';
  /** The folder of the last file that was kept, with its slash. */
  #folder: Span;
  #inFolder: { names: string[]; seconds: number[] } = { names: [], seconds: [] };
  #racy = 0;

  constructor(bytes: Buffer, indexSecond: number) {
    this.#bytes = bytes;
    this.#indexSecond = indexSecond;
    this.#path = { bytes, start: 0, end: 0 };
    this.#folder = this.#path;
  }

  async read(): Promise<GitIndex | undefined> {
    const bytes = this.#bytes;
    if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
    const version = bytes.readUInt32BE(4);
    if (version < 2 || version > 4) return undefined;
    const entries = bytes.readUInt32BE(8);
    this.#times.set('', this.#inFolder);
    for (let count = 1; count <= entries; count++) {
      if (!this.#readEntry(version)) return undefined;
      if (count % ENTRIES_PER_TURN === 0) await breathe();
    }
    if (!this.#hasPlainExtensions()) return undefined;
    return { times: this.#times, entries, racy: this.#racy };
  }

  #readEntry(version: number): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const second = bytes.readUInt32BE(start + 8);
    const mode = bytes.readUInt32BE(start + 24);
    const flags = bytes.readUInt16BE(start + STAT_BYTES + HASH_BYTES);
    if ((mode & TYPE) === GITLINK) return false;
    const isExtended = (flags & EXTENDED) !== 0;
    if (isExtended && version < 3) return false;
    const nameAt = start + STAT_BYTES + HASH_BYTES + (isExtended ? 4 : 2);
    // Skipped, or only to be added: both are among the further flags, of which no other means anything.
    const isOdd = isExtended && bytes.readUInt16BE(nameAt - 2) !== 0;
    const isRead =
      version === 4 ? this.#readCompressedName(nameAt) : this.#readName(start, nameAt, flags & NAME_LENGTH);
    if (!isRead) return false;
    if ((flags & UNTRUSTED) !== 0 || isOdd || (mode & TYPE) !== REGULAR) return true;
    if (second >= this.#indexSecond) this.#racy += 1;
    else if (second > 0 && second <= MAX_SECOND) this.#keep(second);
    return true;
  }

  #readName(start: number, nameAt: number, length: number): boolean {
    const end = length < NAME_LENGTH ? nameAt + length : this.#bytes.indexOf(0, nameAt);
    if (end === -1 || this.#bytes[end] !== 0) return false;
    this.#path = { bytes: this.#bytes, start: nameAt, end };
    // One to eight NULs, up to a multiple of eight bytes.
    this.#at = start + ((end - start + 8) & ~7);
    return true;
  }

  /** How much of the last path falls away, then what comes in its place. */
  #readCompressedName(nameAt: number): boolean {
    let at = nameAt;
    let byte = this.#bytes.readUInt8(at++);
    let cut = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = this.#bytes.readUInt8(at++);
      cut = (cut + 1) * 128 + (byte & 0x7f);
    }
    const end = this.#bytes.indexOf(0, at);
    if (end === -1 || cut > this.#rawPath.length) return false;
    this.#rawPath = this.#rawPath.slice(0, this.#rawPath.length - cut) + this.#bytes.toString('latin1', at, end);
    const raw = Buffer.from(this.#rawPath, 'latin1');
    this.#path = { bytes: raw, start: 0, end: raw.length };
    this.#at = end + 1;
    return true;
  }

  #keep(second: number): void {
    const { bytes, start, end } = this.#path;
    let nameAt = end;
    while (nameAt > start && bytes[nameAt - 1] !== SLASH) nameAt--;
    const folder = { bytes, start, end: nameAt };
    if (!isSame(folder, this.#folder)) {
      const path = textOf(folder);
      this.#inFolder = this.#times.get(path) ?? { names: [], seconds: [] };
      this.#times.set(path, this.#inFolder);
    }
    this.#folder = folder;
    this.#inFolder.names.push(textOf({ bytes, start: nameAt, end }));
    this.#inFolder.seconds.push(second);
  }

  /** What is spelled with a capital may be ignored, but for the file system monitor's word that files are unchanged. */
  #hasPlainExtensions(): boolean {
    const bytes = this.#bytes;
    const end = bytes.length - HASH_BYTES;
    while (this.#at < end) {
      const name = bytes.toString('latin1', this.#at, this.#at + 4);
      if (!/^[A-Z][A-Z]{3}$/.test(name) || name === 'FSMN') return false;
      this.#at += 8 + bytes.readUInt32BE(this.#at + 4);
    }
    return this.#at === end;
  }
}

/** Part of some bytes. */
interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** In most entries the folder is that of the one before: that needs no text. */
function isSame(one: Span, other: Span): boolean {
  const length = one.end - one.start;
  if (length !== other.end - other.start) return false;
  // What differs, differs mostly near its end.
  for (let at = length - 1; at >= 0; at--)
    if (one.bytes[one.start + at] !== other.bytes[other.start + at]) return false;
  return true;
}

function textOf({ bytes, start, end }: Span): string {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) >= 0x80) return decodeEscaped(bytes.subarray(start, end));
  return bytes.toString('latin1', start, end);
}
