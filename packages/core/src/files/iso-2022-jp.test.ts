import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { encodeJis, JisDecoder } from './iso-2022-jp.js';
import { readHead, readTextWindow } from './read-text-window.js';
import { textBytes } from './text-bytes.js';
import { decodeText, encodeText } from './text-codec.js';

const ENCODING = 'iso-2022-jp';

/** The first character of each cell of JIS X 0208 that has one. */
const KANJI = Array.from(
  new Set(
    Array.from({ length: 94 * 94 }, (_, at) =>
      iconv.decode(Buffer.from([0xa1 + Math.floor(at / 94), 0xa1 + (at % 94)]), 'euc-jp'),
    ).filter((character) => !character.includes('\ufffd')),
  ),
);
const KANA = Array.from({ length: 63 }, (_, at) => String.fromCodePoint(0xff61 + at));
const ASCII = Array.from(' ~\\[(B$@\n\t\rabcXYZ019');

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...KANJI), fc.constantFrom(...ASCII), fc.constantFrom(...KANA)),
  maxLength: 60,
});

function decodeInPieces(bytes: Buffer, cuts: readonly number[]): string {
  const decoder = new JisDecoder();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const parts = places.slice(1).map((end, at) => decoder.write(bytes.subarray(places[at], end)));
  return parts.join('') + decoder.end();
}

describe('ISO-2022-JP', () => {
  it('is written as the Encoding Standard reads it, and comes back, in pieces of any size', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 12 }), (value, cuts) => {
        const bytes = encodeJis(value);
        expect(new TextDecoder(ENCODING).decode(bytes)).toBe(value);
        expect(decodeInPieces(bytes, cuts)).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  it('decodes anything in pieces as it does at once, without losing a line', () => {
    const piece = fc.oneof(
      fc.constantFrom('\x1b$B', '\x1b$@', '\x1b(B', '\x1b(J', '\x1b(I', '\x1b', '\x1b$', '\x1b[1m', '\n'),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 12 }), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''), 'latin1');
        const whole = decodeInPieces(bytes, []);
        expect(decodeInPieces(bytes, cuts)).toBe(whole);
        expect(whole.split('\n').length).toBe(bytes.toString('latin1').split('\n').length);
      }),
      { numRuns: 1000 },
    );
  });

  it('is known by its escape sequences, and an edit keeps it', async () => {
    const before = 'Subject: 日本語の件名 ｶﾅ〜\nA plain line with \\ and ~\n';
    const bytes = encodeJis(before.replace('〜', '～'));
    const decoded = await decodeText(bytes, 'f');
    expect(decoded).toEqual({ text: before.replace('〜', '～'), encoding: ENCODING, bom: false, faithful: true });
    const after = await encodeText(decoded.text.replace('件名', '題名'), decoded, 'f');
    expect(after.every((byte) => byte < 0x80)).toBe(true);
    expect(new TextDecoder(ENCODING).decode(after)).toBe(decoded.text.replace('件名', '題名'));
    await expect(encodeText('한국', decoded, 'f')).rejects.toMatchObject({ code: 'file_write_failure' });
    // In JIS X 0212.
    await expect(encodeText('丂', decoded, 'f')).rejects.toMatchObject({ code: 'file_write_failure' });
  });

  it('is read in other spellings too, which are not written', async () => {
    const bytes = Buffer.from('a\\b \x1b$@$3$l\x1b(J ~\n', 'latin1');
    expect(await decodeText(bytes, 'f')).toMatchObject({ text: 'a\\b これ ~\n', encoding: ENCODING, faithful: false });
    await expect(textBytes({ path: 'f', content: 'x', like: bytes, overwrite: false })).rejects.toMatchObject({
      code: 'file_write_failure',
    });
  });

  it.each([
    ['colours', '\x1b[31mred\x1b[0m\n'],
    ['colours with a set of characters', '\x1b(B\x1b[m$ ls $B\n'],
    ['a sequence with nothing behind it', 'x \x1b$B\x1b(B\n'],
    ['a sequence without an end', 'x \x1b$B$3$l\nnext line\n'],
    ['half a character', 'x \x1b$B$3$\x1b(B\n'],
    ['text beyond ASCII', 'é \x1b$B$3$l\x1b(B\n'],
  ])('is not what a text with %s is', async (_, value) => {
    const bytes = Buffer.from(value);
    expect(await decodeText(bytes, 'f')).toEqual({ text: value, encoding: 'utf-8', bom: false, faithful: true });
  });

  it('is read as the same from any line of a large file, as an edit reads it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-jis-'));
    const path = join(folder, 'f');
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at}: 行番号はこれです ${'ｶﾅ'.repeat(at % 3)}`);
    const bytes = encodeJis(`${lines.join('\n')}\n`);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    await writeFile(path, bytes);
    const file = await open(path);
    try {
      const head = await readHead(file, bytes.length);
      const { signal } = new AbortController();
      for (const offset of [0, 3_000, 59_990]) {
        const wanted = { offset, column: 0, limit: 5, maxBytes: 10_000 };
        const window = await readTextWindow({ file, size: bytes.length, head, name: path, signal, ...wanted });
        expect(window).toMatchObject({ encoding: ENCODING, lines: lines.slice(offset, offset + 5) });
      }
      expect(await decodeText(bytes, 'f')).toMatchObject({ encoding: ENCODING, faithful: true });
    } finally {
      await file.close();
      await rm(folder, { recursive: true });
    }
  });

  it('is decided by the same first bytes of a file, however much of it is at hand', async () => {
    const late = Buffer.concat([Buffer.from('plain line of text\n'.repeat(80_000)), encodeJis('これ\n')]);
    expect(await decodeText(late, 'f')).toMatchObject({ encoding: 'utf-8' });
    const early = Buffer.concat([encodeJis('これ\n'), Buffer.from('plain line of text\n'.repeat(80_000))]);
    expect(await decodeText(early, 'f')).toMatchObject({ encoding: ENCODING, faithful: true });
    expect(await decodeText(early.subarray(0, 64 * 1024), 'f')).toMatchObject({ encoding: ENCODING });
  });
});
