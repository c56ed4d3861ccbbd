import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FoundTable } from './found-table.js';
import { newestFirst } from './newest-files.js';
import { countsOf, filesAt } from './report/search-outcome.js';

const NAMES = Array.from({ length: 700 }, (_none, at) => `n${at}`);
/** Files of one folder, some of its names, one after another; times come from few, and not always. */
const piece = fc.record({
  base: fc.constantFrom('/w', '/w/sub', '/'),
  folder: fc.constantFrom('', 'a', 'a/b'),
  from: fc.nat(300),
  count: fc.nat(400),
  mtimeMs: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
});

it('holds what a list of objects would, in the same order, however many there are', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const table = new FoundTable();
      const expected = pieces.flatMap(({ base, folder, from, count, mtimeMs }, number) => {
        // Some of them lie within one another, and are named as files are.
        const own = number % 2 === 0 ? `p${number}` : 'n1/'.repeat(number).slice(0, -1);
        const files = { folder: folder === '' ? own : `${folder}/${own}`, names: NAMES };
        return Array.from({ length: count }, (_none, at) => {
          const told = { matches: number + at, mtimeMs };
          table.add({ base, piece: files, at: from + at }, told);
          const path = `${base === '/' ? '' : base}/${files.folder}/${NAMES[from + at]}`;
          return { path, matches: told.matches, mtimeMs: mtimeMs ?? 0 };
        });
      });
      expect(table.paths()).toEqual(expected.map(({ path }) => path));
      expect(table.total).toBe(expected.reduce((sum, { matches }) => sum + matches, 0));
      const files = table.sorted();
      const sorted = expected.sort(newestFirst);
      const plain = Array.from(files, ({ path, matches, mtimeMs }) => ({ path, matches, mtimeMs }));
      expect(plain).toEqual(sorted);
      expect(Array.from(countsOf(files))).toEqual(sorted.map(({ matches }) => matches));
      expect(filesAt(files, [files.length, 0]).map(({ path }) => path)).toEqual(
        sorted.slice(0, 1).map(({ path }) => path),
      );
    }),
    { numRuns: 50 },
  );
});

it('says which files below a base have no time, until they have one', () => {
  const table = new FoundTable();
  const files = { folder: 'a', names: ['x', 'y', 'z'] };
  table.add({ base: '/w', piece: files, at: 0 }, { matches: 1 });
  table.add({ base: '/v', piece: files, at: 1 }, { matches: 1 });
  table.add({ base: '/w', piece: files, at: 2 }, { matches: 1, mtimeMs: 7 });
  expect(table.untimed('/w').map((row) => table.relativePath(row))).toEqual(['a/x']);
  table.setTime(0, 9);
  expect(table.untimed('/w')).toEqual([]);
  expect(Array.from(table.sorted(), ({ path, mtimeMs }) => [path, mtimeMs])).toEqual([
    ['/w/a/x', 9],
    ['/w/a/z', 7],
    ['/v/a/y', 0],
  ]);
});
