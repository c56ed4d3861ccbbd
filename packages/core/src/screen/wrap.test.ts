import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedWords } from './diff-words.js';
import { imageLines } from './image-lines.js';
import { joinSafe, makeSafe, safeText, type Safe } from './safe-text.js';
import { createPainter } from './style.js';
import { paintLook } from './text-look.js';
import { isWide } from './wide-characters.js';
import { displayWidth, padToWidth } from './width.js';
import { sliceColumns, wrapSafe } from './wrap.js';

const lines = (text: string): Safe => makeSafe(text, { multiline: true });
const bare = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '');

describe('wrapSafe', () => {
  it.each([
    ['letters', 'x'],
    ['words', 'word '],
    ['characters that are made of two', 'e\u0301'],
    ['looks', '\u001b[31mred\u001b[39m '],
  ])('takes time for the length of a line, not for its square: %s', (_, piece) => {
    const short = piece.repeat(20_000 / piece.length) as Safe;
    const long = piece.repeat(400_000 / piece.length) as Safe;
    const timeOf = (text: Safe): number => {
      const start = performance.now();
      wrapSafe(text, 80);
      return performance.now() - start;
    };
    timeOf(short);
    expect(timeOf(long)).toBeLessThan(Math.max(20, timeOf(short)) * 100);
  });

  it.each([
    ['one two three', 8, ['one two', 'three']],
    ['one  two', 4, ['one', 'two']],
    ['abcdefgh ij', 4, ['abcd', 'efgh', 'ij']],
    ['  indented text here', 12, ['  indented', 'text here']],
    ['中文字符很长', 5, ['中文', '字符', '很长']],
    ['中文，字符', 4, ['中', '文，', '字符']],
    ['中文ab cd', 6, ['中文ab', 'cd']],
    ['a\n\nb', 9, ['a', '', 'b']],
    ['exact fit', 9, ['exact fit']],
    ['trailing    ', 8, ['trailing']],
    [`${' '.repeat(30)}deep`, 8, ['    deep']],
  ])('breaks %j at %i columns', (text, columns, wanted) => {
    expect(wrapSafe(lines(text), columns)).toEqual(wanted);
  });

  it('puts something before the first line and the others', () => {
    expect(wrapSafe(lines('one two three'), 7, { first: safeText`- ` })).toEqual(['- one', '  two', '  three']);
    expect(wrapSafe(lines('a b'), 3, { first: safeText`> `, rest: safeText`> ` })).toEqual(['> a', '> b']);
  });

  it('turns looks off at a break and on again behind it', () => {
    const red = createPainter(true)('red', lines('one two'));
    expect(wrapSafe(safeText`${red} x`, 4)).toEqual(['\u001b[31mone\u001b[39m', '\u001b[31mtwo\u001b[39m', 'x']);
    const look = { foreground: { kind: 'rgb', red: 1, green: 2, blue: 3 }, bold: true } as const;
    expect(wrapSafe(paintLook(look, lines('ab cd')), 2)).toEqual([
      '\u001b[1;38;2;1;2;3mab\u001b[22;39m',
      '\u001b[1;38;2;1;2;3mcd\u001b[22;39m',
    ]);
  });

  it('is never wider than asked for and loses nothing but blanks (property)', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => makeSafe(text)),
      fc.constantFrom(...['word', ' ', '  ', '中文', '👍', 'e\u0301', '👨‍👩‍👧'].map((text) => makeSafe(text))),
      fc.string({ maxLength: 8 }).map((text) => paintLook({ bold: true, underline: true }, makeSafe(text))),
      fc.string({ maxLength: 8 }).map((text) => createPainter(true)('green', makeSafe(text))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 2, max: 30 }), (pieces, columns) => {
        const text = joinSafe(pieces, safeText``);
        const wrapped = wrapSafe(text, columns);
        for (const line of wrapped) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(bare(wrapped.join('')).replaceAll(' ', '')).toBe(bare(text).replaceAll(' ', ''));
      }),
    );
  });
});

describe('columns', () => {
  it('are sliced with the looks that they have', () => {
    const text = safeText`a${createPainter(true)('red', lines('bcd'))}e`;
    expect(sliceColumns(text, 2, 4)).toBe('\u001b[31mcd\u001b[39m');
    expect(sliceColumns(text, 0, 1)).toBe('a');
    expect(sliceColumns(lines('中文字'), 1, 5)).toBe('文');
    expect(padToWidth(lines('中'), 4)).toBe('中  ');
  });

  it.each([
    ['☰', 2],
    ['䷀', 2],
    ['🇩', 1],
    ['🇩🇪', 2],
    ['1️⃣', 2],
    ['👋🏽', 2],
    ['กำ', 2],
    ['한', 2],
    ['ﾊﾟ', 2],
    ['⻴', 1],
    ['a\u0301b', 2],
    ['é中e', 4],
    ['क्षि', 2],
  ])('of %s are %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

it('knows the wide characters of Unicode 17, as many as there are', () => {
  let count = 0;
  for (let code = 0; code < 0x110000; code += 1) if (isWide(code)) count += 1;
  expect(count).toBe(183_866);
});

describe('changedWords', () => {
  it('tells what is different in a line', () => {
    expect(changedWords('let a = 1;', 'let b = 1;')?.after.filter((part) => part.isChanged)).toEqual([
      { text: 'b', isChanged: true },
    ]);
    expect(changedWords('completely other', 'nothing like it at all')).toBeUndefined();
    expect(changedWords('x'.repeat(1000), 'x'.repeat(1000))).toBeUndefined();
  });
});

describe('imageLines', () => {
  const image = { data: 'QUJD', mimeType: 'image/png', columns: 4, rows: 3 };
  it('make room, draw and come back', () => {
    const drawn = imageLines(image, 'kitty');
    expect(drawn).toHaveLength(3);
    expect(drawn?.[2]).toBe('\u001b7\u001b[2A\u001b_Ga=T,f=100,q=2,C=1,c=4,r=3,m=0;QUJD\u001b\\\u001b8');
    expect(displayWidth(drawn?.[2] ?? '')).toBe(0);
    expect(imageLines({ ...image, rows: 1 }, 'iterm2')?.[0]).toContain('1337;File=inline=1;width=4;height=1');
  });

  it('carry nothing but base64, and only what the terminal shows', () => {
    expect(imageLines({ ...image, data: 'QUJD\u001b]0;x' }, 'kitty')).toBeUndefined();
    expect(imageLines({ ...image, mimeType: 'image/jpeg' }, 'kitty')).toBeUndefined();
    expect(imageLines({ ...image, mimeType: 'image/jpeg' }, 'iterm2')).toBeDefined();
    expect(imageLines({ ...image, mimeType: 'image/svg+xml' }, 'iterm2')).toBeUndefined();
  });
});
