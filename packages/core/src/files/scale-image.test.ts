import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageSize, isComplete } from './image-size.js';
import { fitImage, MAX_IMAGE_BYTES } from './scale-image.js';

async function image(width: number, height: number, channels: 3 | 4): Promise<Sharp> {
  return sharp({ create: { width, height, channels, background: { r: 9, g: 99, b: 199, alpha: 0.5 } } });
}

/** A picture that no encoder makes small. */
async function noise(side: number, channels: 3 | 4): Promise<Sharp> {
  const raw = Buffer.alloc(side * side * channels);
  let state = 1;
  for (let at = 0; at < raw.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    raw[at] = state >>> 24;
  }
  return sharp(raw, { raw: { width: side, height: side, channels } });
}

const withoutSharp = (): Promise<never> => Promise.reject(new Error('not installed'));

describe('fitImage', () => {
  it('leaves a small image as it is, byte for byte, and loads nothing for it', async () => {
    const bytes = await (await image(1568, 10, 3)).png().toBuffer();
    const fitted = await fitImage({ bytes, mimeType: 'image/png', name: 'a', loadScaler: withoutSharp });
    expect(fitted).toEqual({ bytes, mimeType: 'image/png', note: undefined });
  });

  it('scales a large one down to its limit and says what it was and what is shown', async () => {
    const bytes = await (await image(3000, 2000, 3)).png().toBuffer();
    const fitted = await fitImage({ bytes, mimeType: 'image/png', name: 'a' });
    expect(fitted.mimeType).toBe('image/jpeg');
    expect(imageSize(fitted.bytes, 'image/jpeg')).toEqual({ width: 1568, height: 1045 });
    expect(fitted.note).toBe(
      `The image is 3000×2000 pixels, ${bytes.length} bytes; it is shown as 1568×1045 pixels, image/jpeg.`,
    );
  });

  it('keeps the transparency of a PNG', async () => {
    const bytes = await (await image(2000, 100, 4)).png().toBuffer();
    const fitted = await fitImage({ bytes, mimeType: 'image/png', name: 'a' });
    expect(fitted.mimeType).toBe('image/png');
    expect((await sharp(fitted.bytes).metadata()).hasAlpha).toBe(true);
  });

  it('stays within the limit of bytes, whatever is in the picture', async () => {
    const bytes = await (await noise(1600, 4)).png().toBuffer();
    expect(bytes.length).toBeGreaterThan(MAX_IMAGE_BYTES);
    const fitted = await fitImage({ bytes, mimeType: 'image/png', name: 'a' });
    expect(fitted.bytes.length).toBeLessThanOrEqual(MAX_IMAGE_BYTES);
  });

  it('turns a photo the right way up', async () => {
    const bytes = await (await image(2000, 1000, 3)).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const fitted = await fitImage({ bytes, mimeType: 'image/jpeg', name: 'a' });
    expect(imageSize(fitted.bytes, 'image/jpeg')).toEqual({ width: 784, height: 1568 });
  });

  it('gives the first frame of an animation that is too large', async () => {
    const frames = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 1700, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const fitted = await fitImage({ bytes, mimeType: 'image/gif', name: 'a' });
    expect(fitted.note).toContain('its first frame of 2 is shown as 1568×37 pixels, image/jpeg');
    const { dominant } = await sharp(fitted.bytes).stats();
    expect(dominant.r).toBeGreaterThan(200);
  });

  it('without the package, sends what is light enough and refuses the rest with what to do', async () => {
    const light = await (await image(3000, 10, 3)).png().toBuffer();
    const asItIs = await fitImage({ bytes: light, mimeType: 'image/png', name: 'a', loadScaler: withoutSharp });
    expect(asItIs.bytes).toBe(light);
    const heavy = await (await noise(1600, 4)).png().toBuffer();
    await expect(
      fitImage({ bytes: heavy, mimeType: 'image/png', name: 'a.png', loadScaler: withoutSharp }),
    ).rejects.toMatchObject({ code: 'file_too_large', message: expect.stringContaining('not installed') });
  });

  it('never unpacks an image of more pixels than memory should hold', async () => {
    const bytes = await (await image(64, 64, 3)).png().toBuffer();
    bytes.writeUInt32BE(60_000, 16);
    bytes.writeUInt32BE(60_000, 20);
    await expect(fitImage({ bytes, mimeType: 'image/png', name: 'bomb.png' })).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringContaining('60000×60000 pixels'),
    });
  });

  it('makes a damaged one anew from what can be seen of it, and refuses one of which nothing can', async () => {
    for (const kind of ['png', 'jpeg'] as const) {
      const whole = await (await noise(300, 3)).toFormat(kind).toBuffer();
      const mimeType = `image/${kind}`;
      const half = whole.subarray(0, whole.length / 2);
      const fitted = await fitImage({ bytes: half, mimeType, name: 'a' });
      expect(fitted.note).toMatch(
        /^The image is damaged or cut off: what can be seen of it is given\. The image is 300×300/,
      );
      expect(imageSize(fitted.bytes, fitted.mimeType)).toEqual({ width: 300, height: 300 });
      expect(isComplete(fitted.bytes, fitted.mimeType)).toBe(true);
      for (const request of [
        { bytes: whole.subarray(0, 16), mimeType, name: 'a.png' },
        { bytes: half, mimeType, name: 'a.png', loadScaler: withoutSharp },
      ])
        await expect(fitImage(request)).rejects.toMatchObject({ code: 'read_content_failure' });
    }
  });
});
