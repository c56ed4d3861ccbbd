import { PRIVATE_KEY_PATTERN } from '../memory/secret-patterns.js';
import type { FoundSecret } from './known-secret.js';
import { putPlaceholders } from './hide-text.js';
import { hasOpenKey, type SecretFinder } from './secret-finder.js';
import { visibleBytes } from './visible-text.js';

/** What is held back while more may come: no key of a known kind, and hardly any value, is longer. */
const HELD = 1024;
/** A secret that never ends is none. */
const MOST_HELD = 256 * 1024;
const MOST_OF_KEY = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export interface HiderParts {
  /** Asked for each piece: what is known may grow. */
  readonly finder: () => SecretFinder;
  readonly key: Buffer;
}

/**
 * Hides secrets in bytes that come in pieces, wherever these end. What might be the first part of one waits until it is known.
 * Bytes are taken for characters one by one, so that nothing but secrets changes, whatever the encoding.
 */
export class OutputHider {
  readonly #parts: HiderParts;
  #held: Buffer = NOTHING;
  #scratch: Buffer = NOTHING;
  /** Bytes of a private key that was begun and not ended; undefined outside. */
  #inKey: number | undefined;
  /** True while a private key without its header continues. */
  #hasOpenKey = false;

  constructor(parts: HiderParts) {
    this.#parts = parts;
  }

  /** What of this piece and those before it can be told by now; valid as long as the piece. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : this.#joined(chunk);
    return this.#tell(bytes, bytes.length <= HELD ? 0 : lineBefore(bytes, bytes.length - HELD));
  }

  /** What was held back and the piece, in memory that the next call uses again. */
  #joined(chunk: Buffer): Buffer {
    const length = this.#held.length + chunk.length;
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafe(length);
    this.#held.copy(this.#scratch, 0);
    chunk.copy(this.#scratch, this.#held.length);
    return this.#scratch.subarray(0, length);
  }

  /** Nothing came for a while: all but the beginning of a secret. */
  pause(): Buffer {
    const bytes = this.#held;
    if (bytes.length === 0) return NOTHING;
    return this.#tell(bytes, this.#parts.finder().openEnd(bytes.toString('latin1')));
  }

  /** Nothing more will come. */
  end(): Buffer {
    return this.#tell(this.#held, this.#held.length);
  }

  #tell(bytes: Buffer, wanted: number): Buffer {
    const finder = this.#parts.finder();
    if (this.#inKey === undefined && !this.#hasOpenKey && !finder.maySecrets(visibleBytes(bytes)))
      return this.#split(bytes, wanted);
    const text = bytes.toString('latin1');
    const found = finder.find(text, this.#inKey !== undefined || (this.#hasOpenKey && 'bare'));
    const end = bytes.length > MOST_HELD ? wanted : beforeSecrets(found, keyBefore(finder, text, wanted));
    const told = text.slice(0, end);
    const within = found.filter((one) => one.start < end).map((one) => ({ ...one, end: Math.min(one.end, end) }));
    this.#followKey(told);
    this.#hasOpenKey = hasOpenKey(told, this.#hasOpenKey);
    this.#split(bytes, end);
    const hidden = putPlaceholders(told, within, this.#parts.key);
    return hidden === told ? bytes.subarray(0, end) : Buffer.from(hidden, 'latin1');
  }

  #split(bytes: Buffer, end: number): Buffer {
    // A copy: the piece is the caller's.
    this.#held = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
    return bytes.subarray(0, end);
  }

  #followKey(told: string): void {
    const begun = Array.from(told.matchAll(PRIVATE_KEY_PATTERN.pattern)).at(-1)?.index ?? -1;
    const ended = told.lastIndexOf('-----END');
    if (begun > ended) this.#inKey = told.length - begun;
    else if (ended !== -1) this.#inKey = undefined;
    else if (this.#inKey !== undefined) this.#inKey += told.length;
    if (this.#inKey !== undefined && this.#inKey > MOST_OF_KEY) this.#inKey = undefined;
  }
}

/** At the very end of an output nothing is open. */
function keyBefore(finder: SecretFinder, text: string, wanted: number): number {
  return wanted < text.length ? finder.openKey(text, wanted) : wanted;
}

/** Where none of them is cut in two. */
function beforeSecrets(found: readonly FoundSecret[], wanted: number): number {
  const begins = found.flatMap(({ start, end, begin = start }) => (begin < wanted && end > wanted ? [begin] : []));
  return Math.min(wanted, ...begins);
}

/** Behind the last line break before `end`, where one is near: keys of several lines are known by their lines. */
function lineBefore(bytes: Buffer, end: number): number {
  const at = bytes.lastIndexOf(0x0a, end - 1);
  return at === -1 || end - at > HELD ? end : at + 1;
}
