import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { HTTP_PORT, HTTPS_PORT, isAllowedHost, localPorts, type AllowedHost } from './allowed-hosts.js';
import { connectChecked, connectLocal, resolveHost, type ResolveHost, type Unconnected } from './connect-checked.js';
import { readAuthority, type HostAndPort } from './host-name.js';
import { inTurn } from './in-turn.js';
import { handedOn, readPlainTarget, type PlainTarget } from './proxy-headers.js';
import { openTunnel } from './tunnel.js';

export interface ProxyLimits {
  /** Until the head of a request is there, and between two requests. */
  readonly headMs: number;
  /** Until the other side is connected. */
  readonly connectMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
}

export interface ProxyOptions {
  readonly hosts: readonly AllowedHost[];
  /** Told of every connection that the list denied: whom it was meant for, and why, in words. */
  readonly refused: (host: string, message: string) => void;
  readonly resolve?: ResolveHost;
  readonly limits?: Partial<ProxyLimits>;
}

const LIMITS: ProxyLimits = { headMs: 30_000, connectMs: 15_000, idleMs: 600_000 };
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const MOST_HEADER_BYTES = 32_768;
const MOST_SHOWN = 100;
/** Of one connection, sent before the first of them was answered; who sends more waits for no answers. */
const MOST_AT_ONCE = 16;
/** Looking names up takes threads that reading files needs too. */
const MOST_LOOKUPS = 2;

/**
 * An HTTP proxy (RFC 9110 7.6, 9.3.6) for the commands of one sandbox, without a port of its own: connections are handed to
 * it. It goes to the hosts of a list and to no other; each request is judged by itself.
 */
