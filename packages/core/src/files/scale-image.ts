import type { Sharp, SharpOptions } from 'sharp';
import { errorMessage, Failure } from '../util/failure.js';
import { imageSize, isComplete, type ImageSize } from './image-size.js';

/** What is loaded to scale images: the optional package `sharp`. */
export type LoadScaler = () => Promise<{ default: (input: Uint8Array, options: SharpOptions) => Sharp }>;

export interface ImageRequest {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** Used in messages. */
  readonly name: string;
  /** `sharp` by default. */
  readonly loadScaler?: LoadScaler;
}

export interface FittedImage {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** What was done to it; undefined for an image as it stands in its file. */
  readonly note: string | undefined;
}

/** Models scale what is larger down to this themselves, so that nothing is lost. */
const MAX_SIDE = 1568;
/** 5 MiB as base64: the least that a large provider takes. */
export const MAX_IMAGE_BYTES = 3_932_160;
/** What an image may have in its file, where it can be scaled. */
export const MAX_IMAGE_SOURCE_BYTES = 32 * 1024 * 1024;
/** No provider takes a longer side. */
const MAX_SIDE_UNSCALED = 8000;
/** 256 MB in memory at the worst, for a format that cannot be read row by row. */
const MAX_PIXELS = 64_000_000;
const MAX_SECONDS = 20;
const JPEG_QUALITIES = [85, 65, 40];

/**
 * The image as a model may be sent it: as it is when it is small enough, else scaled down, the first picture of
 * an animation, as PNG where it is a PNG with transparency and as JPEG otherwise. One that is damaged is made anew
 * from what can be seen of it: a provider would refuse it, and with it every request that has it.
 * @throws Failure `file_too_large`, `read_content_failure`
 */
export async function fitImage(request: ImageRequest): Promise<FittedImage> {
  const { bytes, mimeType, name } = request;
  const size = imageSize(bytes, mimeType);
  const asItIs = { bytes, mimeType, note: undefined };
  const isLight = bytes.length <= MAX_IMAGE_BYTES;
  if (isDamaged(request, size)) return repair(request, size);
  if (isLight && (size === undefined || longestSide(size) <= MAX_SIDE)) return asItIs;
  if (size !== undefined && size.width * size.height > MAX_PIXELS) {
    throw tooLarge(name, `${describe(size, bytes)} is more than can be scaled down (${MAX_PIXELS} pixels)`);
  }
  try {
    return await scale(request);
  } catch (thrown) {
    if (isLight && size !== undefined && longestSide(size) <= MAX_SIDE_UNSCALED) return asItIs;
    const limit = `at most ${MAX_IMAGE_BYTES} bytes and ${MAX_SIDE_UNSCALED} pixels a side can be sent as they are`;
    throw tooLarge(name, `${describe(size, bytes)}; ${limit}, and it cannot be scaled here (${errorMessage(thrown)})`);
  }
}

/** Of kinds that can be told: a bitmap of a rare kind has no size here. */
function isDamaged({ bytes, mimeType }: ImageRequest, size: ImageSize | undefined): boolean {
  return (size === undefined && mimeType !== 'image/bmp') || !isComplete(bytes, mimeType);
}

async function repair(request: ImageRequest, size: ImageSize | undefined): Promise<FittedImage> {
  const { name, bytes } = request;
  try {
    const image = await scale(request);
    return { ...image, note: `The image is damaged or cut off: what can be seen of it is given. ${image.note ?? ''}` };
  } catch (thrown) {
    throw new Failure(
      'read_content_failure',
      `${name} is a damaged image: ${describe(size, bytes)}, and it cannot be shown (${errorMessage(thrown)}). Get a sound copy of it.`,
    );
  }
}

async function scale({ bytes, mimeType, loadScaler = loadSharp }: ImageRequest): Promise<FittedImage> {
  const { default: sharp } = await loadScaler();
  const open = (): Sharp =>
    sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none', sequentialRead: true, pages: 1 })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });
  const {
    width,
    height,
    hasAlpha,
    pages = 1,
  } = await sharp(bytes, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'none',
  }).metadata();
  const keepsAlpha = mimeType === 'image/png' && hasAlpha;
  const png = keepsAlpha ? await open().png().toBuffer({ resolveWithObject: true }) : undefined;
  let best = png;
  for (const quality of JPEG_QUALITIES) {
    if (best !== undefined && best.data.length <= MAX_IMAGE_BYTES) break;
    best = await open().flatten({ background: 'white' }).jpeg({ quality }).toBuffer({ resolveWithObject: true });
  }
  if (best === undefined || best.data.length > MAX_IMAGE_BYTES) throw new Error('it stays too large');
  const { data, info } = best;
  const frame = pages > 1 ? 'its first frame of ' + pages : 'it';
  const note = `The image is ${describe({ width, height }, bytes)}; ${frame} is shown as ${info.width}×${info.height} pixels, image/${info.format}.`;
  return { bytes: data, mimeType: `image/${info.format}`, note };
}

async function loadSharp(): ReturnType<LoadScaler> {
  try {
    return await import('sharp');
  } catch {
    throw new Error('the optional package sharp is not installed');
  }
}

function longestSide({ width, height }: ImageSize): number {
  return Math.max(width, height);
}

function describe(size: ImageSize | undefined, bytes: Uint8Array): string {
  const pixels = size === undefined ? '' : `${size.width}×${size.height} pixels, `;
  return `${pixels}${bytes.length} bytes`;
}

function tooLarge(name: string, why: string): Failure {
  return new Failure('file_too_large', `${name} is too large an image: ${why}. Make a smaller copy and read that.`);
}
