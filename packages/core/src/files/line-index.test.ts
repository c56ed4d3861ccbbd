import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stampOf } from './file-versions.js';
import { afterLastLineFeed, afterLineFeed, countLineFeeds, lineFeedOf } from './line-feeds.js';
import { LineIndex, LineIndexes } from './line-index.js';
import { readHead, readTextWindow, type TextWindow } from './read-text-window.js';

interface Wanted {
  readonly offset: number;
  readonly column: number;
  readonly limit: number;
  readonly maxBytes: number;
}

const narrow = lineFeedOf('utf-8');

describe('line feeds', () => {
  it('are found in every encoding as in its text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'Ċ', '਀', '\r', '😀'), maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'),
        fc.nat(5),
        (value, encoding, shift) => {
          const encoded = iconv.encode(value, encoding, { addBOM: false });
          // At any alignment in memory.
          const bytes = Buffer.concat([Buffer.alloc(shift), encoded]).subarray(shift);
          const feed = lineFeedOf(encoding);
          const count = value.split('\n').length - 1;
          const sizeOf = (part: string): number => iconv.encode(part, encoding, { addBOM: false }).length;
          expect(countLineFeeds(bytes, feed)).toBe(count);
          expect(afterLineFeed(bytes, feed, count + 1)).toBe(-1);
          if (count === 0) return;
          const last = sizeOf(value.slice(0, value.lastIndexOf('\n') + 1));
          expect(afterLastLineFeed(bytes, feed)).toBe(last);
          expect(afterLineFeed(bytes, feed, count)).toBe(last);
        },
      ),
    );
  });

  it('are counted among bytes of any kind', () => {
    const line = fc.uint8Array({ maxLength: 12 });
    const many = fc.tuple(fc.array(line, { maxLength: 60 }), fc.nat(40), fc.nat(5)).map(([lines, times, shift]) => {
      const text = Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')]));
      return Buffer.concat([Buffer.alloc(shift), ...Array.from({ length: times }, () => text)]).subarray(shift);
    });
    fc.assert(
      fc.property(many, (bytes) => {
        expect(countLineFeeds(bytes, narrow)).toBe(bytes.filter((byte) => byte === 0x0a).length);
      }),
    );
  });

  it('are never a second byte of a character in the encodings of East Asia', () => {
    const leads = Array.from({ length: 128 }, (_, index) => 128 + index);
    for (const encoding of ['shift_jis', 'gb18030', 'big5', 'euc-jp', 'euc-kr']) {
      const bytes = Buffer.from(leads.flatMap((lead) => [lead, 0x0a]));
      const text = iconv.decode(bytes, encoding);
      expect(text.split('\n').length - 1, encoding).toBe(leads.length);
    }
  });
});

describe('LineIndex', () => {
  it('has one place at most for each 4096th part of what it scanned, and still finds every line', () => {
    const index = new LineIndex(narrow);
    const line = Buffer.from(`${'x'.repeat(1023)}\n`);
    const block = Buffer.concat(Array.from({ length: 4096 }, () => line));
    for (let at = 0; at < 300; at += 1) index.append(at * block.length, block);
    expect(index.furthest).toEqual({ position: 300 * block.length, lines: 300 * 4096, lineStart: 300 * block.length });
    expect(index.places).toBeLessThanOrEqual(4096);
    const place = index.placeBefore(777_777);
    const reach = (place?.position ?? 0) + (place?.bytes ?? 0);
    expect(place?.position).toBeLessThanOrEqual(777_777 * 1024);
    expect(reach).toBeGreaterThanOrEqual(777_777 * 1024);
    expect(place?.bytes).toBeLessThanOrEqual(1024 * 1024);
  });

  it('takes the same bytes twice, in pieces of any size, as once', () => {
    const bytes = Buffer.from('ab\nc\n\n\nlast'.repeat(40_000));
    const once = new LineIndex(narrow);
    once.append(0, bytes);
    fc.assert(
      fc.property(fc.array(fc.nat(200_000), { maxLength: 8 }), (starts) => {
        const index = new LineIndex(narrow);
        for (const start of starts) {
          const at = Math.min(start, index.furthest.position);
          index.append(at, bytes.subarray(at, at + 100_000));
        }
        index.append(index.furthest.position, bytes.subarray(index.furthest.position));
        expect(index.furthest).toEqual(once.furthest);
        expect(index.placeBefore(99_999)).toEqual(once.placeBefore(99_999));
      }),
      { numRuns: 30 },
    );
  });
});

describe('LineIndexes', () => {
  it('forgets the file used least recently, and every older version', () => {
    const indexes = new LineIndexes();
    const index = new LineIndex(narrow);
    for (let file = 0; file < 200; file += 1) {
      indexes.keep({ path: `/f${file}`, stamp: 'a' }, index);
      indexes.find({ path: '/f0', stamp: 'a' }, narrow);
    }
    expect(indexes.size).toBe(64);
    expect(indexes.find({ path: '/f0', stamp: 'a' }, narrow)).toBe(index);
    expect(indexes.find({ path: '/f1', stamp: 'a' }, narrow)).toBeUndefined();
    expect(indexes.find({ path: '/f199', stamp: 'b' }, narrow)).toBeUndefined();
    expect(indexes.find({ path: '/f199', stamp: 'a' }, lineFeedOf('utf-16le'))).toBeUndefined();
  });
});