export class HostProxy {
  readonly #options: ProxyOptions;
  readonly #limits: ProxyLimits;
  readonly #server: Server;
  readonly #resolve: ResolveHost;
  /** Tunnels to the port of HTTP: what is asked in them is judged like any plain request. */
  readonly #plainTunnels = new WeakMap<Duplex, HostAndPort>();
  readonly #waiting = new WeakMap<Duplex, NodeJS.Timeout>();
  readonly #queues = new WeakMap<Duplex, { length: number; last: Promise<void> }>();

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    const { resolve = resolveHost } = options;
    const lookUp = inTurn(MOST_LOOKUPS);
    this.#resolve = async (host) => lookUp(async () => resolve(host));
    // The `Host` header is not looked at.
    const parsing = { insecureHTTPParser: false, requireHostHeader: false };
    this.#server = createServer({ maxHeaderSize: MOST_HEADER_BYTES, ...parsing });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      clearTimeout(this.#waiting.get(request.socket));
      this.#queue(request, response);
    });
    this.#server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
      clearTimeout(this.#waiting.get(client));
      void this.#connect(request, client, head).catch(() => client.destroy());
    });
    this.#server.on('clientError', (_error: Error, client: Duplex) => {
      if (client.writable) client.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      // What still comes is nobody's.
      client.resume();
      this.#allowTime(client);
    });
  }

  /** One that speaks HTTP. */
  accept(connection: Duplex): void {
    this.#allowTime(connection);
    connection.on('close', () => clearTimeout(this.#waiting.get(connection)));
    this.#server.emit('connection', connection);
  }

  /** One that is to go to a port of this machine, as it is. */
  async acceptLocal(connection: Duplex, port: number): Promise<void> {
    const socket = localPorts(this.#options.hosts).includes(port)
      ? await connectLocal(port, this.#limits.connectMs)
      : undefined;
    if (socket === undefined || 'status' in socket) connection.destroy();
    else openTunnel({ client: connection, server: socket, idleMs: this.#limits.idleMs });
  }

  #allowTime(connection: Duplex): void {
    if (connection.destroyed) return;
    clearTimeout(this.#waiting.get(connection));
    const timer = setTimeout(() => connection.destroy(), this.#limits.headMs);
    this.#waiting.set(connection, timer.unref());
  }

  /** Requests that were sent at once are answered one after the other. */
  #queue(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const queue = this.#queues.get(socket) ?? { length: 0, last: Promise.resolve() };
    this.#queues.set(socket, queue);
    queue.length += 1;
    if (queue.length > MOST_AT_ONCE) {
      socket.destroy();
      return;
    }
    const before = queue.last;
    queue.last = new Promise((resolve) => {
      response.once('close', () => {
        queue.length -= 1;
        if (queue.length === 0) this.#allowTime(socket);
        resolve();
      });
    });
    void before.then(async () => this.#answer(request, response)).catch(() => socket.destroy());
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = readPlainTarget(request.url ?? '', this.#plainTunnels.get(request.socket));
    if (target === undefined) {
      refuse(
        response,
        400,
        `This is the proxy of the sandbox. It takes http://host/path, and CONNECT host:443 for HTTPS, but not ${shown(request.url)}.`,
      );
      return;
    }
    const socket = await this.#reach(target, HTTP_PORT);
    if ('status' in socket) refuse(response, socket.status, socket.message);
    else if (response.destroyed || request.socket.destroyed) socket.destroy();
    else handOn({ request, response, target, socket, idleMs: this.#limits.idleMs });
  }

  async #connect(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const target = readAuthority(request.url ?? '');
    if (target === undefined) {
      end(client, 400, `The proxy of the sandbox takes CONNECT host:port, but not ${shown(request.url)}.`);
      return;
    }
    if (target.port === HTTP_PORT && isAllowedHost(this.#options.hosts, target, HTTP_PORT)) {
      this.#plainTunnels.set(client, target);
      client.write(ESTABLISHED);
      if (head.length > 0) client.unshift(head);
      this.accept(client);
      return;
    }
    const socket = await this.#reach(target, HTTPS_PORT);
    if ('status' in socket) {
      end(client, socket.status, socket.message);
      return;
    }
    if (!client.destroyed) client.write(ESTABLISHED);
    if (head.length > 0) client.unshift(head);
    openTunnel({
      client,
      server: socket,
      idleMs: this.#limits.idleMs,
      only: { ...target, mustBeTls: target.port === HTTPS_PORT, headMs: this.#limits.headMs },
      refused: (message) => this.#refused(target, message),
    });
  }

  async #reach(target: HostAndPort, usualPort: number): Promise<Socket | Unconnected> {
    const options = { hosts: this.#options.hosts, usualPort, resolve: this.#resolve };
    const socket = await connectChecked(target, { ...options, timeoutMs: this.#limits.connectMs });
    if ('status' in socket && socket.isDenied) this.#refused(target, socket.message);
    return socket;
  }

  #refused({ host }: HostAndPort, message: string): void {
    this.#options.refused(host, message);
  }
}

/** One request over a connection of its own, to whom the address named: what the `Host` header said is gone. */
function handOn({
  request,
  response,
  target,
  socket,
  idleMs,
}: {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: PlainTarget;
  readonly socket: Socket;
  readonly idleMs: number;
}): void {
  socket.setTimeout(idleMs, () => socket.destroy());
  response.on('close', () => socket.destroy());
  const hasLength = request.headers['content-length'] !== undefined;
  const isChunked = !hasLength && request.headers['transfer-encoding'] !== undefined;
  const outgoing = sendRequest({
    method: request.method ?? 'GET',
    path: target.path,
    setHost: false,
    // With any agent, `false` included, the agent would connect, and to somewhere else.
    createConnection: () => socket,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: [
      'Host',
      target.authority,
      ...handedOn(request.rawHeaders),
      ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
      'Connection',
      'close',
    ],
  });
  const failed = (): void => {
    socket.destroy();
    if (response.headersSent) response.destroy();
    else refuse(response, 502, `${target.authority} broke the connection off.`);
  };
  outgoing.on('error', failed);
  outgoing.on('response', (incoming) => {
    try {
      // What this process would not say itself it does not repeat: a strange status, or a line of control characters.
      response.writeHead(incoming.statusCode ?? 502, handedOn(incoming.rawHeaders));
      pipeline(incoming, response, () => socket.destroy());
    } catch {
      failed();
    }
  });
  pipeline(request, outgoing, () => undefined);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed || response.headersSent) return;
  // The body of what was refused is not waited for.
  response.shouldKeepAlive = false;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}

function end(client: Duplex, status: number, message: string): void {
  if (client.destroyed) return;
  const body = `${message}\n`;
  const head = [
    `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : status === 400 ? 'Bad Request' : 'Bad Gateway'}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  client.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  client.resume();
}

/** Safe to show: what came over the wire is quoted, and short. */
function shown(text = ''): string {
  return JSON.stringify(text.slice(0, MOST_SHOWN));
}
