import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { absoluteBelow, folderAbove, isWithin, withSeparator } from './paths-below.js';

describe('absolute paths', () => {
  it('have one separator where two parts meet, also in the root of the file system', () => {
    for (const folder of ['/', '/a', '/a/']) {
      expect(absoluteBelow(folder, 'b/c')).toBe(join(folder, 'b/c'));
      expect(withSeparator(folder)).toBe(join(folder, '/'));
    }
  });

  it('lie in the folder that dirname says', () => {
    for (const path of ['/', '/a', '/ab', '/abc', '/a/b', '/ab/c', '/abc/def/g', '/a/b c/\u00e4\n'])
      expect(folderAbove(path)).toBe(dirname(path));
  });

  it('lie within a folder, not beside one whose name begins alike', () => {
    expect(['/a', '/a/b', '/ab', '/', '/b/a'].filter((path) => isWithin(path, '/a'))).toEqual(['/a', '/a/b']);
    expect(isWithin('/a', '/')).toBe(true);
  });
});
