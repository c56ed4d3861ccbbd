import { findMentions } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionAt, writtenMention } from './mention.js';

describe('a mention that is being typed', () => {
  it.each([
    ['see @src/a', { from: 4, to: 10, path: 'src/a' }],
    ['@', { from: 0, to: 1, path: '' }],
    ['(@a', { from: 1, to: 3, path: 'a' }],
    ['see @"my fi', { from: 4, to: 11, path: 'my fi' }],
    [String.raw`@with\ blank`, { from: 0, to: 12, path: 'with blank' }],
    ['me@example.com', undefined],
    ['@done and', undefined],
    ['@"closed" x', undefined],
    ['nothing', undefined],
  ])('%s', (line, mention) => {
    expect(mentionAt(line, line.length)).toEqual(mention);
  });

  it('has the quote behind the cursor', () => {
    expect(mentionAt('@"a/" then', 4)).toEqual({ from: 0, to: 5, path: 'a/' });
  });
});

it('writes every path so that it is found in the prompt as that path, or not at all', () => {
  const char = fc.oneof(
    fc.constantFrom(' ', '"', '\\', '.', ')', '@', '/', ',', '\n', '漢'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const path = fc.array(char, { minLength: 1, maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(path, (name) => {
      fc.pre(name !== '@' && name.trim() !== '');
      const written = writtenMention(name);
      if (written !== undefined) expect(findMentions(`see ${written} now`)).toEqual([name]);
      else expect(name).toMatch(/\n|"/);
    }),
    { numRuns: 500 },
  );
});