describe('a window read with an index', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-index-'));
    path = join(folder, 'f');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(wanted: Wanted, indexes?: LineIndexes): Promise<TextWindow> {
    const file = await open(path);
    try {
      const stat = await file.stat();
      const head = await readHead(file, stat.size);
      const { signal } = new AbortController();
      const index = indexes === undefined ? {} : { index: { indexes, key: { path, stamp: stampOf(stat) } } };
      return await readTextWindow({ file, size: stat.size, head, name: path, signal, ...wanted, ...index });
    } finally {
      await file.close();
    }
  }

  /** Lines of very different lengths, more than a head of the file. */
  function makeText(seed: readonly number[], characters: readonly string[]): string {
    const lines = seed.map((number, at) => (characters[number % 6] ?? '').repeat((number * (at + 7)) % 4001));
    let text = '';
    while (text.length < 700_000) text += `${lines.join('\n')}\n${'short\n'.repeat(300)}`;
    return `${text}${'long '.repeat(90_000)}\n${lines.join('\n')}`;
  }

  const UNICODE = ['a', 'é', '€', '😀', 'xyz ', '\r'];
  /** Chinese that is taken for nothing else, after a line that says so. */
  const CHINESE = ['a', '这是一个文件 ', '我们在这里搜索 ', '文', 'xyz ', '\r'];

  it.each([
    ['utf-8', UNICODE],
    ['utf-16le', UNICODE],
    ['utf-16be', UNICODE],
    ['gbk', CHINESE],
  ])('equals one read without, in %s', async (encoding, characters) => {
    const line = fc.oneof(fc.nat(3000), fc.nat(20_000));
    const wanted = fc.record({
      offset: line,
      column: fc.oneof(fc.constant(0), fc.nat(4000), fc.nat(400_000)),
      limit: fc.integer({ min: 1, max: 40 }),
      maxBytes: fc.integer({ min: 200, max: 30_000 }),
    });
    const seeds = fc.array(fc.nat(5000), { minLength: 5, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(seeds, fc.array(wanted, { minLength: 2, maxLength: 8 }), async (seed, requests) => {
        const text = `这是一个用来测试编码检测的中文文本文件，我们在这里搜索。\n${makeText(seed, characters)}`;
        await writeFile(path, iconv.encode(text, encoding, { addBOM: encoding.startsWith('utf-16') }));
        await wait(120);
        const indexes = new LineIndexes();
        const without: TextWindow[] = [];
        for (const request of requests) without.push(await read(request));
        expect(new Set(without.map((window) => window.encoding))).toEqual(new Set([encoding]));
        for (const [at, request] of [...requests, ...requests].entries())
          expect(await read(request, indexes)).toEqual(without[at % requests.length]);
        expect(indexes.size).toBe(1);
      }),
      { numRuns: 6 },
    );
  });

  it('is not kept for a file that was changed a moment ago: its stamp may not tell the next change', async () => {
    const indexes = new LineIndexes();
    await writeFile(path, 'line\n'.repeat(300_000));
    await read({ offset: 200_000, column: 0, limit: 1, maxBytes: 1000 }, indexes);
    expect(indexes.size).toBe(0);
  });

  it('is not used for another version of the file', async () => {
    const indexes = new LineIndexes();
    await writeFile(path, 'line\n'.repeat(300_000));
    await wait(120);
    const wanted = { offset: 200_000, column: 0, limit: 1, maxBytes: 1000 };
    await read(wanted, indexes);
    await writeFile(path, 'a longer line\n'.repeat(300_000));
    expect((await read(wanted, indexes)).lines).toEqual(['a longer line']);
  });

  it('is right when several reads of the same file run at once', async () => {
    const indexes = new LineIndexes();
    await writeFile(path, Array.from({ length: 400_000 }, (_, at) => `line ${at}\n`).join(''));
    await wait(120);
    await read({ offset: 10_000, column: 0, limit: 1, maxBytes: 1000 }, indexes);
    const offsets = [399_999, 250_000, 5, 399_000, 123_456];
    const windows = await Promise.all(
      offsets.map((offset) => read({ offset, column: 0, limit: 1, maxBytes: 1000 }, indexes)),
    );
    expect(windows.map(({ lines }) => lines)).toEqual(offsets.map((offset) => [`line ${offset}`]));
  });

  it('ends at once when it is cancelled', async () => {
    await writeFile(path, 'line\n'.repeat(400_000));
    const file = await open(path);
    const { size } = await file.stat();
    const head = await readHead(file, size);
    const signal = AbortSignal.abort();
    const wanted = { offset: 399_999, column: 0, limit: 1, maxBytes: 1000 };
    await expect(readTextWindow({ file, size, head, name: path, signal, ...wanted })).rejects.toThrow(/abort/i);
    await file.close();
  });
});
