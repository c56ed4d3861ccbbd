import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputCollector } from './output-collector.js';

function collect(bytes: Uint8Array, keepBytes: number, chunkBytes: number): OutputCollector {
  const collector = new OutputCollector(keepBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) collector.add(Buffer.from(bytes.subarray(at, at + chunkBytes)));
  return collector;
}

const sizes = [fc.integer({ min: 2, max: 64 }), fc.integer({ min: 1, max: 80 })] as const;

describe('OutputCollector', () => {
  it('keeps beginning and end of any bytes, and counts the rest exactly', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), ...sizes, (random, keepBytes, chunkBytes) => {
        // ASCII, so that every byte is a character.
        const bytes = random.map((byte) => byte & 0x7f);
        const all = Buffer.from(bytes).toString();
        const { head, tail, totalBytes, omittedBytes } = collect(bytes, keepBytes, chunkBytes).collected();
        expect(totalBytes).toBe(all.length);
        expect(omittedBytes).toBe(Math.max(0, all.length - keepBytes));
        if (omittedBytes === 0) expect([head, tail]).toEqual([all, '']);
        else
          expect([head, tail]).toEqual([
            all.slice(0, Math.ceil(keepBytes / 2)),
            all.slice(all.length - Math.floor(keepBytes / 2)),
          ]);
      }),
    );
  });

  it('never cuts a character at a border', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂', '\n'), maxLength: 200 });
    fc.assert(
      fc.property(text, ...sizes, (source, keepBytes, chunkBytes) => {
        const bytes = Buffer.from(source);
        const collector = collect(bytes, keepBytes, chunkBytes);
        const { head, tail, omittedBytes } = collector.collected();
        expect(source.startsWith(head)).toBe(true);
        expect(source.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omittedBytes).toBe(bytes.length);
        // At most one character is lost to each border.
        if (omittedBytes > 0) expect(Buffer.byteLength(head + tail)).toBeGreaterThanOrEqual(keepBytes - 6);
        expect(source.endsWith(collector.newest(10))).toBe(true);
      }),
    );
  });

  it('holds no more memory than it keeps', () => {
    const collector = new OutputCollector(1000);
    const chunk = Buffer.alloc(65_536, 'x');
    for (let round = 0; round < 1000; round += 1) collector.add(chunk);
    const { head, tail, totalBytes } = collector.collected();
    expect([head.length, tail.length, totalBytes]).toEqual([500, 500, 65_536_000]);
  });
});
