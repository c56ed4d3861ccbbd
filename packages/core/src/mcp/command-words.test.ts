import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinWords } from '../util/split-words.js';
import { commandWords } from './command-words.js';

describe('the words of a command', () => {
  it.each<[unknown, readonly string[] | undefined]>([
    ['helper', ['helper']],
    ["helper --realm 'A B' x", ['helper', '--realm', 'A B', 'x']],
    ['~/bin/helper x', ['~/bin/helper', 'x']],
    ['${DIR}/helper "${A B:-c d}"x', ['${DIR}/helper', '${A B:-c d}x']],
    [
      ['helper', 'a b', '$(x)'],
      ['helper', 'a b', '$(x)'],
    ],
    ['helper | jq', undefined],
    ['helper $(date)', undefined],
    ['helper; rm x', undefined],
    ['helper ~/x', undefined],
    ["helper 'x", undefined],
    ['', undefined],
    ['  ', undefined],
    [[], undefined],
    [[''], undefined],
    [['helper', 1], undefined],
    [['helper', 'a\0b'], undefined],
    [7, undefined],
    [{ command: 'x' }, undefined],
  ])('of %j', (value, words) => {
    expect(commandWords(value)).toEqual(words);
  });

  it('are those that were written, whatever variables are among them', () => {
    const word = fc.array(
      fc.oneof(fc.constantFrom('${A}', '${B:-x y}', ' ', '\uE000', '\uE0001\uE001', "'"), fc.string()),
      {
        minLength: 1,
      },
    );
    const words = fc
      .array(word, { minLength: 1 })
      .map((all) => all.map((parts) => `w${parts.join('').replaceAll('\0', '')}`));
    fc.assert(
      fc.property(words, (all) => {
        // Marks of its own are the one thing that is not given back as it was.
        fc.pre(!all.some((each) => /\uE000\d+\uE001/.test(each)));
        expect(commandWords(joinWords(all))).toEqual(all);
      }),
    );
  });
});
