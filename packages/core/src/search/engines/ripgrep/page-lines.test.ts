import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withContext } from '../../report/render-matches.js';
import type { ShownLine } from '../../report/shown-line.js';
import { PageLines } from './page-lines.js';

const lineAt = (line: number, isMatch: boolean): ShownLine => ({
  line,
  ...(isMatch && { column: 1 }),
  text: '',
  cutBefore: 0,
  cutAfter: 0,
});

/** As ripgrep tells them: what stands around matches, each line once. */
function linesAround(matches: readonly number[], around: number): ShownLine[] {
  const all = new Map<number, boolean>();
  for (const match of matches)
    for (let line = Math.max(1, match - around); line <= match + around; line++) all.set(line, false);
  for (const match of matches) all.set(match, true);
  return Array.from(all, ([line, isMatch]) => lineAt(line, isMatch)).toSorted((a, b) => a.line - b.line);
}

function keep(given: readonly ShownLine[], around: number, skip: number): { most: number; lines: PageLines } {
  const lines = new PageLines({ before: around, after: around, skip });
  let begun = 0;
  for (const line of given) {
    if (line.column !== undefined) begun++;
    lines.add(line, begun);
  }
  return { most: begun, lines };
}

describe('PageLines', () => {
  it('keeps all matches of the page, with even context that is more than any answer holds', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 600 });
    fc.assert(
      fc.property(gaps, fc.nat(60), fc.double({ min: 0, max: 1, noNaN: true }), (distances, around, share) => {
        let line = 0;
        const matches = distances.map((distance) => (line += distance));
        const skip = Math.floor(share * (matches.length - 1));
        const given = linesAround(matches, around);
        const { lines, most } = keep(given, around, skip);
        const told = lines.finish(most);
        const [former = 0, first = 0] = [matches[skip - 1], matches[skip]];
        const wanted = given.filter((each) => each.line > former && each.line >= first - around);
        const shown = told.lines;
        expect(shown.filter(({ column }) => column !== undefined).map((each) => each.line)).toEqual(
          matches.slice(skip),
        );
        if (shown.length === wanted.length) return;
        const near = Array.from({ length: around }, (_, radius) =>
          withContext(wanted, { before: radius, after: radius }),
        ).find(({ length }) => length === shown.length);
        expect(shown).toEqual(near);
        expect(shown.length).toBeGreaterThanOrEqual(6_000);
      }),
      { numRuns: 60 },
    );
  });

  it('holds a bounded number of lines, however deep the page is', () => {
    const { lines } = keep(
      linesAround(
        Array.from({ length: 50_000 }, (_, index) => index * 3),
        1,
      ),
      1,
      49_990,
    );
    expect(lines.finish(50_000).lines.length).toBeLessThan(400);
  });
});
