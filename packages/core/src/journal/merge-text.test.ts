import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeText, type MergeResult } from './merge-text.js';

const merge = (base: string, ours: string, theirs: string, encoding: BufferEncoding = 'utf8'): Promise<MergeResult> =>
  mergeText({
    base: Buffer.from(base, encoding),
    ours: Buffer.from(ours, encoding),
    theirs: Buffer.from(theirs, encoding),
  });

async function merged(base: string, ours: string, theirs: string): Promise<string> {
  const result = await merge(base, ours, theirs);
  if (result.kind !== 'merged') throw new Error(JSON.stringify(result));
  return result.bytes.toString();
}

describe('mergeText', () => {
  it('joins changes of different lines and keeps every line ending', async () => {
    expect(await merged('a\r\nb\nc\r\nd\ne', 'a\r\nB\nc\r\nd\ne', 'a\r\nb\nc\r\nD\ne')).toBe('a\r\nB\nc\r\nD\ne');
    expect(await merged('a\nb\nc\n', 'new\na\nb\nc\n', 'a\nb\n')).toBe('new\na\nb\n');
    expect(await merged('a\nb\n', 'a\nX\n', 'a\nX\n')).toBe('a\nX\n');
    expect(await merged('', 'x\n', '')).toBe('x\n');
  });

  it('says which lines are in the way, as they are numbered now', async () => {
    expect(await merge('a\nb\nc\nd\n', 'new\na\nB\nc\nd\n', 'a\nbb\nc\nd\n')).toEqual({
      kind: 'conflict',
      lines: [{ first: 3, last: 3 }],
    });
    expect(await merge('a\nb\nc\n', 'a\nb\nX\nY\nc\n', 'a\nb\nZ\nc\n')).toEqual({
      kind: 'conflict',
      lines: [{ first: 3, last: 4 }],
    });
    // Lines next to each other belong together more often than not.
    expect((await merge('a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n')).kind).toBe('conflict');
    expect((await merge('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).kind).toBe('merged');
  });

  it('keeps bytes of other encodings, and refuses to mix two', async () => {
    const latin = await merge('caf\u00e9\nb\nc\n', 'caf\u00e9\nb\nc\u00fc\n', '\u00e0\nb\nc\n', 'latin1');
    expect(latin).toEqual({ kind: 'merged', bytes: Buffer.from('\u00e0\nb\nc\u00fc\n', 'latin1') });
    const mark = '\ufeff';
    const wide = await merge(`${mark}a\nb\nc\u0a0a\n`, `${mark}A\nb\nc\u0a0a\n`, `${mark}a\nb\nC\u0a0a\n`, 'utf16le');
    expect(wide).toEqual({ kind: 'merged', bytes: Buffer.from(`${mark}A\nb\nC\u0a0a\n`, 'utf16le') });
    const versions = { base: Buffer.from('a\nb\nc\n'), ours: Buffer.from('\u00e9\nb\nc\n') };
    const theirs = Buffer.from('a\nb\n\u00e9\n', 'latin1');
    expect(await mergeText({ ...versions, theirs })).toMatchObject({ kind: 'impossible' });
    expect(await merge('a\0', 'b\0', 'c\0')).toEqual({ kind: 'impossible', reason: 'it is not a text file' });
  });

  it('takes the side that changed when the other did not, and loses no line of ours (property)', async () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n'), { maxLength: 12 })
      .map((lines) => lines.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(12), async (base, other, at) => {
        expect(await merged(base, other, base)).toBe(other);
        expect(await merged(base, base, other)).toBe(other);
        const lines = base.match(/[^\n]*\n/g) ?? [];
        const ours = [...lines.slice(0, at), 'mine\n', ...lines.slice(at)].join('');
        const result = await merge(base, ours, other);
        if (result.kind === 'merged') expect(result.bytes.toString()).toContain('mine\n');
        else if (result.kind === 'conflict') {
          const [range] = result.lines;
          const named = ours.split('\n').slice((range?.first ?? 0) - 1, range?.last);
          expect(named).toContain('mine');
        }
      }),
    );
  });

  it('is quick where many lines are the same', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? '' : `line ${index}`));
    const text = (change: (copy: string[]) => void): string => {
      const copy = [...lines];
      change(copy);
      return copy.join('\n');
    };
    const start = performance.now();
    const ours = text((copy) => (copy[100] = 'ours'));
    const theirs = text((copy) => (copy[19_000] = 'theirs'));
    expect(
      (
        await merge(
          text(() => undefined),
          ours,
          theirs,
        )
      ).kind,
    ).toBe('merged');
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('merges a file of very many lines', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index}\n`);
    const [ours, theirs] = [lines.with(3, 'ours\n'), lines.with(19_000, 'theirs\n')];
    const both = ours.with(19_000, 'theirs\n');
    expect((await merged(lines.join(''), ours.join(''), theirs.join(''))) === both.join('')).toBe(true);
    const added = `${lines.join('')}new\n`;
    expect((await merged('', added, '')) === added).toBe(true);
  });
});
