import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks, changedSpans, type HunksResult } from './apply-hunks.js';
import { splitLines } from './hunk-lines.js';
import { parsePatch } from './parse-patch.js';
import type { Hunk } from './patch.js';

function hunksOf(text: string): readonly Hunk[] {
  const parsed = parsePatch(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const [file] = parsed.patch;
  if (file?.kind === 'add') return [{ anchors: [], lines: asAdded(file.content), endOfFile: false, at: 1 }];
  return file?.kind === 'update' ? file.hunks : [];
}

function asAdded(content: string): Hunk['lines'] {
  return splitLines(content).map(({ text, ending }) => ({
    kind: 'added',
    text,
    ...(ending === '' ? { open: true as const } : {}),
  }));
}

function apply(text: string, patch: string): HunksResult {
  return applyHunks({ text, hunks: hunksOf(patch), trustHints: true });
}

const word = fc.constantFrom('a', 'b', 'c', '', '  x', '\ty', '}', '- z', '+ q', '@@', '*** End Patch', 'naïve “q”');
const lines = fc.array(word, { maxLength: 12 });
const ending = fc.constantFrom('\n', '\r\n');

/** Each line with an ending of its own; the last may have none. */
const mixedText = fc.tuple(fc.array(fc.tuple(word, ending), { maxLength: 12 }), fc.boolean()).map(([all, open]) => {
  const text = all.map(([line, end]) => line + end).join('');
  return open ? text.replace(/\r?\n$/, '') : text;
});

describe('applyHunks', () => {
  it('makes the new text out of the old one and their unified diff, wherever lines repeat (property)', () => {
    const text = fc
      .tuple(lines, fc.boolean())
      .map(([all, open]) => all.join('\n') + (open || all.length === 0 ? '' : '\n'));
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
        fc.pre(before !== after && before !== '' && after !== '');
        const patch = createTwoFilesPatch('a/f', 'b/f', before, after, '', '', { context });
        const result = apply(before, patch);
        if (result.ok) expect(result.applied.text).toBe(after);
        // Without context, a number alone does not say where lines go.
        else
          expect(
            context === 0 || hunksOf(patch).some((hunk) => hunk.lines.every((line) => line.text.trim() === '')),
          ).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('makes the new text or refuses when the patch has neither numbers nor unique context: never another text (property)', () => {
    const text = lines.map((all) => `${all.join('\n')}\n`);
    let landed = 0;
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const patch = createTwoFilesPatch('a/f', 'b/f', before, after, '', '', { context: 3 }).replace(
          /^@@ .*$/gm,
          '@@',
        );
        const result = apply(before, patch);
        if (!result.ok) return;
        landed += 1;
        expect(result.applied.text).toBe(after);
      }),
      { numRuns: 400 },
    );
    expect(landed).toBeGreaterThan(200);
  });

  it('leaves every byte outside of the changed lines as it is, mixed line ends too (property, S89)', () => {
    fc.assert(
      fc.property(mixedText, fc.nat(12), fc.nat(3), lines, (text, start, size, added) => {
        const all = splitLines(text);
        const first = Math.min(start, all.length);
        const removed = all.slice(first, first + size);
        fc.pre(removed.length + added.length > 0 && all.length > 0);
        const hunk: Hunk = {
          anchors: [],
          endOfFile: false,
          at: 1,
          lines: [
            ...all.slice(0, first).map(({ text: line }) => ({ kind: 'same' as const, text: line })),
            ...removed.map(({ text: line }) => ({ kind: 'removed' as const, text: line })),
            ...added.map((line) => ({ kind: 'added' as const, text: line })),
            ...all.slice(first + size).map(({ text: line }) => ({ kind: 'same' as const, text: line })),
          ],
        };
        fc.pre(hunk.lines.some((line) => line.kind !== 'added'));
        // An empty line without a line end is none.
        fc.pre(text.endsWith('\n') || hunk.lines.findLast((line) => line.kind !== 'removed')?.text !== '');
        const result = applyHunks({ text, hunks: [hunk], trustHints: true });
        if (!result.ok) throw new Error(JSON.stringify(result.lost));
        const now = splitLines(result.applied.text);
        const tail = all.length - first - removed.length;
        const expected = [...all.slice(0, first), ...all.slice(first + removed.length)];
        const kept = [...now.slice(0, first), ...now.slice(now.length - tail)];
        // Only the end of the file may gain or lose its line end.
        expect(kept.map((line) => line.text)).toEqual(expected.map((line) => line.text));
        const closed = kept.filter(({ ending: end }, index) => end !== '' && expected[index]?.ending !== '');
        expect(
          closed.every((line) => expected.some((one) => one.text === line.text && one.ending === line.ending)),
        ).toBe(true);
        if (now.length > 0) expect(now.at(-1)?.ending === '').toBe(text !== '' && !text.endsWith('\n'));
        expect(now.map((line) => line.text)).toEqual([
          ...all.slice(0, first).map((line) => line.text),
          ...added,
          ...all.slice(first + size).map((line) => line.text),
        ]);
      }),
      { numRuns: 400 },
    );
  });

  it('says where the new lines stand', () => {
    const result = apply('a\nb\nc\nd\ne\n', '*** Update File: f\n@@\n a\n+x\n+y\n b\n@@\n-d\n e\n');
    if (!result.ok) throw new Error('not applied');
    expect(result.applied.text).toBe('a\nx\ny\nb\nc\ne\n');
    expect(changedSpans(result.applied)).toEqual([
      { first: 2, last: 3 },
      { first: 6, last: 6 },
    ]);
  });

  it('stays fast where a file and a hunk hold one line over and over', () => {
    const text = 'same\n'.repeat(20_000);
    const start = performance.now();
    const result = apply(text, `*** Update File: f\n@@\n${' same\n'.repeat(300)}-other\n+new\n`);
    expect(result.ok).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
