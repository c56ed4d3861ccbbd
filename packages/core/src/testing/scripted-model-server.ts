import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../util/failure.js';
import { chatChunks } from './chat-chunks.js';
import type { ChatRequestBody, RecordedRequest, ScriptedError, ScriptedTurn, TurnFunction } from './scripted-turn.js';

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly model?: string;
  /** Characters in one delta. Default 24. */
  readonly chunkSize?: number;
  /** Wait before each chunk, in milliseconds. Default 0. */
  readonly delayMs?: number;
}

export interface ScriptedModel {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Requests for an answer, in the order in which they came. Each takes one turn, whatever became of it. */
  readonly requests: readonly RecordedRequest[];
  /** All other requests, `/v1/models` among them. */
  readonly otherRequests: readonly RecordedRequest[];
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

const CHUNK_SIZE = 24;

/**
 * A model that says what it was told to, as a real server on 127.0.0.1: OpenAI chat completions over
 * server-sent events, and `/v1/models`. A request after the last turn is answered with status 400
 * and a message that says so. Nothing is checked about the key.
 */
export async function startScriptedModel(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const model = options.model ?? 'scripted';
  const requests: RecordedRequest[] = [];
  const otherRequests: RecordedRequest[] = [];
  const ending = new AbortController();

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, ending.signal]);
    const request = await record(message, response);
    if (request.method === 'GET' && request.path.endsWith('/models')) {
      otherRequests.push(request);
      sendJson(response, 200, { object: 'list', data: [{ id: model, object: 'model', owned_by: 'tenon' }] });
    } else if (request.method === 'POST' && request.path.endsWith('/chat/completions')) {
      requests.push(request);
      const turnNumber = requests.length;
      const turn = turns[turnNumber - 1];
      if (turn === undefined) return sendError(response, scriptIsOver(turns.length, turnNumber));
      const settled = typeof turn === 'function' ? await turn(request) : turn;
      await playTurn({ turn: settled, turnNumber, request, response, signal, model, options });
    } else {
      otherRequests.push(request);
      sendError(response, { status: 404, message: `The scripted model has no ${request.method} ${request.path}.` });
    }
  };

  const server = createServer((message, response) => {
    answer(message, response).catch((thrown: unknown) => {
      // The client went away, or a turn function threw: then the client should read why.
      if (response.headersSent || response.destroyed) response.destroy();
      else sendError(response, { status: 400, message: `The script failed: ${errorMessage(thrown)}` });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model,
    requests,
    otherRequests,
    close: async () => {
      ending.abort();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Performance {
  readonly turn: ScriptedTurn;
  readonly turnNumber: number;
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal;
  readonly model: string;
  readonly options: ScriptedModelOptions;
}

async function playTurn(performance: Performance): Promise<void> {
  const { turn, request, response, signal, options } = performance;
  if (turn.error !== undefined) return sendError(response, turn.error);
  const hangAfter = turn.hangAfterChunks ?? Number.POSITIVE_INFINITY;
  if (hangAfter < 0) return untilAborted(signal);
  const payloads = chatChunks({
    turn,
    turnNumber: performance.turnNumber,
    model: performance.model,
    chunkSize: turn.chunkSize ?? options.chunkSize ?? CHUNK_SIZE,
    inputCharacters: request.bodyText.length,
    includeUsage: asksForUsage(request.body),
  });
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const delayMs = turn.delayMs ?? options.delayMs ?? 0;
  const closing = turn.streamError === undefined ? ['[DONE]'] : [];
  const events = [...payloads.map((payload) => JSON.stringify(payload)), ...closing];
  for (const [sent, data] of events.entries()) {
    if (sent === turn.cutAfterChunks) return cut(response);
    if (sent === hangAfter) return untilAborted(signal);
    if (delayMs > 0) await sleep(delayMs, undefined, { signal });
    await write(response, `data: ${data}\n\n`, signal);
  }
  response.end();
}

/** What was written reaches the client before the connection goes, so the cut is where the script says. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  response.destroy();
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  // Waiting for the kernel keeps chunks apart and memory flat, however long the answer.
  await new Promise<void>((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function record(message: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const closed = new Promise<'answered' | 'disconnected'>((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'answered' : 'disconnected'));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const bodyText = Buffer.concat(chunks).toString('utf8');
  return {
    method: message.method ?? '',
    path: (message.url ?? '').split('?')[0] ?? '',
    headers: message.headers,
    body: parseBody(bodyText),
    bodyText,
    closed,
  };
}

function parseBody(text: string): ChatRequestBody {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'messages' in body) return body as ChatRequestBody;
  } catch {
    // Recorded as text: a test may look at it there.
  }
  return { messages: [] };
}

function asksForUsage(body: ChatRequestBody): boolean {
  const options = body['stream_options'];
  return (
    typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
  );
}

function scriptIsOver(turns: number, request: number): ScriptedError {
  const words = turns === 1 ? '1 turn' : `${turns} turns`;
  return { status: 400, message: `The script has ${words}, and this is request ${request}.` };
}

function sendError(response: ServerResponse, error: ScriptedError): void {
  const message = error.message ?? `Scripted error ${error.status}`;
  if (error.body === undefined) sendJson(response, error.status, { error: { message } }, error.headers);
  else response.writeHead(error.status, { ...error.headers }).end(error.body);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers?: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
