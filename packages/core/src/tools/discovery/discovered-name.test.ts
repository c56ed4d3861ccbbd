import { describe, expect, it } from 'vitest';
import { discoveredName } from './discovered-name.js';

const nameOf = (name: string, ...others: string[]): string | undefined =>
  discoveredName(name, (each) => others.includes(each));

describe('discoveredName', () => {
  it('is its own where that is free', () => {
    expect(nameOf('get_time')).toBe('get_time');
    expect(nameOf('get-time2', 'get_time')).toBe('get-time2');
  });

  it('gets a prefix only where another has it', () => {
    expect(nameOf('edit', 'edit')).toBe('discovered__edit');
    expect(nameOf('edit', 'edit', 'discovered__edit')).toBeUndefined();
  });

  it.each(['Bash', 'Edit', 'task', 'replace', 'mcp__files', 'server__tool', 'mcp__server__tool', 'x__'])(
    'gets a prefix where rules would take %s for something else',
    (name) => {
      expect(nameOf(name)).toMatch(/^discovered__[A-Za-z0-9_-]{1,52}$/);
    },
  );

  it.each(['Zeit ansagen', 'größe', '🎉', 'a.b', '*', '', 'x'.repeat(65)])(
    'makes %j one that every provider takes',
    (name) => {
      expect(nameOf(name)).toMatch(/^discovered__[A-Za-z0-9_-]{1,52}$/);
    },
  );
});
