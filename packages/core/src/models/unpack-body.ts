import type { Transform } from 'node:stream';
import type * as Zlib from 'node:zlib';
import { ModelError } from './model-error.js';
import { shownUrl } from './provider-url.js';

type Bytes = AsyncIterator<Uint8Array, unknown>;
/** Node has zstd since 22.15. */
type Codings = typeof Zlib & { readonly createZstdDecompress?: () => Transform };
/** Returns undefined if the body is not packed although the header says so: some gateways unpack it and keep the header. */
type Unpacker = (zlib: Codings, start: Buffer) => Transform | undefined;

const gunzip: Unpacker = (zlib, start) =>
  start.readUInt16BE(0) === 0x1f8b ? zlib.createGunzip(lenient(zlib)) : undefined;

/** The unpackers by coding name (RFC 9110 8.4.1). If a coding has its own mark, the first bytes decide. */
const UNPACKERS: Readonly<Record<string, Unpacker>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // RFC 1950 requires a header, which some servers omit.
  deflate: (zlib, start) =>
    hasZlibHeader(start) ? zlib.createInflate(lenient(zlib)) : zlib.createInflateRaw(lenient(zlib)),
  br: (zlib) => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: (zlib, start) => (start.readUInt32BE(0) === 0x28b52ffd ? zlib.createZstdDecompress?.() : undefined),
};
/** The bytes that an unpacker checks. */
const START_BYTES = 4;

/**
 * Removes the content codings of a response's body. Loaded when it is needed.
 *
 * @param codings the header `content-encoding`
 * @param url for messages
 * @throws ModelError `bad-request` for a coding that cannot be unpacked
 */
export async function unpacked(body: Bytes, codings: string, url: string): Promise<Bytes> {
  const names = codings.toLowerCase().split(',');
  const packed = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (packed.length === 0) return body;
  const [{ default: zlib }, { pipeline, Readable }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  let bytes = body;
  // The coding that was applied last is named last.
  for (const name of packed.reverse()) {
    const unpacker = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
    if (unpacker === undefined || (name === 'zstd' && !('createZstdDecompress' in zlib)))
      throw unknownCoding(name, url);
    const { start, all } = await peek(bytes);
    const stream = start.length < START_BYTES ? undefined : unpacker(zlib, start);
    if (stream === undefined) bytes = all;
    // A broken stream shows when it is read.
    else bytes = pipeline(Readable.from(all), stream, () => undefined)[Symbol.asyncIterator]();
  }
  return bytes;
}

/** Makes the decoder read a cut stream to its end; the decoder of the answer notices that it is incomplete. */
function lenient({ constants }: typeof Zlib): Zlib.ZlibOptions {
  return { finishFlush: constants.Z_SYNC_FLUSH };
}

function hasZlibHeader(start: Buffer): boolean {
  return (start.readUInt8(0) & 0x0f) === 8 && start.readUInt16BE(0) % 31 === 0;
}

/** Returns the first bytes, and all of them. */
async function peek(body: Bytes): Promise<{ readonly start: Buffer; readonly all: AsyncGenerator<Uint8Array> }> {
  let start = Buffer.alloc(0);
  while (start.length < START_BYTES) {
    const chunk = await body.next();
    if (chunk.done === true) break;
    start = Buffer.concat([start, chunk.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => body };
  }
  return { start, all: all() };
}

function unknownCoding(name: string, url: string): ModelError {
  const newer = name === 'zstd' ? ' Node.js 22.15 or later can.' : '';
  const message = `${shownUrl(url)} answered with content-encoding ${JSON.stringify(name)}, which Tenon can't unpack.${newer} Turn the compression off at the server or gateway.`;
  return new ModelError(message, { kind: 'bad-request' });
}
