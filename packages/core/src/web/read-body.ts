import zlib from 'node:zlib';
import { webFailure } from './web-failure.js';
import type { RequestWatch } from './request-watch.js';

/** What is unpacked on the way. */
const UNPACKED: ReadonlySet<string> = new Set(['identity', 'gzip', 'x-gzip', 'deflate', 'br', ...zstd()]);
/** For the header that says so. */
export const ACCEPTED_CODINGS = ['gzip', 'deflate', 'br', ...zstd()].join(', ');

/** Node has it from 22.15 on, and with it what fetches. */
function zstd(): readonly string[] {
  return 'createZstdDecompress' in zlib ? ['zstd'] : [];
}

export interface BodyLimits {
  /** For messages. */
  readonly host: string;
  /** Unpacked bytes. */
  readonly most: number;
  /** True: what is more is left out, in place of a failure. */
  readonly cuts: boolean;
  readonly watch: RequestWatch;
}

/** The body, unpacked, read no further than the limit. @throws Failure `file_too_large`, `read_content_failure` */
export async function readBody(response: Response, limits: BodyLimits): Promise<Buffer<ArrayBuffer>> {
  const { host, most, cuts, watch } = limits;
  const { body, headers } = response;
  if (body === null) return Buffer.alloc(0);
  const coding = packedOtherwise(headers);
  if (coding !== undefined) {
    await body.cancel();
    const what = `${host} answered packed as ${JSON.stringify(coding)}, which was not asked for and cannot be unpacked here.`;
    throw webFailure('read_content_failure', what);
  }
  const stated = headers.get('content-encoding') === null ? Number(headers.get('content-length')) : 0;
  if (!cuts && stated > most) {
    await body.cancel();
    throw tooLarge(host, `${stated} bytes`, most);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await watch.during(reader.read());
    if (done) break;
    size += value.byteLength;
    chunks.push(value);
    if (size <= most) continue;
    await reader.cancel();
    if (!cuts) throw tooLarge(host, 'more', most);
    break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

function packedOtherwise(headers: Headers): string | undefined {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',');
  return codings.map((coding) => coding.trim()).find((coding) => coding !== '' && !UNPACKED.has(coding));
}

function tooLarge(host: string, what: string, most: number): Error {
  const limit = `${Math.round((most / 1024 / 1024) * 10) / 10} MB`;
  const next =
    'Fetch a part of it, or download it to a file with a command. The setting "web.maxMegabytes" says how much is fetched.';
  return webFailure(
    'file_too_large',
    `What ${host} sends is larger than ${limit} (${what}); nothing of it was used. ${next}`,
  );
}
