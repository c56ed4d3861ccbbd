import { createHash } from 'node:crypto';
import { lazy } from '../util/lazy.js';
import type { PathStep } from '../util/match-path.js';
import { foldAscii, foldName, type IgnoreCase } from '../util/match-segment.js';
import { encodeEscaped } from './escaped-bytes.js';
import { hidesEverything, parseIgnoreText, type IgnorePattern } from './ignore-pattern.js';

/** A pattern that judges whole paths, with its place in its file. */
export interface PathPattern {
  readonly index: number;
  readonly onlyDirectories: boolean;
  readonly steps: readonly PathStep[];
}

/** The patterns of one ignore file, sorted so that most names are judged by a look or two into a table. */
export interface IgnoreSet {
  /** The same for the same text, in any process. */
  readonly key: string;
  /** As `hidesEverything` has it. */
  hidesEverything(): boolean;
  /** By the pattern's place in the file. */
  readonly negated: readonly boolean[];
  /** In the file's order. */
  readonly paths: readonly PathPattern[];
  /** Place of the last pattern that judges by the name alone and matches; -1 for none. */
  lastNameMatch(name: ComparedName, isDirectory: boolean): number;
}

/** A name as patterns compare it: its bytes for git, else its characters with their case set aside. */
type ComparedName = string;

const ASCII = /^[\0-\x7f]*$/;

/** Git compares bytes: `?` is one byte. */
export function comparedName(name: string, ignoreCase: IgnoreCase): ComparedName {
  if (ignoreCase === true) return foldName(name);
  const bytes = ASCII.test(name) ? name : encodeEscaped(name).toString('latin1');
  return ignoreCase ? foldAscii(bytes) : bytes;
}

/** Undefined when the file says nothing. */
export function compileIgnoreFile(bytes: Buffer, ignoreCase: IgnoreCase): IgnoreSet | undefined {
  const isMarked = BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length));
  const text = bytes.toString(ignoreCase === true ? 'utf8' : 'latin1', isMarked ? BYTE_ORDER_MARK.length : 0);
  const patterns = parseIgnoreText(text, ignoreCase);
  return patterns.length === 0 ? undefined : compile(patterns, { bytes, text });
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function compile(
  patterns: readonly IgnorePattern[],
  file: { readonly bytes: Buffer; readonly text: string },
): IgnoreSet {
  const paths: PathPattern[] = [];
  const anything = new NameTable();
  const directories = new NameTable();
  for (const [index, { onlyDirectories, test }] of patterns.entries()) {
    if (test.kind === 'path') paths.push({ index, onlyDirectories, steps: test.steps });
    else (onlyDirectories ? directories : anything).add(index, test);
  }
  let key: string | undefined;
  return {
    get key() {
      key ??= createHash('sha256').update(file.bytes).digest('base64');
      return key;
    },
    hidesEverything: lazy(() => hidesEverything(file.text)),
    negated: patterns.map(({ negated }) => negated),
    paths,
    lastNameMatch: (name, isDirectory) => {
      const found = anything.last(name, -1);
      return isDirectory ? directories.last(name, found) : found;
    },
  };
}

type NameTest = Exclude<IgnorePattern['test'], { kind: 'path' }>;

/** Patterns of one file → the last that matches. */
class NameTable {
  readonly #exact = new Map<string, number>();
  /** `*.log` by `.log`: texts that begin at a name's last dot. */
  readonly #endings = new Map<string, number>();
  readonly #others: { readonly index: number; readonly matches: (name: ComparedName) => boolean }[] = [];

  /** In ascending order of places. */
  add(index: number, test: NameTest): void {
    if (test.kind === 'exact') this.#exact.set(test.text, index);
    else if (test.kind === 'name') this.#others.push({ index, matches: test.matches });
    else if (test.text.lastIndexOf('.') === 0) this.#endings.set(test.text, index);
    else this.#others.push({ index, matches: (name) => name.endsWith(test.text) });
  }

  /** `found` or a later place. */
  last(name: ComparedName, found: number): number {
    let last = found;
    if (this.#exact.size > 0) last = Math.max(last, this.#exact.get(name) ?? -1);
    if (this.#endings.size > 0) {
      const dot = name.lastIndexOf('.');
      if (dot !== -1) last = Math.max(last, this.#endings.get(name.slice(dot)) ?? -1);
    }
    for (let at = this.#others.length - 1; at >= 0; at--) {
      const other = this.#others[at];
      if (other === undefined || other.index <= last) break;
      if (other.matches(name)) return other.index;
    }
    return last;
  }
}
