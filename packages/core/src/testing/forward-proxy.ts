import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ForwardProxyOptions {
  /** `user:password` that it wants. */
  readonly account?: string;
  /** Of `Proxy-Authenticate`. Default: Basic. */
  readonly scheme?: string;
  /** Instead of a connection, that status of HTTP. */
  readonly refuses?: number;
  /** Closes the connection instead of an answer. */
  readonly hangsUp?: boolean;
}

export interface ForwardProxy {
  readonly port: number;
  /** What it was asked: `CONNECT host:port`, or method and whole address. */
  readonly asked: string[];
  /** How many came so far. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** An HTTP proxy on this machine, for tests: whatever host it is asked for, it connects to that port of 127.0.0.1. */
export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (options.hangsUp === true) return void request.socket.destroy();
    const status = statusFor(request, options);
    if (status !== 200) return void response.writeHead(status, refusalHeaders(status, options)).end('refused');
    return forward(request, response);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    asked.push(`CONNECT ${request.url ?? ''}`);
    const status = statusFor(request, options);
    if (options.hangsUp === true) socket.destroy();
    else if (status === 200) tunnel(request, socket, head);
    else {
      const lines = Object.entries(refusalHeaders(status, options)).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${status} No\r\n${lines.join('')}content-length: 0\r\n\r\n`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function statusFor({ headers }: IncomingMessage, { account, refuses }: ForwardProxyOptions): number {
  if (refuses !== undefined) return refuses;
  const wanted = account === undefined ? undefined : `Basic ${Buffer.from(account).toString('base64')}`;
  return wanted === undefined || headers['proxy-authorization'] === wanted ? 200 : 407;
}

function refusalHeaders(
  status: number,
  { scheme = 'Basic realm="test"' }: ForwardProxyOptions,
): Record<string, string> {
  return status === 407 ? { 'proxy-authenticate': scheme } : {};
}

function tunnel({ url = '' }: IncomingMessage, socket: Socket, head: Buffer): void {
  const onward = connect(Number(/\d+$/u.exec(url)?.[0]), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search, port } = new URL(request.url ?? '/');
  const { 'proxy-authorization': _secret, ...headers } = request.headers;
  const path = `${pathname}${search}`;
  const onward = httpRequest({ host: '127.0.0.1', port, path, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
