import { describe, expect, it } from 'vitest';
import { nearestName, nearestNames } from './nearest-names.js';

describe('nearestName', () => {
  it('finds the name behind a slip, a swap and another case', () => {
    const known = ['call', 'config', 'demo'];
    expect(nearestName('cofnig', known)).toBe('config');
    expect(nearestName('cal', known)).toBe('call');
    expect(nearestName('DEMO', known)).toBe('demo');
    expect(nearestName('dmeo', known)).toBe('demo');
  });

  it('offers nothing when nothing is near, and does not compare what nobody typed', () => {
    expect(nearestName('hello', ['call', 'config', 'demo'])).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
    expect(nearestName('x'.repeat(5_000_000), ['x'.repeat(5_000_001)])).toBeUndefined();
  });
});

describe('nearestNames', () => {
  it('puts the most alike first, whatever their case, and leaves strangers out', () => {
    const names = ['Index.ts', 'indent.ts', 'readme.md', 'index.tsx', 'index.test.ts'];
    expect(nearestNames('index.ts', names, { parts: true })).toEqual(['Index.ts', 'index.tsx', 'indent.ts']);
    expect(nearestNames('config', ['config.json', 'other'], { parts: true })).toEqual(['config.json']);
    expect(nearestNames('config', ['config.json', 'other'])).toEqual([]);
    expect(nearestNames('zzz', ['a.ts'])).toEqual([]);
  });
});
