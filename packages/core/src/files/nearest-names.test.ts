import { describe, expect, it } from 'vitest';
import { nearestNames } from './nearest-names.js';

describe('nearestNames', () => {
  it('puts the most alike first, whatever their case, and leaves strangers out', async () => {
    const names = ['Index.ts', 'indent.ts', 'readme.md', 'index.tsx', 'index.test.ts'];
    expect(await nearestNames('index.ts', names)).toEqual(['Index.ts', 'index.tsx', 'indent.ts']);
    expect(await nearestNames('config', ['config.json', 'other'])).toEqual(['config.json']);
    expect(await nearestNames('zzz', ['a.ts'])).toEqual([]);
  });
});
