export interface ImageSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Width and height out of the header of an image; undefined where it is damaged or of a kind that has none. */
export function imageSize(bytes: Uint8Array, mimeType: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = readSize(view, mimeType);
  return found === undefined || found.width === 0 || found.height === 0 ? undefined : found;
}

/** False for an image that is cut off: what ends it is not there. True for a kind that does not tell. */
export function isComplete(bytes: Uint8Array, mimeType: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (mimeType) {
    case 'image/png':
      return buffer.lastIndexOf('IEND') !== -1;
    case 'image/jpeg':
      return buffer.lastIndexOf(Buffer.from([0xff, 0xd9])) !== -1;
    case 'image/gif':
      return buffer.lastIndexOf(0x3b) > buffer.length - MAX_PADDING_BYTES;
    case 'image/webp':
      return buffer.length >= 8 && buffer.readUInt32LE(4) + 8 <= buffer.length + 1;
    default:
      return true;
  }
}

/** Behind the end of an image, where a program left some. */
const MAX_PADDING_BYTES = 512;

function readSize(view: DataView, mimeType: string): ImageSize | undefined {
  switch (mimeType) {
    case 'image/png':
      return view.byteLength < 24 ? undefined : { width: view.getUint32(16), height: view.getUint32(20) };
    case 'image/gif':
      return view.byteLength < 10 ? undefined : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    case 'image/bmp':
      return bitmapSize(view);
    case 'image/webp':
      return webpSize(view);
    case 'image/jpeg':
      return jpegSize(view);
    default:
      return undefined;
  }
}

function bitmapSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 26) return undefined;
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  // A negative height: the rows stand from top to bottom.
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30) return undefined;
  switch (view.getUint32(12)) {
    case 0x56503820: // VP8
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // VP8L
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // VP8X
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: ((view.getUint32(26, true) >>> 8) & 0xffffff) + 1,
      };
    default:
      return undefined;
  }
}

/** Walks from marker to marker until the one that starts a frame. */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isBare ? 2 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
