import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EventServerRequest {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or undefined. */
  readonly body: unknown;
}

export interface EventServer {
  /** `http://127.0.0.1:port`, no path. */
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly EventServerRequest[];
  close(): Promise<void>;
}

export type AnswerEvents = (request: EventServerRequest, response: ServerResponse) => void | Promise<void>;

/** A server for the tests of one provider's wire format: records requests, and `answer` writes what it likes. */
export async function startEventServer(answer: AnswerEvents): Promise<EventServer> {
  const requests: EventServerRequest[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const request = { method: message.method ?? '', url: message.url ?? '', headers: message.headers, body };
      requests.push(request);
      Promise.resolve(answer(request, response)).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Payloads as server-sent events; each with its `type` as event name when `named`. */
export function asEventStream(payloads: readonly (object | string)[], named = false): string {
  return payloads
    .map((payload) => {
      const data = typeof payload === 'string' ? payload : JSON.stringify(payload);
      const name = named && typeof payload === 'object' && 'type' in payload ? `event: ${String(payload.type)}\n` : '';
      return `${name}data: ${data}\n\n`;
    })
    .join('');
}

/** Answers with an event stream and ends it. */
export function sendEvents(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}
