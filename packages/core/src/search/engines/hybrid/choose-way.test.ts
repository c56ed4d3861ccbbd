import { describe, expect, it } from 'vitest';
import { chooseWay, isWorthARun } from './choose-way.js';

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

it.each([
  ['one large file', 1, 20e6, true],
  ['what is searched in the time that a start takes', 10, 10e6, false],
  ['large ones', 1_600, 128e6, true],
  ['many small ones', 20_000, 80e6, false],
])('of known text, %s: %d files of %d bytes', (_, files, bytes, isWorthIt) => {
  expect(isWorthARun(files, bytes)).toBe(isWorthIt);
});
