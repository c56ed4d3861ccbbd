import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FINDER_MODULE } from './finder-module.js';
import { NEEDLE_BYTES, needlesOf } from './needles.js';

interface Finder {
  readonly memory: { readonly buffer: ArrayBuffer };
  find(needle: number, from: number, end: number): number;
  countLines(needle: number, from: number, end: number): number;
  countFeeds(from: number, end: number): number;
  countUnits(from: number, end: number): number;
}

const { WebAssembly: assembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Instance: new (module: unknown) => { readonly exports: Finder } };
};
const { exports: finder } = new assembly.Instance(FINDER_MODULE);
const memory = Buffer.from(finder.memory.buffer);
const NEEDLE_AT = 2 * NEEDLE_BYTES;
const DATA_AT = 4096;

/** Letters that are each other's cases, neighbours of letters with the same low bits, ends of lines, and what is no ASCII. */
const text = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'B', '@', '`', '[', '{', '\n', ' ', 'é'),
  maxLength: 300,
});
const spoken = fc.string({
  unit: fc.constantFrom('a', '\n', '\x7f', '\x80', 'é', 'ÿ', '€', '\uffff', '😀'),
  maxLength: 120,
});
const needle = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '@', '[', ' '), minLength: 1, maxLength: 32 });

/** What stands before and behind the text must not matter. */
function place(
  content: string,
  wanted: string,
  isCased: boolean,
  around: string,
): readonly [from: number, end: number] {
  const pattern = { pattern: wanted, caseSensitive: isCased, fixedStrings: true, multiline: false };
  memory.set(needlesOf(pattern)?.encoded ?? [], NEEDLE_AT);
  const bytes = Buffer.from(content);
  memory.fill(around, DATA_AT, DATA_AT + 1024);
  const from = DATA_AT + 100;
  memory.set(bytes, from);
  return [from, from + bytes.length];
}

describe('looking for a text in bytes', () => {
  it('finds it where it first stands, and nowhere else', () => {
    fc.assert(
      fc.property(text, needle, fc.boolean(), fc.nat(40), (content, wanted, isCased, skipped) => {
        const [start, end] = place(content, wanted, isCased, wanted);
        const from = Math.min(start + skipped, end);
        const bytes = Buffer.from(content)
          .subarray(from - start)
          .toString('latin1');
        const fold = (some: string): string => (isCased ? some : some.toLowerCase());
        const at = fold(bytes).indexOf(fold(wanted));
        expect(finder.find(NEEDLE_AT, from, end)).toBe(at === -1 ? -1 : from + at);
      }),
      { numRuns: 5000 },
    );
  });

  it('counts the lines that hold it, and all line feeds', () => {
    fc.assert(
      fc.property(text, needle, (content, wanted) => {
        const [from, end] = place(content, wanted, false, `${wanted}\n`);
        const lines = content.split('\n').filter((line) => line.toLowerCase().includes(wanted.toLowerCase()));
        expect(finder.countLines(NEEDLE_AT, from, end)).toBe(lines.length);
        expect(finder.countFeeds(from, end)).toBe(content.split('\n').length - 1);
      }),
      { numRuns: 5000 },
    );
  });

  it('counts the code units of a text', () => {
    fc.assert(
      fc.property(spoken, (content) => {
        const [from, end] = place(content, 'a', false, 'é😀');
        expect(finder.countUnits(from, end)).toBe(content.length);
      }),
      { numRuns: 5000 },
    );
  });
});
