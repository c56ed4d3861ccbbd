import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from './paths.js';
import { targetsOf } from './plan-targets.js';

describe('the targets of a round', () => {
  it('are the candidates; a folder is whole only when it was and all its files may match', () => {
    const folders = fc
      .array(fc.record({ files: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), isWhole: fc.boolean() }), {
        maxLength: 6,
      })
      .map((all) =>
        all.map(({ files, isWhole }, index) => {
          const target = { folder: index === 0 ? '' : `d${index}`, names: files.map((_, at) => `f${at}`), isWhole };
          const mayMatch = target.names.filter((_, at) => files[at] === true);
          const names = mayMatch.length === files.length ? target.names : mayMatch;
          return { target, piece: { folder: target.folder, names } };
        }),
      );
    fc.assert(
      fc.property(folders, (all) => {
        const candidates = all.map(({ piece }) => piece).filter(({ names }) => names.length > 0);
        const targets = targetsOf(
          all.map(({ target }) => target),
          candidates,
        );
        expect(targets.map(({ folder, names }) => ({ folder, names }))).toEqual(candidates);
        for (const { folder, names, isWhole } of targets) {
          const target = all.find((one) => one.target.folder === folder)?.target;
          expect(isWhole).toBe(target?.isWhole === true && names.length === target.names.length);
        }
      }),
    );
  });

  it('finds the folder of a path', () => {
    expect(['a', 'b/a', 'c/b/a'].map(folderOf)).toEqual(['', 'b', 'c/b']);
  });
});
