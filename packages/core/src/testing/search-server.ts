import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a search server is asked. */
export interface AskedSearch {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Undefined where there is none. */
  readonly body: unknown;
}

export interface SearchReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, a text as it is; a stream of chunks without an end for `endless`, none at all for `silent`. */
  readonly body?: unknown;
  readonly behaves?: 'endless' | 'silent' | 'hangs-up';
}

export interface SearchServer {
  readonly url: string;
  readonly asked: AskedSearch[];
  readonly close: () => Promise<void>;
}

/** A search provider on this machine, for tests: it gives the replies in their order, the last one again and again. */
export async function startSearchServer(...replies: readonly SearchReply[]): Promise<SearchServer> {
  const asked: AskedSearch[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      asked.push({
        method: request.method ?? '',
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      const {
        status = 200,
        headers = {},
        body = {},
        behaves,
      } = replies[Math.min(asked.length, replies.length) - 1] ?? {};
      if (behaves === 'hangs-up') request.socket.destroy();
      if (behaves === 'silent' || behaves === 'hangs-up') return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      if (behaves === 'endless') {
        const timer = setInterval(() => response.write(Buffer.alloc(64 * 1024, 32)), 1);
        response.on('close', () => clearInterval(timer));
      } else {
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
