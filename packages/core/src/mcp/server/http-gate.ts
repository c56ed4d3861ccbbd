import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A file that is written in one call fits, with room to spare. In bytes. */
export const LARGEST_BODY = 16 * 1024 * 1024;

/** How often a stream in which nothing comes is kept from looking dead. */
export const KEEP_ALIVE_MS = 15_000;

/** True when the request carries the token. Takes as long for any other. */
export function hasToken(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function refuseToken(response: ServerResponse): void {
  response.setHeader('www-authenticate', 'Bearer realm="tenon"');
  answerError(response, 401, 'A bearer token is needed: the one that was printed, or set, when the server started.');
}

/** An answer without a request to belong to. */
export function answerError(response: ServerResponse, status: number, message: string, code = -32_000): void {
  if (response.headersSent) return void response.destroy();
  // The rest of what is not wanted is not read either.
  if (status === 413) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

export type Body = { readonly value: unknown } | { readonly status: 400 | 413; readonly message: string };

/** The body of a POST, read once. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const tooLarge = { status: 413, message: `The body is larger than ${LARGEST_BODY} bytes.` } as const;
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return tooLarge;
    chunks.push(chunk);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { status: 400, message: 'The body is no JSON.' };
  }
}
