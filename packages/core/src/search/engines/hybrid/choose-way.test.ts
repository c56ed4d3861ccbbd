import { describe, expect, it } from 'vitest';
import { chooseWay } from './choose-way.js';

describe('the quicker way to count', () => {
  it.each([
    [300, 'cold', 'ripgrep'],
    [2_000, 'cold', 'ripgrep'],
    [2_000, 'coming', 'threads'],
    [900, 'coming', 'ripgrep'],
    [100_000, 'cold', 'threads'],
    [100_000, 'busy', 'threads'],
    [10, 'busy', 'ripgrep'],
    [3, 'warm', 'threads'],
    [3, 'some', 'ready'],
    [2_000, 'some', 'threads'],
  ] as const)('%d files, threads %s: %s', (files, threads, way) => {
    expect(chooseWay(files, threads)).toBe(way);
  });
});
