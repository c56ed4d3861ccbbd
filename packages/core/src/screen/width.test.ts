import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSafe, safeText } from './safe-text.js';
import { createPainter } from './style.js';
import { displayWidth, truncateToWidth } from './width.js';

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['中文', 4],
    ['한글', 4],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['👍', 2],
    ['👨‍👩‍👧', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['a\tb', 9],
    ['\u001b[31mab\u001b[39m', 2],
  ])('counts the columns of %j as %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('truncateToWidth', () => {
  it('cuts between whole characters and says so', () => {
    expect(truncateToWidth(makeSafe('abcdef'), 4)).toBe('abc…');
    expect(truncateToWidth(makeSafe('中文字'), 4)).toBe('中…');
    expect(truncateToWidth(makeSafe('abc'), 3)).toBe('abc');
    expect(truncateToWidth(makeSafe('abc'), 0)).toBe('');
  });

  it('turns colours off behind the cut', () => {
    const red = createPainter(true)('red', makeSafe('abcdef'));
    expect(truncateToWidth(safeText`${red}gh`, 4)).toBe('\u001b[31mabc…\u001b[39m');
  });

  it('is never wider than asked for (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(30), (text, width) => {
        expect(displayWidth(truncateToWidth(makeSafe(text), width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('createPainter', () => {
  it('paints line by line, and not at all without colour', () => {
    const text = makeSafe('a\n\nb', { multiline: true });
    expect(createPainter(true)('green', text)).toBe('\u001b[32ma\u001b[39m\n\n\u001b[32mb\u001b[39m');
    expect(createPainter(false)('green', text)).toBe('a\n\nb');
  });
});
