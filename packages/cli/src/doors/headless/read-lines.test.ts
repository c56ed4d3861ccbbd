import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines, type InputLine } from './read-lines.js';

async function linesOf(chunks: readonly Buffer[], maxBytes = 1_000): Promise<InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of readLines(Readable.from(chunks), maxBytes, new AbortController().signal)) lines.push(line);
  return lines;
}

it('gives the same lines however the input is cut', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 })), async (texts, sizes) => {
      const bytes = Buffer.from(texts.join('\n'));
      const chunks: Buffer[] = [];
      for (let start = 0, turn = 0; start < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? bytes.length;
        chunks.push(bytes.subarray(start, start + size));
        start += size;
      }
      const wanted = texts.flatMap((text, index) => (text.trim() === '' ? [] : [{ number: index + 1, text }]));
      expect(await linesOf(chunks)).toEqual(wanted.map(({ number, text }) => ({ number, text: withoutMark(text) })));
    }),
  );
});

/** What a decoder of UTF-8 takes off, as it should. */
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

it('loses only the line that is too long or not UTF-8', async () => {
  const lines = await linesOf(
    [Buffer.from('good\n'), Buffer.alloc(50, 'x'), Buffer.from('x\n\xff\n', 'latin1'), Buffer.from('last')],
    40,
  );
  expect(lines).toEqual([
    { number: 1, text: 'good' },
    { number: 2, problem: expect.stringContaining('longer than 40 bytes') as string },
    { number: 3, problem: 'The line is not UTF-8 text.' },
    { number: 4, text: 'last' },
  ]);
});

it('ends when it is told to, though the input stays open', async () => {
  const input = new PassThrough();
  const ending = new AbortController();
  input.write('one\nunfinished');
  const lines: InputLine[] = [];
  for await (const line of readLines(input, 100, ending.signal)) {
    lines.push(line);
    setTimeout(() => ending.abort(), 10);
  }
  expect(lines).toEqual([{ number: 1, text: 'one' }]);
});
