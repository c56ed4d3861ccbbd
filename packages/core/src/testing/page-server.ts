import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface PageServer {
  readonly port: number;
  /** `http://localhost:port`, no path. */
  readonly origin: string;
  /** Paths with their queries, in the order in which they were asked for. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** A web server on this machine for tests: paths it does not know are 404. Its host is `localhost`, to be allowed by the setting. */
export async function startPageServer(pages: Readonly<Record<string, AnswerPage>>): Promise<PageServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = pages[new URL(request.url ?? '/', 'http://localhost').pathname];
    if (answer === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
    else Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://localhost:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Answers with this body. */
export function page(body: string | Uint8Array, type = 'text/html; charset=utf-8', headers = {}): AnswerPage {
  return (_request, response) => void response.writeHead(200, { 'content-type': type, ...headers }).end(body);
}
