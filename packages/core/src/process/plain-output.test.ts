import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainOutput } from './plain-output.js';

describe('plainOutput', () => {
  it.each([
    ['nothing to do\n\tat all\n', 'nothing to do\n\tat all\n'],
    ['\x1b[1;31mred\x1b[0m', 'red'],
    ['\x1b[38:2::1:2:3mx\x1b[m', 'x'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1bP+q\x1b\\x\x1b_y\x1b\\', 'x'],
    ['\x9b31mx\x9d0;t\x9cy', 'xy'],
    ['\x1b(Bx\x1b=\x1bMy', 'xy'],
    ['a\r\nb\r\r\nc', 'a\nb\nc'],
    ['10%\r50%\r100%', '100%'],
    ['abc\rX', 'Xbc'],
    ['long text\r\x1b[Kx', 'x'],
    ['long text\x1b[2K\rx', 'x'],
    ['abc\x1b[1Gx', 'xbc'],
    ['N\bNA\bAM\bME\bE _\bx', 'NAME x'],
    ['\r\x1b[32m⠋\x1b[0m wait\r\x1b[K\x1b[32m✔\x1b[0m done', '✔ done'],
    ['🙂🙂\r€', '€🙂'],
    ['be\x07ll\x0b\x0c\x7f', 'bell'],
    ['a\0b', 'a␀b'],
    ['cut \x1b[3', 'cut '],
    ['cut \x1b', 'cut '],
    ['\x1b]0;no end of this\nstays', '0;no end of this\nstays'],
  ])('%j reads %j', (text, expected) => {
    expect(plainOutput(text)).toBe(expected);
  });

  it('leaves nothing that a terminal obeys, and does nothing the second time', () => {
    const unit = fc.constantFrom(
      '\x1b',
      '[',
      ']',
      'P',
      '\\',
      '\x07',
      '\r',
      '\b',
      '\n',
      '\t',
      '\0',
      '3',
      ';',
      'm',
      'K',
      'G',
      '\x9b',
      '\x9c',
      '\x9d',
      'a',
      '🙂',
      ' ',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const plain = plainOutput(text);
        expect(plain).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(plainOutput(plain)).toBe(plain);
        expect(plain.split('\n').length).toBe(text.split('\n').length);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to the text', () => {
    for (const piece of [
      '\x1b]',
      '\x1b[',
      '\x1b[1',
      '\r',
      'a\r',
      'a\b',
      '\x1b[99G',
      '\x1bP\x1b',
      '\x9d',
      'ab\x1b[2K\r',
      '\x1b[K',
      '\x1b[1K',
    ]) {
      const text = `x\r${'y'.repeat(20_000)}${piece.repeat(100_000 / piece.length)}x`;
      const begin = performance.now();
      plainOutput(text);
      expect(performance.now() - begin, JSON.stringify(piece)).toBeLessThan(500);
    }
  });
});
