import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newestFirst, NewestFiles } from './newest-files.js';

it('keeps the newest, ties by path, and counts all', () => {
  const file = fc.record({ mtimeMs: fc.integer({ min: 0, max: 9 }), name: fc.stringMatching(/^[a-d]{1,2}$/) });
  fc.assert(
    fc.property(
      fc.uniqueArray(file, { selector: ({ name }) => name }),
      fc.integer({ min: 0, max: 8 }),
      (files, keep) => {
        const newest = new NewestFiles(keep);
        for (const { mtimeMs, name } of files) newest.add(mtimeMs, '/f/', name);
        const sorted = files.map(({ mtimeMs, name }) => ({ path: `/f/${name}`, mtimeMs })).sort(newestFirst);
        expect(newest.sorted()).toEqual(sorted.slice(0, keep));
        expect(newest.total).toBe(files.length);
      },
    ),
  );
});
