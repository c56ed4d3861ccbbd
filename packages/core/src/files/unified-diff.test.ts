import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.js';

const sides = (before: string, after: string) => ({
  before,
  after,
  oldName: 'a',
  newName: 'a',
  oldHeader: 'Current',
  newHeader: 'Proposed',
});
const line = fc.constantFrom('a', 'b', 'c', '', 'same line', 'another\r');
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, closed]) => lines.join('\n') + (closed && lines.length > 0 ? '\n' : ''));

describe('unifiedDiff', () => {
  it('makes the new text of the old one when it is applied, whatever they share', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (head, before, after, tail) => {
        const [old, proposed] = [`${head}${before}${tail}`, `${head}${after}${tail}`];
        const diff = await unifiedDiff(sides(old, proposed));
        expect(applyPatch(old, diff, { autoConvertLineEndings: false })).toBe(proposed);
        if (old !== proposed) changed += 1;
      }),
      { numRuns: 500 },
    );
    expect(changed).toBeGreaterThan(100);
  });

  it('shows a small change in a long file by its lines and their numbers', async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`);
    const before = lines.join('');
    const diff = await unifiedDiff(sides(before, before.replace('line 150000\n', 'other\n')));
    expect(diff).toContain(
      '@@ -149998,7 +149998,7 @@\n line 149997\n line 149998\n line 149999\n-line 150000\n+other\n line 150001',
    );
    expect(diff.split('\n').length).toBeLessThan(20);
  });

  it('shows the beginning of a change that nobody would read, and says how much follows', async () => {
    const diff = await unifiedDiff(sides('', 'x'.repeat(40).concat('\n').repeat(100_000)));
    expect(diff).toContain('@@ -0,0 +1,2000 @@');
    expect(diff).toContain('\\ 4018000 more characters are not shown');
    expect(diff.length).toBeLessThan(100_000);
  });

  it('shows the beginning of a line that is as long as a file', async () => {
    const diff = await unifiedDiff(sides('a\n', 'x'.repeat(5_000_000)));
    expect(diff.length).toBeLessThan(300_000);
    expect(diff).toContain('\\ 4800000 more characters are not shown');
    expect(diff).not.toContain('No newline');
  });
});
