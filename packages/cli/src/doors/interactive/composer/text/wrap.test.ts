import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Cells } from './cells.js';
import { Pastes } from './pastes.js';
import { Layout, Rows } from './wrap.js';

const PIECES = [
  'word',
  'a',
  ' ',
  '  ',
  '漢字',
  '👩‍💻',
  'e\u0301',
  '\t',
  '\u001b',
  'averyverylongwordthatfitsnowhere',
  '한',
];
const line = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((all) => all.join(''));

function newCells(): Cells {
  return new Cells(new Pastes());
}

function startsOf(rows: Rows): number[] {
  return Array.from({ length: rows.last + 1 }, (_, row) => rows.start(row) ?? -1);
}

it('cuts a line into rows that are no wider than they may be, and leaves nothing out', () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 6, max: 40 }), (text, columns) => {
      const cells = newCells();
      const rows = new Rows(text, columns, cells);
      let joined = '';
      for (let row = 0; row <= rows.last; row += 1) {
        const [from, to] = [rows.start(row) ?? 0, rows.end(row)];
        joined += text.slice(from, to);
        const hangs = text.slice(from, to).endsWith(' ') ? 1 : 0;
        expect(cells.widthOf(text, from, to)).toBeLessThanOrEqual(columns + hangs);
      }
      expect(joined).toBe(text);
    }),
  );
});

it('does not break a word that fits into a row', () => {
  const rows = new Rows('one two three four', 9, newCells());
  expect(startsOf(rows).map((start, row) => rows.text.slice(start, rows.end(row)))).toEqual([
    'one two ',
    'three ',
    'four',
  ]);
});

it('breaks Chinese text anywhere, and words that are wider than a row where they must', () => {
  const cells = newCells();
  expect(startsOf(new Rows('漢字漢字漢字', 5, cells))).toEqual([0, 2, 4]);
  expect(startsOf(new Rows('abcdefghijkl', 5, cells))).toEqual([0, 5, 10]);
});

it('gives the cursor behind a full row the next one', () => {
  const rows = new Rows('four five ', 9, newCells());
  expect(rows.rowOf(10)).toBe(1);
  expect(rows.start(1)).toBe(10);
});

it('knows the rows of a changed long line as if it had never seen it', () => {
  const change = fc.record({ at: fc.nat(9_000), drop: fc.nat(30), put: line });
  fc.assert(
    fc.property(line, fc.array(change, { maxLength: 6 }), fc.integer({ min: 8, max: 60 }), (seed, changes, columns) => {
      const cells = newCells();
      const layout = new Layout(cells);
      layout.columns = columns;
      let text = `${seed} lorem `.repeat(Math.ceil(9_000 / (seed.length + 7)));
      expect(startsOf(layout.rows(text))).toEqual(startsOf(new Rows(text, columns, cells)));
      for (const { at, drop, put } of changes) {
        const place = cells.graphemes.borderAt(text, Math.min(at, text.length));
        text =
          text.slice(0, place) + put + text.slice(cells.graphemes.borderAt(text, Math.min(place + drop, text.length)));
        expect(startsOf(layout.rows(text))).toEqual(startsOf(new Rows(text, columns, cells)));
      }
    }),
    { numRuns: 30 },
  );
});
