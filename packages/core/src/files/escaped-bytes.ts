import { isUtf8 } from 'node:buffer';
import { dirname } from 'node:path';

/**
 * Damaged UTF-8 as text that can be turned back: each byte `b` that is no part of a character stands as the lone
 * surrogate U+DC00 + b, which no sound text has.
 */
const ESCAPE_BASE = 0xdc00;
/** With the `u` flag a low surrogate only matches where it is no half of a pair. */
const ESCAPE = /[\udc80-\udcff]/gu;

/** UTF-8, sound or not, as text: the inverse of `encodeEscaped` on all bytes. */
export function decodeEscaped(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  const parts: string[] = [];
  let soundFrom = 0;
  for (let at = 0; at < buffer.length;) {
    const length = characterLength(buffer, at);
    if (length === 0) {
      if (at > soundFrom) parts.push(buffer.toString('utf8', soundFrom, at));
      parts.push(String.fromCharCode(ESCAPE_BASE + (buffer[at] ?? 0)));
      soundFrom = at + 1;
    }
    at += length || 1;
  }
  parts.push(buffer.toString('utf8', soundFrom));
  return parts.join('');
}

/** The bytes of a text in which escapes stand for single bytes. */
export function encodeEscaped(text: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(ESCAPE)) {
    parts.push(Buffer.from(text.slice(from, index), 'utf8'), Buffer.from([text.charCodeAt(index) - ESCAPE_BASE]));
    from = index + 1;
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(parts);
}

/** True for a path with names that are no UTF-8, written as `decodeEscaped` does: no program can be given it as text. */
export function isUnnamable(path: string): boolean {
  return path.search(ESCAPE) !== -1;
}

/** The path as the file system takes it: its true bytes where it is no UTF-8. */
export function systemPath(path: string): string | Buffer {
  return isUnnamable(path) ? encodeEscaped(path) : path;
}

/** The innermost folder on a path's way that can be named as text, and so judged by the gate; the path itself where it can. */
export function namablePart(path: string): string {
  let part = path;
  while (isUnnamable(part)) part = dirname(part);
  return part;
}

/** How many bytes beyond ASCII are parts of UTF-8 characters, as characters, and how many are not. */
export interface Utf8Census {
  readonly characters: number;
  readonly badBytes: number;
  /** Of the bad bytes those with another byte beyond ASCII beside them. */
  readonly crowdedBadBytes: number;
}

export function takeUtf8Census(bytes: Uint8Array): Utf8Census {
  const census = new Utf8Counter();
  census.add(bytes);
  return census.finish();
}

/** Takes the census of bytes that come piece by piece, wherever they are cut. */
export class Utf8Counter {
  #characters = 0;
  #badBytes = 0;
  #crowdedBadBytes = 0;
  /** The byte before those that are judged next. */
  #before = 0;
  /** What cannot be judged without the bytes that follow. */
  #rest: Uint8Array = new Uint8Array();

  add(piece: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    // A copy: the piece may stand in memory that is used again.
    this.#rest = Uint8Array.from(this.#count(bytes, bytes.length - LONGEST_CHARACTER));
  }

  finish(): Utf8Census {
    this.#count(this.#rest, this.#rest.length);
    this.#rest = new Uint8Array();
    return { characters: this.#characters, badBytes: this.#badBytes, crowdedBadBytes: this.#crowdedBadBytes };
  }

  /** Judges what begins before `end`; gives back what is left. */
  #count(bytes: Uint8Array, end: number): Uint8Array {
    let at = 0;
    while (at < end) {
      if ((bytes[at] ?? 0) < 0x80) {
        at += 1;
        continue;
      }
      const length = characterLength(bytes, at);
      if (length > 0) {
        this.#characters += 1;
      } else {
        this.#badBytes += 1;
        const before = at === 0 ? this.#before : (bytes[at - 1] ?? 0);
        if (before >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) this.#crowdedBadBytes += 1;
      }
      at += length || 1;
    }
    if (at > 0) this.#before = bytes[at - 1] ?? 0;
    return bytes.subarray(at);
  }
}

const LONGEST_CHARACTER = 4;

/** Bytes of the UTF-8 character that begins there; 0 when none does (RFC 3629, section 4). */
export function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  // These shut out overlong forms, surrogates, and what is beyond U+10FFFF.
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 2; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
