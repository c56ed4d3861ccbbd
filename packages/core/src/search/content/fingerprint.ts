import type { TrigramQuery } from './trigram-query.js';

/**
 * A fingerprint is a set of three-byte pieces as bits. A piece has a hash of 17 bits, and its place is as far into the
 * fingerprint as the hash is into all hashes. The worker that makes fingerprints (`learn-worker.ts`) counts the same.
 */
const HASH_FACTOR = 0x9e3779b1;
const HASH_BITS = 17;

/** A query in the form in which it is asked of thousands of fingerprints. */
export interface FingerprintQuery {
  readonly all: Uint32Array;
  readonly any: readonly (readonly FingerprintQuery[])[];
}

/** Where a fingerprint lies; all in bytes. */
export interface FingerprintAt {
  readonly bits: Uint8Array;
  readonly offset: number;
  readonly length: number;
}

export function fingerprintQuery(query: TrigramQuery): FingerprintQuery {
  const hashes = new Set<number>();
  for (const piece of query.all) {
    for (let at = 0; at + 3 <= piece.length; at += 1) hashes.add(trigramHash(piece, at));
  }
  return { all: Uint32Array.from(hashes), any: query.any.map((list) => list.map(fingerprintQuery)) };
}

function trigramHash(text: string, at: number): number {
  const trigram = (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
  return Math.imul(trigram, HASH_FACTOR) >>> (32 - HASH_BITS);
}

/** Whether the text with that fingerprint may hold what is asked for. Never false when it does. */
export function mayHold(query: FingerprintQuery, at: FingerprintAt): boolean {
  const { bits, offset, length } = at;
  const share = (length * 8) / 2 ** HASH_BITS;
  const { all, any } = query;
  for (let index = 0; index < all.length; index += 1) {
    // Exact: the share is a fraction of a power of two.
    const place = Math.trunc((all[index] ?? 0) * share);
    if (((bits[offset + (place >>> 3)] ?? 0xff) & (1 << (place & 7))) === 0) return false;
  }
  for (const list of any) {
    if (!list.some((branch) => mayHold(branch, at))) return false;
  }
  return true;
}
