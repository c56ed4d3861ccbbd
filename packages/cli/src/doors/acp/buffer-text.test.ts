import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownText, withEndingsOf } from './buffer-text.js';

const flat = (text: string): string => text.replaceAll('\r\n', '\n');

describe('a text that an editor tells', () => {
  it('counts where it differs from the disk in more than line endings', () => {
    expect(shownText({ before: 'a\r\n', disk: 'a\r\n', buffer: 'b\n' })).toBe('b\r\n');
    expect(shownText({ before: 'a\r\n', disk: 'b\r\n', buffer: 'b\n' })).toBe('b\r\n');
    expect(shownText({ before: 'a\n', disk: 'b\n', buffer: 'c\n' })).toBe('c\n');
  });

  it('does not count where the editor has not noticed that the file was saved by something else', () => {
    expect(shownText({ before: 'a\n', disk: 'b\n', buffer: 'a\n' })).toBe('b\n');
  });

  it('is all there is of a file that is gone, and nobody has it where the editor does not say either', () => {
    expect(shownText({ before: 'a\r\n', disk: undefined, buffer: 'b\n' })).toBe('b\r\n');
    expect(shownText({ before: 'a\n', disk: undefined, buffer: undefined })).toBeUndefined();
    expect(shownText({ before: 'a\n', disk: 'b', buffer: undefined })).toBe('b');
  });

  it('gets its byte order mark and its line endings back, those of lines around a change one by one', () => {
    expect(withEndingsOf('\ufeffa\r\nb\nc\r\n', 'a\nX\nY\nc\n')).toBe('\ufeffa\r\nX\r\nY\r\nc\r\n');
    expect(withEndingsOf('a\r\nb\n', 'a\nb')).toBe('a\r\nb');
    expect(withEndingsOf('a\r\nb', 'a\nb\n')).toBe('a\r\nb\r\n');
  });

  it('is left as it is by an editor that tells line endings', () => {
    expect(withEndingsOf('a\r\nb\n', 'a\r\nc\n')).toBe('a\r\nc\n');
    expect(withEndingsOf('a\nb\n', 'a\nc')).toBe('a\nc');
  });

  it('differs from the text before in nothing but what was changed, and never in its words', () => {
    const line = fc.tuple(
      fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 }),
      fc.constantFrom('\n', '\r\n'),
    );
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, text, text, fc.constantFrom('x', 'x\n', ''), (start, middle, end, put) => {
        const original = start + middle + end;
        expect(withEndingsOf(original, flat(original))).toBe(original);
        const told = flat(start + put + end);
        const restored = withEndingsOf(original, told);
        expect(flat(restored)).toBe(told);
      }),
    );
    fc.assert(
      fc.property(text, text, (start, end) => {
        const restored = withEndingsOf(`${start}old\r\n${end}`, flat(`${start}new\n${end}`));
        expect([restored.startsWith(start), restored.endsWith(end)]).toEqual([true, true]);
      }),
    );
  });
});
