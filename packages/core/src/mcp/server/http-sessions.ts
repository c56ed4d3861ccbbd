import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { createServer } from './create-server.js';
import { answerError, KEEP_ALIVE_MS, LARGEST_BODY } from './http-gate.js';
import type { NodeSdk, Serving } from './serving.js';

const MOST_SESSIONS = 64;
/** Without an open request or stream of its client a session ends, with all that runs in it. */
const IDLE_MS = 10 * 60_000;
const LOOK_EVERY_MS = 30_000;

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly owner: string;
  open: number;
  usedAt: number;
}

/** Clients with a handshake: a session for each, with its own workspace, until it is deleted or left alone. */
export class HttpSessions {
  readonly #serving: Serving;
  readonly #node: NodeSdk;
  readonly #sessions = new Map<string, Session>();
  readonly #timer: NodeJS.Timeout;
  readonly #idleMs: number;

  constructor(serving: Serving, node: NodeSdk, idleMs = IDLE_MS) {
    this.#serving = serving;
    this.#node = node;
    this.#idleMs = idleMs;
    this.#timer = setInterval(() => this.#endIdle(), Math.min(LOOK_EVERY_MS, idleMs));
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (id !== undefined) {
      const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
      if (session === undefined) return answerError(response, 404, 'Session not found. Initialize a new one.', -32_001);
      return this.#through(session, request, response, body);
    }
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return answerError(response, 405, 'There is no session to listen to or to end. Initialize one.');
    }
    if (this.#sessions.size >= MOST_SESSIONS && !this.#endOldest()) {
      return answerError(response, 503, `${MOST_SESSIONS} clients are connected already.`);
    }
    const session = await this.#create();
    try {
      await this.#through(session, request, response, body);
    } finally {
      // What was no handshake got its answer, and leaves nothing behind.
      if (session.transport.sessionId === undefined) await session.transport.close();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.values()].map(async ({ transport }) => transport.close()));
  }

  async #create(): Promise<Session> {
    const id = randomUUID();
    const owner = `http-${id}`;
    const transport = new this.#node.NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: LARGEST_BODY,
      keepAliveMs: KEEP_ALIVE_MS,
      onsessioninitialized: () => void this.#sessions.set(id, session),
    });
    const session: Session = { transport, owner, open: 0, usedAt: performance.now() };
    const server = createServer(this.#serving, { owner, isLasting: true }, 'legacy');
    server.onclose = () => {
      this.#sessions.delete(id);
      this.#serving.tools.release(owner).catch((thrown: unknown) => this.#serving.report(String(thrown)));
    };
    await server.connect(transport);
    return session;
  }

  async #through(session: Session, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    session.open += 1;
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = performance.now();
    });
    await session.transport.handleRequest(request, response, body);
  }

  #endIdle(): void {
    const before = performance.now() - this.#idleMs;
    for (const { transport, open, usedAt } of this.#sessions.values()) {
      if (open === 0 && usedAt < before) void transport.close();
    }
  }

  /** Makes room; false when every session is in use. */
  #endOldest(): boolean {
    const [oldest] = [...this.#sessions.entries()]
      .filter(([, { open }]) => open === 0)
      .toSorted(([, left], [, right]) => left.usedAt - right.usedAt);
    if (oldest === undefined) return false;
    this.#sessions.delete(oldest[0]);
    void oldest[1].transport.close();
    return true;
  }
}
