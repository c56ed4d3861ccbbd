import { createServer, type Server, type ServerResponse } from 'node:http';
import { errorMessage, Failure, systemErrorCode } from '../../util/failure.js';
import { toUrl } from './plain-line.js';

/** Where the browser comes back to. */
export interface Loopback {
  readonly redirectUri: string;
  /** The parameters of the first answer that is meant for this sign-in. Never rejects. */
  readonly answer: Promise<URLSearchParams>;
  /** Answers that belong to another sign-in, and were not taken. */
  readonly strangers: () => number;
  close(): Promise<void>;
}

const PATH = '/callback';
const HOST = '127.0.0.1';

/**
 * Listens on this machine only, for one path and one answer. `isMeant` decides by the parameters whether an answer belongs
 * here: another page of the browser could call this address too.
 * @throws Failure `mcp_error` when the port is taken (port 0: any that is free)
 */
export async function openLoopback(port: number, isMeant: (params: URLSearchParams) => boolean): Promise<Loopback> {
  let strangers = 0;
  let take: (params: URLSearchParams) => void = () => undefined;
  const answer = new Promise<URLSearchParams>((resolve) => (take = resolve));
  const server = createServer((request, response) => {
    const url = toUrl(request.url ?? '', `http://${HOST}`);
    const isHere = request.headers.host === hostOf(server) && url?.pathname === PATH;
    if (!isHere) return page(response, 404, 'There is nothing here.');
    if (request.method !== 'GET') return page(response, 405, 'Only GET is answered here.');
    if (!isMeant(url.searchParams)) {
      strangers += 1;
      return page(response, 400, 'This answer belongs to another sign-in. Nothing was done with it.');
    }
    const isRefusal = url.searchParams.has('error');
    page(response, 200, isRefusal ? 'The sign-in was refused.' : 'Tenon has got the answer.', () =>
      take(url.searchParams),
    );
  });
  server.headersTimeout = 5000;
  await listen(server, port);
  return {
    redirectUri: `http://${hostOf(server)}${PATH}`,
    answer,
    strangers: () => strangers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function hostOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? `${HOST}:${address.port}` : HOST;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const why = systemErrorCode(error) === 'EADDRINUSE' ? 'another program uses it' : errorMessage(error);
      reject(new Failure('mcp_error', `Nothing can be listened for on ${HOST}:${port}: ${why}.`));
    });
    server.listen(port, HOST, resolve);
  });
}

/** Says nothing of what came in: whatever it is, it is shown to nobody. */
function page(response: ServerResponse, status: number, text: string, done?: () => void): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  const title = '<!doctype html><meta charset="utf-8"><title>Tenon</title>';
  response.end(`${title}<p>${text}</p><p>You can close this window and go back to the terminal.</p>\n`, done);
}
