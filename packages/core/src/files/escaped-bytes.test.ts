import fc from 'fast-check';
import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import {
  decodeEscaped,
  encodeEscaped,
  isUnnamable,
  namablePart,
  systemPath,
  takeUtf8Census,
  Utf8Counter,
} from './escaped-bytes.js';
import { shownText } from '../util/shown-text.js';

const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 8 }).map((text) => Buffer.from(text)),
      fc.constantFrom(
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from([0xf4, 0x90, 0x80, 0x80]),
        Buffer.from([0xc0, 0x80]),
        Buffer.from([0xf0, 0x9f, 0x92]),
        Buffer.from('💀'),
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts));

describe('escaped bytes', () => {
  it('turn any bytes into text and back', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(Buffer.compare(encodeEscaped(decodeEscaped(bytes)), bytes)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('are plain decoding for sound UTF-8, and for no other bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = decodeEscaped(bytes);
        expect(/\p{Surrogate}/u.test(text)).toBe(!isUtf8(bytes));
        if (isUtf8(bytes)) expect(text).toBe(bytes.toString('utf8'));
      }),
      { numRuns: 2000 },
    );
  });

  it('name each byte that is no character, and keep low halves of pairs apart from them', () => {
    expect(decodeEscaped(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x82]))).toBe('a\udcffé\udce2\udc82');
    expect(Buffer.compare(encodeEscaped('\ud83d\udc80\udc80'), Buffer.from([0xf0, 0x9f, 0x92, 0x80, 0x80]))).toBe(0);
  });

  it('are shown as U+FFFD, one for each', () => {
    expect(shownText('a\udcffé\udce2\udc82😀')).toBe('a\ufffdé\ufffd\ufffd😀');
  });

  it('are counted', () => {
    const bytes = Buffer.concat([Buffer.from('é€'), Buffer.from([0x20, 0xe9, 0x20, 0xe9, 0xe9])]);
    expect(takeUtf8Census(bytes)).toEqual({ characters: 2, badBytes: 3, crowdedBadBytes: 2 });
  });

  it('counts the same, wherever the bytes are cut', () => {
    const byte = fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xff);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), fc.array(fc.nat(7), { maxLength: 20 }), (values, lengths) => {
        const bytes = Uint8Array.from(values);
        const counter = new Utf8Counter();
        let at = 0;
        for (const length of lengths) {
          const piece = bytes.slice(at, at + length);
          counter.add(piece);
          piece.fill(0x41);
          at += length;
        }
        counter.add(bytes.slice(at));
        expect(counter.finish()).toEqual(takeUtf8Census(bytes));
      }),
    );
  });

  it('stand for the bytes of a path that is no UTF-8, in whose way the last folder with a name is found', () => {
    const path = decodeEscaped(Buffer.from([...Buffer.from('/ä/'), 0xe9, ...Buffer.from('/b')]));
    expect([isUnnamable(path), isUnnamable('/ä/😀'), systemPath('/ä/😀')]).toEqual([true, false, '/ä/😀']);
    expect(systemPath(path)).toEqual(Buffer.from([0x2f, 0xc3, 0xa4, 0x2f, 0xe9, 0x2f, 0x62]));
    expect([namablePart(path), namablePart('/ä/b')]).toEqual(['/ä', '/ä/b']);
  });
});
