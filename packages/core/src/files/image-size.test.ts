import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageSize } from './image-size.js';

const picture = sharp({
  create: { width: 300, height: 20, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } },
});

describe('imageSize', () => {
  it('reads width and height out of the headers that encoders write', async () => {
    const made: Record<string, Buffer> = {
      'image/png': await picture.clone().png().toBuffer(),
      'image/jpeg': await picture
        .clone()
        .jpeg()
        .withExif({ IFD0: { Copyright: 'x'.repeat(500) } })
        .toBuffer(),
      'image/gif': await picture.clone().gif().toBuffer(),
      'image/webp': await picture.clone().webp({ lossless: true }).toBuffer(),
    };
    for (const [mimeType, bytes] of Object.entries(made)) {
      expect([mimeType, imageSize(bytes, mimeType)]).toEqual([mimeType, { width: 300, height: 20 }]);
    }
    const lossy = await sharp({ create: { width: 33, height: 7, channels: 3, background: 'red' } })
      .webp()
      .toBuffer();
    expect(imageSize(lossy, 'image/webp')).toEqual({ width: 33, height: 7 });
  });

  it('reads a bitmap whose rows stand from top to bottom', () => {
    const bytes = Buffer.alloc(54);
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(12, 18);
    bytes.writeInt32LE(-9, 22);
    expect(imageSize(bytes, 'image/bmp')).toEqual({ width: 12, height: 9 });
  });

  it('gives nothing for a header that is cut or damaged', () => {
    const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/svg+xml'];
    for (const type of types) {
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(9), Buffer.alloc(64), Buffer.alloc(64, 0xff)]) {
        const size = imageSize(bytes, type);
        if (size !== undefined) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
      }
    }
    expect(imageSize(Buffer.from('ffd8ff', 'hex'), 'image/jpeg')).toBeUndefined();
  });
});
