import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectEncoding } from '../../files/detect-encoding.js';
import { Failure } from '../../util/failure.js';
import { fingerprintQuery, mayHold } from './fingerprint.js';
import { FileKind, JUDGE_SOURCE } from './learn-worker.js';

const { judge, judgeParts, fingerprint, finish } = compileFunction(
  `${JUDGE_SOURCE}; return { judge, judgeParts, fingerprint, finish };`,
  ['require'],
)(createRequire(import.meta.url)) as {
  judgeParts: (next: () => Buffer | undefined) => number;
  finish: (out: Uint8Array, at: number) => number;
  judge: (bytes: Buffer) => { kind: number; text?: Uint8Array };
  fingerprint: (bytes: Uint8Array, out: Uint8Array, at: number) => number;
};

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('judge', () => {
  const cases: readonly (readonly [what: string, bytes: Buffer, kind: number])[] = [
    ['nothing', Buffer.alloc(0), FileKind.text],
    ['ASCII', Buffer.from('plain\r\n\ttext'), FileKind.text],
    ['UTF-8', Buffer.from('größe 😀'), FileKind.text],
    ['UTF-8 with a mark', Buffer.from('\ufeffmarked'), FileKind.text],
    ['UTF-8 with a mark and a NUL', Buffer.from('\ufeffmar\0ked'), FileKind.odd],
    ['damaged UTF-8 with a mark', Buffer.from('efbbbf61ff', 'hex'), FileKind.odd],
    ['a mark alone', Buffer.from('\ufeff'), FileKind.text],
    ['UTF-16 with a mark', wide('\ufeffwide'), FileKind.text],
    ['UTF-16 with a mark, the other way', wide('\ufeffwide').swap16(), FileKind.text],
    ['UTF-16 with half a character', Buffer.concat([wide('\ufeffwide'), Buffer.from('a')]), FileKind.odd],
    ['UTF-16 with half a pair', wide('\ufeffa\ud800b'), FileKind.odd],
    ['UTF-16 with a NUL', wide('\ufeffa\0b'), FileKind.odd],
    ['UTF-16 without a mark', wide('without a mark'), FileKind.odd],
    ['UTF-32 with a mark', Buffer.from('fffe000061000000', 'hex'), FileKind.odd],
    ['UTF-32 with a mark, the other way', Buffer.from('0000feff00000061', 'hex'), FileKind.odd],
    ['Latin-1', Buffer.from('gr\xf6\xdfe', 'latin1'), FileKind.odd],
    ['ISO-2022-JP', Buffer.from('a \x1b$B$3$l\x1b(B'), FileKind.odd],
    ['colours of a terminal', Buffer.from('\x1b[1mbold\x1b(B\x1b[m $ B'), FileKind.text],
    ['a NUL among letters', Buffer.from('some\0text in here'), FileKind.binary],
    ['NULs in pairs', Buffer.from('7f454c4602010100000000000000000003', 'hex'), FileKind.binary],
    ['a NUL after the start', Buffer.from(`${'a'.repeat(9000)}\0`), FileKind.odd],
    ['control characters', Buffer.from('\x01\x02\x03ab'), FileKind.binary],
    ['some control characters', Buffer.from('\x01abcdefgh'), FileKind.text],
  ];

  it.each(cases)('%s', (_, bytes, kind) => {
    expect(judge(bytes).kind).toBe(kind);
  });

  it('says text and binary only where the reader of files says the same', async () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 0, 0, 1, 65, 66, 0xc3, 0xa4, 0xff, 0xfe, 0xef, 0xbb, 0xbf));
    const bytes = fc.oneof(
      fc.array(byte, { maxLength: 40 }),
      fc
        .tuple(
          fc.constantFrom('', 'fffe', 'feff', 'efbbbf', '00'),
          fc.string({ unit: 'binary', maxLength: 20 }),
          fc.constantFrom('utf8', 'utf16le', 'latin1'),
        )
        .map(([mark, text, encoding]) => [
          ...Buffer.from(mark, 'hex'),
          ...Buffer.from(text, encoding as BufferEncoding),
        ]),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (values) => {
        const content = Buffer.from(values);
        const { kind } = judge(content);
        const encoding = await detectEncoding(content, true, 'it').then(
          (detection) => detection.encoding,
          (thrown: unknown) => (thrown instanceof Failure ? thrown.code : 'failed'),
        );
        if (kind === FileKind.text) expect(['utf-8', 'utf-16le', 'utf-16be']).toContain(encoding);
        if (kind === FileKind.binary) expect(encoding).toBe('binary_file');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('fingerprint', () => {
  it('holds every piece of the text, whatever its size and place', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'K', ' ', 's', '\u212a', '\u017f', 'é', '\n'), maxLength: 30 }),
      fc.array(fc.nat(60_000), { minLength: 100, maxLength: 4000 }).map((numbers) => numbers.join(' xY')),
    );
    const bits = new Uint8Array(40_000);
    fc.assert(
      fc.property(text, fc.nat(3000), fc.nat(4000), (content, at, start) => {
        bits.fill(0);
        const { text: folded } = judge(Buffer.from(content));
        const length = 8 * fingerprint(folded ?? Buffer.alloc(0), bits, at * 8);
        expect(bits.subarray(0, at * 8).every((value) => value === 0)).toBe(true);
        expect(bits.subarray(at * 8 + length).every((value) => value === 0)).toBe(true);
        const usual = content.replaceAll('\u212a', 'k').replaceAll('\u017f', 's').toLowerCase();
        for (const piece of usual.slice(start % (usual.length + 1)).match(/[\t -~]{3,20}/gu) ?? []) {
          expect(mayHold(fingerprintQuery({ all: [piece], any: [] }), { bits, offset: at * 8, length })).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('rules out nearly all texts that do not hold a piece', () => {
    const bits = new Uint8Array(16_384);
    const content = Array.from({ length: 400 }, (_, index) => `line ${index} of ${index * index}`).join('\n');
    const length = 8 * fingerprint(Buffer.from(content), bits, 0);
    const wrong = Array.from({ length: 1000 }, (_, index) => `word${(index * 7919).toString(36)}`).filter((word) =>
      mayHold(fingerprintQuery({ all: [word], any: [] }), { bits, offset: 0, length }),
    );
    expect(wrong.length).toBeLessThan(60);
  });

  it('leaves no trace of one text in the next', () => {
    const [first, second, again] = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)];
    const units = fingerprint(Buffer.from('first text'), first, 0);
    fingerprint(Buffer.from('second text, longer'), second, 0);
    expect(fingerprint(Buffer.from('first text'), again, 0)).toBe(units);
    expect(again).toEqual(first);
  });
});

describe('what comes in parts', () => {
  it('is judged as a whole, or less surely, and has the same fingerprint', () => {
    const head = fc.constantFrom('', '\ufeff', 'K\u212a\u017f');
    const piece = fc.oneof(
      { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map((text) => Buffer.from(text)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('c3', 'e282', '80', 'f0', 'ff', '00').map((hex) => Buffer.from(hex, 'hex')),
      },
    );
    const content = fc
      .tuple(head, fc.array(piece, { maxLength: 8 }))
      .map(([start, pieces]) => Buffer.concat([Buffer.from(start.padEnd(8192, 'start ')), ...pieces]));
    const [whole, inParts] = [new Uint8Array(8192), new Uint8Array(8192)];
    fc.assert(
      fc.property(content, fc.array(fc.nat(30), { minLength: 1 }), (bytes, lengths) => {
        let at = 0;
        let part = 0;
        const next = (): Buffer | undefined => {
          if (at === bytes.length) return undefined;
          const length = at === 0 ? 8192 + (lengths[0] ?? 0) : 1 + (lengths[part % lengths.length] ?? 0);
          part += 1;
          const from = at;
          at = Math.min(bytes.length, at + length);
          return bytes.subarray(from, at);
        };
        const kind = judgeParts(next);
        const expected = judge(bytes);
        expect(kind).toBe(expected.kind);
        if (expected.text === undefined) return;
        whole.fill(0);
        inParts.fill(0);
        const units = finish(inParts, 0);
        expect(units).toBe(fingerprint(expected.text, whole, 0));
        expect(inParts).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('is binary by its beginning, of which no more is read, and in a wide encoding too large', () => {
    const kindOf = (...parts: Buffer[]): number => judgeParts(() => parts.shift());
    const never = Buffer.from('never read');
    expect(kindOf(Buffer.from('some\0text in here'.padEnd(8192)), never)).toBe(FileKind.binary);
    expect(kindOf(Buffer.from('\x01\x02\x03'.repeat(3000)), never)).toBe(FileKind.odd);
    expect(kindOf(wide('\ufeffwide'.padEnd(8192)), never)).toBe(FileKind.tooLarge);
    expect(kindOf(Buffer.from('text'.padEnd(8192)), Buffer.from('a\0'), never)).toBe(FileKind.odd);
    const clean = new Uint8Array(64);
    fingerprint(Buffer.from('abc'), clean, 0);
    expect(clean.filter((byte) => byte !== 0)).toHaveLength(1);
  });
});
