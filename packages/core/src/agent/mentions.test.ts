import { describe, expect, it } from 'vitest';
import { findMentions, withLines } from './mentions.js';

describe('findMentions', () => {
  it.each([
    ['explain @src/a.ts and @b.md.', ['src/a.ts', 'b.md']],
    ['@a', ['a']],
    ['see (@a.ts), @"two words.md" and @two\\ words.md', ['a.ts', 'two words.md']],
    ['@src/**/*.ts, twice: @src/**/*.ts', ['src/**/*.ts']],
    ['write to me@example.com', []],
    ['@ alone, @@ -1 +1 @@', []],
    ['why @src/a.ts#L10-20, @"two words.md#L3"?', ['src/a.ts#L10-20', 'two words.md#L3']],
    ['', []],
  ])('finds in %j', (text, paths) => {
    expect(findMentions(text)).toEqual(paths);
  });

  it('takes no time on hostile text, and at most 50', () => {
    expect(findMentions('@'.repeat(200_000))).toHaveLength(1);
    expect(findMentions(Array.from({ length: 80 }, (_, index) => `@f${index}`).join(' '))).toHaveLength(50);
  });
});

describe('withLines', () => {
  it.each([
    ['a.ts#L10', ['a.ts', 10, 10]],
    ['a.ts#L10-20', ['a.ts', 10, 20]],
    ['a.ts#L10-L20', ['a.ts', 10, 20]],
    ['a#L1.ts#L20-10', ['a#L1.ts', 10, 20]],
    ['a.ts#L0', ['a.ts', 1, 1]],
    ['a.ts', undefined],
    ['a.ts#10', undefined],
    ['#L10', undefined],
    ['a.ts#L10-', undefined],
  ])('reads %s', (mention, parts) => {
    const found = withLines(mention);
    expect(found && [found.path, found.lines.first, found.lines.last]).toEqual(parts);
  });
});
