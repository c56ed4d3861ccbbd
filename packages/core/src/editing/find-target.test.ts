import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReplacements, findTarget, type TargetResult } from './find-target.js';

function find(text: string, oldText: string, newText: string, replaceAll = false): TargetResult {
  return findTarget({ text, oldText, newText, replaceAll });
}

/** The text after the edit and the tier, or why there was none. */
function edit(text: string, oldText: string, newText: string, replaceAll = false): unknown {
  const result = find(text, oldText, newText, replaceAll);
  if (result.found !== 'one-or-all') return result.found;
  return [result.tier, applyReplacements(text, result.replacements)];
}

describe('findTarget', () => {
  it('replaces the one exact match and takes $ literally (S85)', () => {
    expect(edit('a b c', 'b', '$& $1 $$')).toEqual(['exact', 'a $& $1 $$ c']);
  });

  it('refuses two matches, overlapping ones too, and says where they are (S85, S93)', () => {
    expect(find('x\nx\n', 'x', 'y')).toEqual({ found: 'several', tier: 'exact', count: 2, starts: [0, 2] });
    expect(find('aaa', 'aa', 'b')).toMatchObject({ found: 'several', count: 2 });
  });

  it('replaces every match from left to right with replaceAll (S86)', () => {
    expect(edit('aaaa b aa', 'aa', 'c', true)).toEqual(['exact', 'cc b c']);
  });

  it('finds CRLF text by LF and writes CRLF there (S89)', () => {
    expect(edit('a\r\nb\r\nc\r\n', 'a\nb', 'a\nX\nb')).toEqual(['line-endings', 'a\r\nX\r\nb\r\nc\r\n']);
    expect(edit('a\r\nb\r\n', 'b', 'b\nc')).toEqual(['exact', 'a\r\nb\r\nc\r\n']);
    expect(edit('a\nb\nc\n', 'a\r\nb', 'x\r\ny')).toEqual(['line-endings', 'x\ny\nc\n']);
  });

  it('takes the line ending of the place in a file that mixes them (S89)', () => {
    const text = 'unix\nunix2\nwin\r\nwin2\r\n';
    expect(edit(text, 'unix2', 'unix2\nnew')).toEqual(['exact', 'unix\nunix2\nnew\nwin\r\nwin2\r\n']);
    expect(edit(text, 'win\nwin2', 'win\nnew\nwin2')).toEqual(['line-endings', 'unix\nunix2\nwin\r\nnew\r\nwin2\r\n']);
  });

  it('replaces all matches whatever their line endings (S86, S89)', () => {
    expect(edit('a\nb;a\r\nb;', 'a\nb', 'x\ny', true)).toEqual(['line-endings', 'x\ny;x\r\ny;']);
  });

  it('writes line endings as given when they are what changes, or for a whole file', () => {
    expect(edit('a\r\nb\r\n!', 'a\r\nb\r\n', 'a\nb\n')).toEqual(['exact', 'a\nb\n!']);
    expect(edit('a\r\nb\r\n', 'a\r\nb\r\n', 'x\ny\n')).toEqual(['exact', 'x\ny\n']);
  });

  it('finds lines without their trailing white space, and leaves that of context lines alone (K16)', () => {
    const text = 'head  \nold\t\ntail \nrest\n';
    expect(edit(text, 'head\nold\ntail', 'head\nnew\ntail')).toEqual(['trailing-space', 'head  \nnew\ntail \nrest\n']);
    expect(edit('a \nb\n', 'a\nb\n', 'a\nc\n')).toEqual(['trailing-space', 'a \nc\n']);
  });

  it('deletes whole lines when a target with its line end is replaced by nothing', () => {
    expect(edit('a\nb  \nc\n', 'b\n', '')).toEqual(['trailing-space', 'a\nc\n']);
  });

  it('keeps a missing final newline missing', () => {
    expect(edit('a\nb', 'b\n', 'c\n')).toEqual(['trailing-space', 'a\nc']);
  });

  it('finds lines under another uniform indentation and re-indents the new text (K16, S88)', () => {
    const text = 'class A {\n    one() {\n        return 1;\n    }\n}\n';
    const result = edit(text, 'one() {\n    return 1;\n}\n', 'one() {\n    log();\n    return 2;\n}\n');
    const expected = 'class A {\n    one() {\n        log();\n        return 2;\n    }\n}\n';
    expect(result).toEqual(['indentation', expected]);
    expect(edit('\tif (a) {\n\t\tb();\n\t}\n', '  if (a) {\n  \tb();\n  }\n', '  if (c) {\n  \tb();\n  }\n')).toEqual([
      'indentation',
      '\tif (c) {\n\t\tb();\n\t}\n',
    ]);
  });

  it('does not take lines whose indentation differs unevenly, or new text that cannot be shifted', () => {
    expect(edit('  a\n      b\n', 'a\n  b\n', 'x\n')).toBe('none');
    expect(edit('a\n  b\n', '    a\n      b\n', '    a\nouter\n')).toBe('none');
  });

  it('never guesses between candidates of a relaxed tier (K16)', () => {
    expect(find('a \nb\na\t\nb\n', 'a\nb\n', 'x\n')).toMatchObject({
      found: 'several',
      tier: 'trailing-space',
      count: 2,
    });
    expect(find('\ta();\n\n\t\ta();\n', '    a();\n', '    b();\n')).toMatchObject({
      found: 'several',
      tier: 'indentation',
    });
  });

  it('does not take blank lines, substrings or other words for the target', () => {
    expect(edit('a\n\n\nb\n', ' \n \n', 'x')).toBe('none');
    expect(edit('const value = 1;\n', 'const values = 1;\n', 'x')).toBe('none');
  });

  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '{', 'é', '😀', '\ufeff', '$'), maxLength: 8 });
  const ending = fc.constantFrom('\n', '\r\n');
  const file = fc
    .array(fc.tuple(line, ending), { minLength: 1, maxLength: 12 })
    .map((lines) => lines.map(([text, end]) => text + end).join(''));

  it('leaves every byte outside the matched places as it is', () => {
    let applied = 0;
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), line, fc.boolean(), (text, from, length, inserted, blur) => {
        const start = from % text.length;
        const target = text.slice(start, start + 1 + (length % 20));
        const oldText = blur ? target.replaceAll('\r\n', '\n').replace(/[ \t]+$/gm, '') : target;
        if (oldText === '') return;
        const result = find(text, oldText, `${inserted}\n${oldText}`);
        if (result.found !== 'one-or-all') return;
        applied += 1;
        const [{ start: at, end, text: written } = { start: 0, end: 0, text: '' }] = result.replacements;
        const changed = applyReplacements(text, result.replacements);
        expect(changed).toBe(text.slice(0, at) + written + text.slice(end));
        const flat = (value: string): string =>
          value
            .replaceAll('\r\n', '\n')
            .replace(/[ \t]+$/gm, '')
            .trim();
        expect(flat(text.slice(at, end))).toContain(flat(oldText).slice(0, 1));
        // Nothing but line endings of the place may be changed in what is put in.
        expect(written.replace(/\s/g, '')).toBe(`${inserted}${oldText}`.replace(/\s/g, ''));
      }),
      { numRuns: 2000 },
    );
    expect(applied).toBeGreaterThan(300);
  });

  it('gives back exactly the new text when it replaces a whole file', () => {
    fc.assert(
      fc.property(file, file, (text, newText) => {
        fc.pre(text !== newText);
        expect(edit(text, text, newText)).toEqual(['exact', newText]);
      }),
    );
  });
});
