import type { ReadableFile } from './byte-source.js';
import { ISO_2022_JP, type Detection } from './detect-encoding.js';
import { guessLegacyOfFile, type LegacyGuesses } from './guess-legacy.js';
import { lineFeedOf } from './line-feeds.js';

/** A file up to this size has its encoding judged on all of its bytes, a larger one on its head. */
const WHOLE_SAMPLE_BYTES = 1024 * 1024;
const HEAD_SAMPLE_BYTES = 64 * 1024;

/** By so many of its first bytes the encoding of a file of that size is judged. */
export function sampleSize(size: number): number {
  return size <= WHOLE_SAMPLE_BYTES ? size : HEAD_SAMPLE_BYTES;
}

/** Whether the rest of a file may say otherwise: neither a head that is plain ASCII nor one that is not UTF-8 tells what it is. */
export function isProvisional({ encoding, bomLength }: Detection): boolean {
  return bomLength === 0 && lineFeedOf(encoding).length === 1 && encoding !== ISO_2022_JP;
}

/** What all of a file is, as an edit will read it, where its head is of that encoding. */
export async function encodingOfAll(
  file: ReadableFile,
  headEncoding: string,
  signal: AbortSignal,
  guesses?: LegacyGuesses,
): Promise<string> {
  return (await guessLegacyOfFile(file, signal, guesses)) ?? headEncoding;
}
