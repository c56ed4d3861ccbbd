import type { IncomingHttpHeaders } from 'node:http';

/** A tool call of a scripted answer. Arguments given as text are sent as they are, broken JSON too. */
export interface ScriptedToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
  /** Default `call_<turn>_<position>`, both counted from 1. */
  readonly id?: string;
}

/** An answer with an HTTP status instead of a stream. */
export interface ScriptedError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a message that names the status. */
  readonly message?: string;
  /** The whole body, instead of an error object with `message`. */
  readonly body?: string;
}

/** One answer of the scripted model. Plain JSON, so that a recording is a file. */
export interface ScriptedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Default `tool_calls` with calls, else `stop`. */
  readonly finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter';
  /** Default: 1 token for 4 characters of the request and of the answer. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedInputTokens?: number };
  /** Characters in one delta. Default: that of the server. */
  readonly chunkSize?: number;
  /** Wait before each chunk, in milliseconds. Default: that of the server. */
  readonly delayMs?: number;
  /** True: the pieces of parallel calls come mixed. */
  readonly interleave?: boolean;
  /** Closes the connection after so many chunks: a stream that breaks off. 0: after the headers. */
  readonly cutAfterChunks?: number;
  /** Says nothing more after so many chunks, until the client goes or the server closes. -1: not even headers. */
  readonly hangAfterChunks?: number;
  /** Sent as an error inside the stream after everything else, instead of the end. */
  readonly streamError?: { readonly message: string; readonly type?: string; readonly code?: string | number };
  /** Instead of everything else. */
  readonly error?: ScriptedError;
}

/** The part of a chat-completions request that tests look at; all of it as it was sent. */
export interface ChatRequestBody {
  readonly model?: string;
  readonly messages: readonly RecordedMessage[];
  readonly tools?: readonly {
    readonly type: string;
    readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
  }[];
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

export interface RecordedMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; an empty list of messages where the body was no chat request. */
  readonly body: ChatRequestBody;
  readonly bodyText: string;
  /** Settles when the exchange is over: answered to the end, or the connection was closed before. */
  readonly closed: Promise<'answered' | 'disconnected'>;
}

/** A turn that depends on the request. */
export type TurnFunction = (request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>;
