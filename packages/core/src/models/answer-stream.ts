import type { AnswerPhase, Connection } from './server-events.js';
import { postForEvents } from './server-events.js';
import { AnswerSize } from './answer-size.js';
import { isFailedAnswer } from './failed-answer.js';
import { ModelError } from './model-error.js';
import type { ModelEvent } from './model.js';
import { shownUrl } from './provider-url.js';
import type { TextReader, TextReaderOptions } from './text-reader.js';
import { asObject, parseJson } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** Turns the payloads of one answer into events. One is made for each request; it holds no I/O. */
export interface AnswerDecoder {
  push(payload: WireObject): readonly ModelEvent[];
  readonly phase: AnswerPhase;
  /** True if a call has begun that is reported only at the end. */
  readonly isCalling?: boolean;
  /** What comes last, `finish` included. Asked for once, and only after the finish marker. */
  end(): readonly ModelEvent[];
}

export interface AnswerRequest {
  readonly connection: Connection;
  readonly body: WireObject;
  readonly signal: AbortSignal;
  readonly decoder: AnswerDecoder;
  /** Options for reading thinking and calls out of the text. Absent for servers whose text is plain text. */
  readonly text?: TextReaderOptions | undefined;
}

/**
 * One request to one answer. The last event is `finish`, or it throws.
 *
 * @throws ModelError: `broken-stream` when the answer ends before its finish marker or is no JSON.
 */
export async function* streamAnswer(request: AnswerRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { connection, signal, decoder } = request;
  const url = shownUrl(connection.url);
  const size = new AnswerSize(url);
  let isDone = false;
  let reader: TextReader | undefined;
  const phase = (): AnswerPhase => (isDone ? 'complete' : decoder.phase);
  const hasBegun = (): boolean => size.hasBegun || decoder.isCalling === true;
  const events = postForEvents({ connection, body: request.body, signal, phase, hasBegun });
  for await (const { event, data } of events) {
    if (data === '[DONE]') {
      isDone = true;
      break;
    }
    const json = parseJson(data);
    const payload = asObject(json);
    if (event === 'error' || isFailedAnswer(json)) {
      const { providerError } = await import('./provider-error.js');
      throw providerError({ body: data, url, secrets: connection.secrets, keyAdvice: connection.keyAdvice });
    }
    if (payload === undefined) throw brokenStream(`The model at ${url} sent something that is no JSON object.`);
    // The reader is loaded while the model answers.
    reader ??= await readerOf(request.text);
    yield* size.counted(decoder.push(payload)).flatMap(reader);
    if (decoder.phase === 'complete') break;
  }
  // Some servers end with [DONE] alone and never say why they finished.
  if (phase() === 'open') throw brokenStream(`The answer of the model at ${url} broke off before its end.`);
  yield* size.counted(decoder.end()).flatMap(reader ?? asItIs);
}

const asItIs: TextReader = (event) => [event];

async function readerOf(options: TextReaderOptions | undefined): Promise<TextReader> {
  return options === undefined ? asItIs : (await import('./text-reader.js')).createTextReader(options);
}

function brokenStream(message: string): ModelError {
  return new ModelError(message, { kind: 'broken-stream' });
}
