import { describe, expect, it } from 'vitest';
import { findMentions } from './mentions.js';

describe('findMentions', () => {
  it.each([
    ['explain @src/a.ts and @b.md.', ['src/a.ts', 'b.md']],
    ['@a', ['a']],
    ['see (@a.ts), @"two words.md" and @two\\ words.md', ['a.ts', 'two words.md']],
    ['@src/**/*.ts, twice: @src/**/*.ts', ['src/**/*.ts']],
    ['write to me@example.com', []],
    ['@ alone, @@ -1 +1 @@', []],
    ['', []],
  ])('finds in %j', (text, paths) => {
    expect(findMentions(text)).toEqual(paths);
  });

  it('takes no time on hostile text, and at most 50', () => {
    expect(findMentions('@'.repeat(200_000))).toHaveLength(1);
    expect(findMentions(Array.from({ length: 80 }, (_, index) => `@f${index}`).join(' '))).toHaveLength(50);
  });
});
