import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinWords, splitWords } from './split-words.js';

describe('splitWords', () => {
  it.each([
    ['python3 tools.py', ['python3', 'tools.py']],
    ['  a\t b  ', ['a', 'b']],
    [`sh -c 'echo "$HOME" | wc'`, ['sh', '-c', 'echo "$HOME" | wc']],
    [`"my program" --name="x y" ''`, ['my program', '--name=x y', '']],
    [String.raw`my\ program a\"b "a\"b\\c\d"`, ['my program', 'a"b', 'a"b\\c\\d']],
    ['a \\\n b', ['a', 'b']],
    ['a b\\\nc "d\\\ne"', ['a', 'bc', 'de']],
    [`a"b"'c'd`, ['abcd']],
    [String.raw`"\$HOME" \* \$x`, ['$HOME', '*', '$x']],
    ['ünï 🎉', ['ünï', '🎉']],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it.each([
    ['a | b', '`|`'],
    ['a && b', '`&`'],
    ['a; b', '`;`'],
    ['a > b', '`>`'],
    ['a $HOME', '`$`'],
    ['a `b`', '``'],
    ['a *.py', '`*`'],
    ['a [x]', '`[`'],
    ['a {b,c}', '`{`'],
    ['~/bin/a', '`~`'],
    ['a # b', '`#`'],
    ['a\nb', 'line end'],
    ['a\r', 'line end'],
    ['a "$HOME"', 'single quotes'],
    [`a 'b`, 'single quote is not closed'],
    ['a "b', 'double quote is not closed'],
    ['a \\', 'backslash'],
    ['', 'names no program'],
    ['  ', 'names no program'],
    [`'' a`, 'names no program'],
    ['A=1 b', 'env NAME=value'],
    ['a \0', 'NUL'],
  ])('refuses %j and says why, and that a script would do', (text, reason) => {
    let message = '';
    try {
      splitWords(text);
    } catch (thrown) {
      message = String(thrown);
    }
    expect(message).toContain(reason);
    expect(message).toContain('put it into a script');
  });

  it('may keep the backslashes of paths', () => {
    const text = String.raw`C:\Python\python.exe "C:\my tools\x.py" 'a\b'`;
    const words = [String.raw`C:\Python\python.exe`, String.raw`C:\my tools\x.py`, String.raw`a\b`];
    expect(splitWords(text, { keepsBackslashes: true })).toEqual(words);
  });

  it('gives back what was joined, with either option', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    const words = fc.tuple(word.filter(Boolean), fc.array(word)).map(([first, rest]) => [first, ...rest]);
    fc.assert(
      fc.property(words, fc.boolean(), (list, keepsBackslashes) => {
        expect(splitWords(joinWords(list), { keepsBackslashes })).toEqual(list);
      }),
    );
  });

  it.skipIf(process.platform === 'win32')(
    'splits what it accepts as bash does',
    () => {
      const unit = fc.constantFrom(...Array.from(`ab=!^%]},:.-+@é/ \t\\"'$|~{*\n`));
      let accepted = 0;
      fc.assert(
        fc.property(fc.string({ unit, maxLength: 16 }), (tail) => {
          const text = `word ${tail}`;
          let words: string[];
          try {
            words = splitWords(text);
          } catch {
            return;
          }
          accepted += 1;
          const script = `printf '%s\\0' ${text}`;
          const printed = execFileSync('/bin/bash', ['--norc', '-c', script], { encoding: 'utf8', env: {} });
          expect(printed.split('\0').slice(0, -1)).toEqual(words);
        }),
        { numRuns: 600 },
      );
      expect(accepted).toBeGreaterThan(30);
    },
    60_000,
  );
});
