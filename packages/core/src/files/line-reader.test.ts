import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHead, readTextWindow, type TextWindow } from './read-text-window.js';

interface Wanted {
  readonly offset?: number;
  readonly column?: number;
  readonly limit?: number;
  readonly maxBytes?: number;
}

describe('readTextWindow', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-lines-'));
    path = join(folder, 'f');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(wanted: Wanted = {}): Promise<TextWindow> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const head = await readHead(file, size);
      const { signal } = new AbortController();
      const defaults = { offset: 0, column: 0, limit: 2000, maxBytes: 48_000 };
      return await readTextWindow({ file, size, head, name: path, signal, ...defaults, ...wanted });
    } finally {
      await file.close();
    }
  }

  async function readBytes(bytes: string | Uint8Array, wanted: Wanted = {}): Promise<TextWindow> {
    await writeFile(path, bytes);
    return read(wanted);
  }

  it('gives lines byte for byte, carriage returns and spaces included', async () => {
    const window = await readBytes('a  \r\n\tb\n\nlast');
    expect(window.lines).toEqual(['a  \r', '\tb', '', 'last']);
    expect(window).toMatchObject({ totalLines: 4, totalIsExact: true, endsWithBreak: false, nextOffset: undefined });
  });

  it('says where to go on, and the total', async () => {
    const window = await readBytes('1\n2\n3\n4\n', { offset: 1, limit: 2 });
    expect(window).toMatchObject({ lines: ['2', '3'], nextOffset: 3, totalLines: 4, endsWithBreak: true });
  });

  it('gives nothing past the end, with the total', async () => {
    expect(await readBytes('1\n2\n', { offset: 2 })).toMatchObject({ lines: [], totalLines: 2, nextOffset: undefined });
    expect(await readBytes('', { offset: 0 })).toMatchObject({ lines: [], totalLines: 0 });
  });

  it('stops before a line that does not fit rather than cut it', async () => {
    const window = await readBytes(`short\n${'x'.repeat(500)}\nend\n`, { maxBytes: 100 });
    expect(window).toMatchObject({ lines: ['short'], nextOffset: 1, cutColumn: undefined, totalLines: 3 });
  });

  it('cuts a line that is over the limit alone, and goes on at the column it names', async () => {
    const line = 'aé€😀'.repeat(100);
    await writeFile(path, `${line}\nend\n`);
    let column = 0;
    let text = '';
    for (let step = 0; step < 100; step += 1) {
      const window = await read({ column, limit: 1, maxBytes: 64 });
      expect(window.startColumn).toBe(column);
      text += window.lines[0] ?? '';
      if (window.cutColumn === undefined) break;
      column = window.cutColumn;
    }
    expect(text).toBe(line);
  });

  it('takes a column inside a character as the next character, and one past the end as the end', async () => {
    expect(await readBytes('a€b\nc\n', { column: 2, limit: 1 })).toMatchObject({ lines: ['b'], startColumn: 4 });
    expect(await readBytes('ab\nc\n', { column: 9 })).toMatchObject({ lines: ['', 'c'], startColumn: 2 });
  });

  it('reads UTF-16 and legacy files by lines', async () => {
    const text = 'größe\r\nzwei “Wörter” über Straßen\nend\n';
    for (const encoding of ['utf-16le', 'utf-16be', 'windows-1252']) {
      const window = await readBytes(iconv.encode(text, encoding, { addBOM: false }), { offset: 1, limit: 1 });
      expect(window).toMatchObject({ lines: ['zwei “Wörter” über Straßen'], encoding, totalLines: 3 });
    }
  });

  it('finds out late that a large file is not UTF-8', async () => {
    const ascii = 'plain ascii line\n'.repeat(100_000);
    const legacy = iconv.encode('Straße nach Österreich, schöne Grüße\n', 'windows-1252');
    const window = await readBytes(Buffer.concat([Buffer.from(ascii), legacy]), { offset: 100_000 });
    expect(window).toMatchObject({ lines: ['Straße nach Österreich, schöne Grüße'], encoding: 'windows-1252' });
  });

  it('says "at least" where counting to the end would be dear', async () => {
    await writeFile(path, `one\ntwo\n${'three\n'.repeat(20_000)}`);
    await truncate(path, 400 * 1024 * 1024);
    expect(await read({ limit: 2 })).toMatchObject({ lines: ['one', 'two'], totalIsExact: false, nextOffset: 2 });
  });

  it('keeps its memory small whatever the length of a line', async () => {
    await writeFile(path, 'start\n');
    const file = await open(path, 'a');
    const block = Buffer.alloc(1024 * 1024, 'x');
    for (let index = 0; index < 300; index += 1) await file.write(block);
    await file.close();
    const before = process.memoryUsage().rss;
    const window = await read({ offset: 1, column: 200 * 1024 * 1024, limit: 1 });
    expect(window.lines[0]?.length).toBe(48_000);
    expect(window.cutColumn).toBe(200 * 1024 * 1024 + 48_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('gives every line exactly once when a file is read window by window', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\r', 'é', '€', '😀'), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 260, max: 400 }),
        async (lines, limit, maxBytes) => {
          const text = lines.join('\n');
          await writeFile(path, text);
          const expected = text === '' ? [] : text.replace(/\n$/, '').split('\n');
          const seen: string[] = [];
          let offset: number | undefined = 0;
          while (offset !== undefined) {
            const window: TextWindow = await read({ offset, limit, maxBytes });
            expect(window.totalLines).toBe(expected.length);
            seen.push(...window.lines);
            offset = window.nextOffset;
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});
