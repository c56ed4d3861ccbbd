import { describe, expect, it } from 'vitest';
import { folderOf, pathBelow, prefixOf } from './paths.js';

describe('paths', () => {
  it('are taken apart as they were put together', () => {
    for (const [folder, name] of [
      ['', 'a'],
      ['b', 'a'],
      ['c/b', 'a'],
    ] as const) {
      expect(folderOf(pathBelow(folder, name))).toBe(folder);
      expect(prefixOf(folder) + name).toBe(pathBelow(folder, name));
      expect(pathBelow(folder, name).endsWith(name)).toBe(true);
    }
  });
});
