import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inQuotes, onOneLine, pathLine, pathOnOneLine, quoted, shortened } from './search-text.js';

describe('a text on one line', () => {
  it.each([
    ['a line break', 'a\nb', String.raw`"a\nb"`],
    ['a control character that JSON leaves alone', 'a\u0085b\u007f', String.raw`"a\u0085b\u007f"`],
    ['a line separator', 'a\u2028b', String.raw`"a\u2028b"`],
    ['marks of direction', 'a\u202egpj.exe\u2066\u2069\u200f', String.raw`"a\u202egpj.exe\u2066\u2069\u200f"`],
    ['an invisible character', 'ad\u200bmin\ufeff', String.raw`"ad\u200bmin\ufeff"`],
    ['invisible letters beyond the first plane', 'a\u{e0041}', String.raw`"a\udb40\udc41"`],
    ['a blank that looks like a space', 'at 9\u202fAM\u00a0', String.raw`"at 9\u202fAM\u00a0"`],
    ['bytes that are no UTF-8', 'caf\udce9', String.raw`"caf\udce9"`],
  ])('shows %s', (_what, text, shown) => {
    expect(onOneLine(text)).toBe(shown);
    expect(JSON.parse(shown)).toBe(text);
  });

  it.each(['plain name.txt', 'größe', '日本\u3000語', '👩\u200d💻.md', 'می\u200cخواهم', '"quoted"'])(
    'leaves %s as it is',
    (text) => {
      expect(onOneLine(text)).toBe(text);
    },
  );

  it('is a JSON string where a number might be taken for that of a line', () => {
    expect(pathOnOneLine('x:12:y')).toBe('"x:12:y"');
    expect(pathOnOneLine('x:12y')).toBe('x:12y');
    expect(pathOnOneLine('x (2 matches)')).toBe('"x (2 matches)"');
    expect(pathOnOneLine('x (2)')).toBe('x (2)');
  });

  it('is a JSON string where a blank at the end of a path would not be seen', () => {
    for (const shown of [pathLine, pathOnOneLine]) {
      expect(shown('/a/b ')).toBe('"/a/b "');
      expect(shown('/a /b')).toBe('/a /b');
    }
  });

  it('has quotes once', () => {
    expect(inQuotes('*.ts')).toBe('"*.ts"');
    expect(inQuotes('a\nb')).toBe(String.raw`"a\nb"`);
  });

  it('can be read back when it is quoted, and holds nothing that misleads', () => {
    const unit = fc.constantFrom('a', '"', '\\', '\n', '\u202e', '\u{e0041}', '\udc80', '\ud83d', '😀', ' ', '\u2028');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(JSON.parse(quoted(text))).toBe(text);
        expect(quoted(text)).not.toMatch(/(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u);
      }),
    );
  });
});

it('a text that is too long loses its middle, and no character is broken', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '😀', 'é') }), fc.integer({ min: 3, max: 20 }), (text, most) => {
      const short = shortened(text, most);
      expect(short.length).toBeLessThanOrEqual(most);
      expect(short).not.toMatch(/\p{Surrogate}/u);
      expect(short === text || short.includes('…')).toBe(true);
    }),
  );
});
