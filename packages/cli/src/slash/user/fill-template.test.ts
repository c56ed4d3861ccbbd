import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillCommand, fillText, hasBlanks, splitArguments, splitTemplate } from './fill-template.js';

describe('a template', () => {
  it('is taken apart into text and commands of both notations', () => {
    expect(splitTemplate('Status: !`git status` and !{git diff -- {a,b}}.')).toEqual([
      { kind: 'text', text: 'Status: ' },
      { kind: 'shell', command: 'git status' },
      { kind: 'text', text: ' and ' },
      { kind: 'shell', command: 'git diff -- {a,b}' },
      { kind: 'text', text: '.' },
    ]);
  });

  it.each(['Say hi!', 'a!`b`', 'never closed !{ls', 'a !`` b', '!{}', 'const x = `!`'])('%j is text alone', (text) => {
    expect(splitTemplate(text)).toEqual([{ kind: 'text', text }]);
  });

  it('loses no character (law)', () => {
    const piece = fc.constantFrom('a', ' ', '!', '`', '{', '}', '\n', '$1', '!{ls}', '!`ls`');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const template = pieces.join('');
        const parts = splitTemplate(template);
        let rest = template;
        for (const part of parts) {
          const text = part.kind === 'text' ? part.text : part.command;
          const at = rest.indexOf(text);
          expect(at).toBeGreaterThanOrEqual(0);
          rest = rest.slice(at + text.length);
        }
        const texts = parts.filter(({ kind }) => kind === 'text').length;
        expect(texts).toBeLessThanOrEqual(parts.length);
      }),
    );
  });
});

describe('blanks', () => {
  it.each([
    ['Fix $ARGUMENTS now', 'a "b c"', 'Fix a "b c" now'],
    ['$1 then $2 then $3', 'a "b c"', 'a then b c then '],
    ['$10 costs $1', 'x', '$10 costs x'],
    ['{{args}} and {{args}}', 'x', 'x and x'],
    ['See @{src/a b.ts}', '', 'See @"src/a b.ts"'],
    ['$ARGUMENTSX', 'x', '$ARGUMENTSX'],
  ])('%j with %j is %j', (template, typed, text) => {
    expect(fillText(template, typed)).toBe(text);
  });

  it('take what is typed as it is: nothing in it is filled again (law)', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(fillText('<$ARGUMENTS>', typed)).toBe(`<${typed}>`);
      }),
    );
    expect(fillText('$ARGUMENTS', '$1 {{args}} !`rm x`')).toBe('$1 {{args}} !`rm x`');
  });

  it('of a command are one word of a shell, whatever is typed', () => {
    expect(fillCommand('grep $1 a.txt', '"x; rm y"')).toBe("grep 'x; rm y' a.txt");
    expect(fillCommand('echo {{args}}', "it's")).toBe(String.raw`echo 'it'\''s'`);
    expect(fillCommand('ls $1', '')).toBe('ls ');
  });

  it('are seen', () => {
    expect(['$ARGUMENTS', '$3', '{{args}}'].every(hasBlanks)).toBe(true);
    expect(['no', '@{a}', '$x'].some(hasBlanks)).toBe(false);
  });
});

it('reads words as a shell does', () => {
  expect(splitArguments(String.raw`a "b \"c\"" 'd e' f"g h"i`)).toEqual(['a', 'b "c"', 'd e', 'fg hi']);
  expect(splitArguments('  ')).toEqual([]);
  expect(splitArguments('it"s')).toEqual(['it"s']);
});
