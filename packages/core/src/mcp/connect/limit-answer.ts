import { withBody } from '../../network/with-body.js';
import { EventGate, type LongEvent } from './event-gate.js';
import { answeredId, asksSomething, type WireId } from './wire-message.js';

export interface AnswerLimit {
  /** Of one message. */
  readonly mostBytes: number;
  /** The request that is answered; undefined where nobody waits for just that answer. */
  readonly id: WireId | undefined;
  /** Answers the only request that waits in the server's stead, if there is only one. */
  readonly refuseOnly: (message: string) => void;
  readonly log: (text: string) => void;
}

/** Of a body that is not an answer: a page that tells of an error, or what nobody reads. */
const MOST_OTHER_BYTES = 64 * 1024;
const INTERNAL_ERROR = -32_603;

/**
 * The same answer, of which no more is held than one message may have. In place of a message that is too long comes the
 * error that says so, for the one request that it answers; a body is not read beyond that, a stream for all goes on.
 */
export function limitAnswer(response: Response, limit: AnswerLimit): Response {
  const { body, headers } = response;
  if (body === null) return response;
  const type = (headers.get('content-type') ?? '').toLowerCase();
  if (response.ok && type.startsWith('text/event-stream')) return withBody(response, limitEvents(body, limit));
  const isAnswer = response.ok && response.status !== 202 && limit.id !== undefined;
  const most = isAnswer ? limit.mostBytes : MOST_OTHER_BYTES;
  const declared = declaredBytes(headers);
  if (declared !== undefined && declared <= most) return response;
  return withBody(response, isAnswer ? limitWhole(body, limit, declared) : cutAt(body, most));
}

/** Of the body as it is read; undefined where that is not known before. */
function declaredBytes(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  if (length === null || !/^\d+$/u.test(length)) return undefined;
  const encoding = headers.get('content-encoding') ?? 'identity';
  // What is packed only grows.
  return encoding === 'identity' ? Number(length) : undefined;
}

/** For a request whose answer was not read; undefined: how long it would have been. */
export function tooLongText(bytes: number | undefined, mostBytes: number): string {
  const most = megabytes(mostBytes);
  const size = bytes === undefined ? `more than ${most}` : megabytes(bytes);
  return `its answer is too long: ${size} in one message, of which ${most} are allowed`;
}

export function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;
}

type Body = ReadableStream<Uint8Array>;

function limitWhole(body: Body, { mostBytes, id }: AnswerLimit, declared: number | undefined): Body {
  const tooLong = (): Uint8Array => Buffer.from(errorFor(id, tooLongText(declared, mostBytes)));
  if (declared !== undefined) {
    return streamOf(body, async (reader) => {
      await reader.cancel().catch(() => undefined);
      return { pieces: [tooLong()], isLast: true };
    });
  }
  return streamOf(body, async (reader) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { pieces, isLast: true };
      bytes += value.length;
      if (bytes > mostBytes) {
        await reader.cancel().catch(() => undefined);
        return { pieces: [tooLong()], isLast: true };
      }
      pieces.push(value);
    }
  });
}

function cutAt(body: Body, most: number): Body {
  let left = most;
  return streamOf(body, async (reader) => {
    const { done, value } = await reader.read();
    if (done) return { pieces: [], isLast: true };
    const piece = value.subarray(0, left);
    left -= piece.length;
    if (left === 0) await reader.cancel().catch(() => undefined);
    return { pieces: [piece], isLast: left === 0 };
  });
}

function limitEvents(body: Body, limit: AnswerLimit): Body {
  let isOver = false;
  const gate = new EventGate({
    mostBytes: limit.mostBytes,
    onLong: (event) => {
      const { instead, ends } = insteadOf(event, limit);
      if (ends) isOver = true;
      return instead;
    },
  });
  return streamOf(body, async (reader) => {
    const { done, value } = await reader.read();
    // What came of an event that was not ended is none.
    if (done) return { pieces: [], isLast: true };
    const pieces = gate.push(value);
    if (isOver) await reader.cancel().catch(() => undefined);
    return { pieces, isLast: isOver };
  });
}

interface Instead {
  /** An event that takes its place. */
  readonly instead?: string;
  /** Nothing more will come that anybody waits for. */
  readonly ends: boolean;
}

function insteadOf({ start, end, bytes }: LongEvent, { mostBytes, id, refuseOnly, log }: AnswerLimit): Instead {
  const isOver = end !== undefined;
  const text = tooLongText(isOver ? bytes : undefined, mostBytes);
  const leftOut: Instead = { ends: false };
  const isQuestion = asksSomething(start);
  const named = isQuestion ? undefined : answeredId(start, '');
  // Told when it became too long: at its end there is nothing more to say.
  if (isOver && (isQuestion || named !== undefined || id !== undefined)) return leftOut;
  if (isQuestion) {
    log(`a message of more than ${megabytes(mostBytes)} was left out`);
    return leftOut;
  }
  const whose = named ?? (isOver ? answeredId(start, end) : id);
  if (whose !== undefined) {
    const instead = `event: message\ndata: ${errorFor(whose, text)}\n\n`;
    return { instead, ends: id !== undefined && String(whose) === String(id) };
  }
  if (isOver) log(`a message of ${megabytes(bytes)} was left out`);
  else refuseOnly(text);
  return leftOut;
}

function errorFor(id: WireId | undefined, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
}

interface Step {
  readonly pieces: readonly Uint8Array[];
  readonly isLast: boolean;
}

/** Reads on only when somebody reads what it gives. */
function streamOf(body: Body, step: (reader: ReadableStreamDefaultReader<Uint8Array>) => Promise<Step>): Body {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        for (;;) {
          const { pieces, isLast } = await step(reader);
          const filled = pieces.filter((piece) => piece.length > 0);
          for (const piece of filled) controller.enqueue(piece);
          if (isLast) controller.close();
          if (isLast || filled.length > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
