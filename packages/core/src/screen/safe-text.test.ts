import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSafe, safeText } from './safe-text.js';

const multiline = { multiline: true };

describe('makeSafe', () => {
  it.each([
    ['an escape sequence', '\u001b[31mred', String.raw`\u{1b}[31mred`],
    ['a title change', '\u001b]0;x\u0007', String.raw`\u{1b}]0;x\u{7}`],
    ['a clipboard write', '\u001b]52;c;eA==\u001b\\', String.raw`\u{1b}]52;c;eA==\u{1b}` + '\\'],
    ['a C1 control', '\u009b31m', String.raw`\u{9b}31m`],
    ['a carriage return', 'rm -rf x\recho hi', String.raw`rm -rf x\recho hi`],
    ['backspace and delete', 'a\u0008\u007f', String.raw`a\u{8}\u{7f}`],
    ['NUL', 'a\0b', String.raw`a\u{0}b`],
    ['direction marks', 'a\u202eb\u2066c', String.raw`a\u{202e}b\u{2066}c`],
    ['zero-width characters', 'a\u200bb\ufeffc\u2060d', String.raw`a\u{200b}b\u{feff}c\u{2060}d`],
    ['tag characters', 'a\u{e0041}', String.raw`a\u{e0041}`],
    ['variation selectors on a letter', 'a\ufe0fb\u{e0101}', String.raw`a\u{fe0f}b\u{e0101}`],
    ['a lone surrogate', 'a\ud800b', String.raw`a\u{d800}b`],
    ['unusual blanks', 'a\u00a0b\u2003c', String.raw`a\u{a0}b\u{2003}c`],
    ['line and paragraph separators', 'a\u2028b\u2029c', String.raw`a\u{2028}b\u{2029}c`],
    ['fillers that look like nothing', 'a\u3164b\u2800c\u00adc', String.raw`a\u{3164}b\u{2800}c\u{ad}c`],
    ['private characters', 'a\ue000', String.raw`a\u{e000}`],
    ['a joiner outside emoji', 'a\u200db', String.raw`a\u{200d}b`],
  ])('shows %s', (_, text, shown) => {
    expect(makeSafe(text)).toBe(shown);
    expect(makeSafe(text, multiline)).toBe(shown);
  });

  it.each([
    'plain text with "quotes" and \\backslashes',
    '中文，日本語（テスト）、한국어',
    '　段落',
    'Ünïcode e\u0301 Ελληνικά Русский עברית العربية हिन्दी ไทย',
    '👍 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ ⚠️ 1️⃣ 🇩🇪 👋🏽 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '→ • ✓ … “quoted” — ½ ∑ ┌─┐',
  ])('leaves ordinary text as it is: %s', (text) => {
    expect(makeSafe(text)).toBe(text);
  });

  it('keeps line feeds and tabs only where several lines are wanted', () => {
    expect(makeSafe('a\n\tb', multiline)).toBe('a\n\tb');
    expect(makeSafe('a\n\tb')).toBe(String.raw`a\n\tb`);
    expect(makeSafe('a\r\nb', multiline)).toBe('a\\r\nb');
  });

  it('counts long runs of blanks and empty lines', () => {
    expect(makeSafe(`ls${' '.repeat(200)}; rm x`)).toBe('ls[200 blanks]; rm x');
    expect(makeSafe(`a${' '.repeat(40)}b`)).toBe(`a${' '.repeat(40)}b`);
    expect(makeSafe(`a${'\n'.repeat(60)}b`, multiline)).toBe('a\n[59 empty lines]\nb');
    expect(makeSafe(`a${' \n'.repeat(60)}b`, multiline)).toBe('a \n[59 empty lines]\nb');
    expect(makeSafe('a\n\n\nb', multiline)).toBe('a\n\n\nb');
  });

  it('shows accents beyond what a letter can bear', () => {
    const shown = makeSafe(`a${'\u0301'.repeat(20)}b`);
    expect(shown.startsWith(`a${'\u0301'.repeat(8)}${String.raw`\u{301}`}`)).toBe(true);
    expect(shown.endsWith('b')).toBe(true);
  });

  it('says how much it leaves out, in characters', () => {
    expect(makeSafe('abcdef', { maxLength: 4 })).toBe('abcd… [2 more characters]');
    expect(makeSafe('👍👍👍', { maxLength: 1 })).toBe('👍… [2 more characters]');
    expect(makeSafe('abcd', { maxLength: 4 })).toBe('abcd');
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({
      unit: fc.constantFrom(
        '\u001b',
        '\n',
        '\t',
        ' ',
        '\u202e',
        '\u200d',
        '\ufe0f',
        '👍',
        '❤',
        '\u0301',
        '\ud83d',
        'a',
        '\r',
        '\u3000',
      ),
    }),
    fc.array(fc.constantFrom(' '.repeat(30), '\n\n\n\n\n', 'x', '\u001b[2J')).map((parts) => parts.join('')),
  );
  const FORBIDDEN =
    /(?![\n\t])[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00a0]/u;

  it('lets nothing through that a terminal obeys or hides (property)', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, several) => {
        const shown = makeSafe(text, { multiline: several });
        expect(FORBIDDEN.exec(shown)).toBeNull();
        if (!several) expect(shown).not.toMatch(/[\n\t]/);
      }),
      { numRuns: 2000 },
    );
  });

  it('changes nothing the second time (property)', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, several) => {
        const once = makeSafe(text, { multiline: several });
        expect(makeSafe(once, { multiline: several })).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves printable ASCII as it is (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), (text) => {
        fc.pre(!/ {41}/.test(text));
        expect(makeSafe(text)).toBe(text);
      }),
    );
  });

  it('takes a megabyte of any text in well under a second', () => {
    const texts = [
      '中'.repeat(1e6),
      '\u202e'.repeat(3e5),
      'é\n'.repeat(5e5),
      ' \n'.repeat(5e5),
      `${' '.repeat(1e6)}é`,
      '\u0301'.repeat(3e5),
    ];
    for (const text of texts) {
      const start = performance.now();
      makeSafe(text, multiline);
      expect(performance.now() - start).toBeLessThan(1500);
    }
  });
});

describe('safeText', () => {
  it('joins literals with safe values', () => {
    expect(safeText`a ${makeSafe('\u0007')} ${3}`).toBe(String.raw`a \u{7} 3`);
  });
});
