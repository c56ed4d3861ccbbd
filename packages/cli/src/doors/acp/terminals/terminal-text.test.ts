import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalText } from './terminal-text.js';

function shown(...pieces: (string | Uint8Array)[]): string {
  const text = new TerminalText();
  return pieces.map((piece) => text.next(Buffer.from(piece))).join('');
}

describe('what of an output may reach the terminal of an editor', () => {
  it('is its text with colours, returns and moves within it', () => {
    const text = 'a\tb\r\n\x1b[1;31mred\x1b[0m 50 %\r\x1b[K100 %\b\x1b[2Aé漢😀\n';
    expect(shown(text)).toBe(text);
  });

  it.each([
    ['a title', '\x1b]0;gotcha\x07'],
    ['a clipboard', '\x1b]52;c;Z290Y2hh\x1b\\'],
    ['a link', '\x1b]8;;file:///etc/passwd\x1b\\'],
    ['a device control string', '\x1bP$qm\x1b\\'],
    ['a question to the terminal', '\x1b[6n'],
    ['another screen', '\x1b[?1049h'],
    ['a reset', '\x1bc'],
    ['a C1 string', '\u009d0;gotcha\u009c'],
    ['a bell', '\x07'],
    ['a byte of 0', '\0'],
  ])('is not %s', (_, sequence) => {
    expect(shown(`before${sequence}after`)).toBe('beforeafter');
  });

  it('is the same however the bytes come', () => {
    const part = fc.constantFrom(
      '\x1b',
      '[',
      ']',
      '0',
      ';',
      'm',
      'K',
      '\x07',
      '\n',
      '\0',
      'é',
      '😀',
      '\u009b',
      'P',
      '\\',
      'text',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.nat(200), (parts, at) => {
        const bytes = Buffer.from(`${parts.join('')}\x18\nend`);
        const cut = Math.min(at, bytes.length);
        expect(shown(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(shown(bytes));
      }),
    );
  });

  it('has no escape but those, and no byte of 0, whatever is printed', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 4 }), (pieces) => {
        const rest = shown(...pieces).replaceAll(/\x1b\[[\d;:]*[mKABCDEFGJ]/g, '');
        expect(rest).not.toMatch(/[\0-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
      }),
    );
  });

  it('costs little for a megabyte of sequences that never end', () => {
    const begin = performance.now();
    for (const attack of ['\x1b]', '\u009d', '\x1b[1;', '\x1b', '\u009b']) shown(attack.repeat(300_000), 'x');
    expect(performance.now() - begin).toBeLessThan(3_000);
  });
});
