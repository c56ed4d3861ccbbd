import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

describe('nearestName', () => {
  it('finds the name behind a slip, a swap and another case', () => {
    const known = ['call', 'config', 'demo'];
    expect(nearestName('cofnig', known)).toBe('config');
    expect(nearestName('cal', known)).toBe('call');
    expect(nearestName('DEMO', known)).toBe('demo');
    expect(nearestName('dmeo', known)).toBe('demo');
  });

  it('offers nothing when nothing is near', () => {
    expect(nearestName('hello', ['call', 'config', 'demo'])).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
  });
});
