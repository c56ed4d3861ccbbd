import type { CancellationTokenSource, Message, MessageConnection } from 'vscode-jsonrpc/node';
import type { PipedProcess } from '../process/piped-process.js';
import { errorMessage, Failure } from '../util/failure.js';
import { loadJsonRpc } from './load-jsonrpc.js';

/** What a server asks and tells. A handler of requests that throws answers with an error. */
export interface ConnectionHandlers {
  readonly onRequest: (method: string, params: unknown) => unknown;
  readonly onNotification: (method: string, params: unknown) => void;
  readonly onProgress: (token: string | number, value: unknown) => void;
}

export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Of one message, and of what comes without being one. */
const LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024;
const KEPT_STDERR_CHARS = 2_000;
const LONGEST_ERROR = 400;
/** Between the end of a server's output and its own. */
const EXIT_MS = 500;
const METHOD_NOT_FOUND = -32601;
/** Answers that mean "ask again", by code: content modified, server cancelled. */
const ASK_AGAIN: ReadonlySet<number> = new Set([-32801, -32802]);

/** One server's pipes, as requests and notifications. */
export class LspConnection {
  /** Resolves with the reason when nothing more can be said to it. Never rejects. */
  readonly ended: Promise<string>;
  readonly #connection: MessageConnection;
  readonly #newCancellation: () => CancellationTokenSource;
  readonly #process: PipedProcess;
  #endedBecause: string | undefined;
  #stderr = '';
  #end: (reason: string) => void = () => undefined;

  private constructor(
    child: PipedProcess,
    connection: MessageConnection,
    newCancellation: () => CancellationTokenSource,
  ) {
    this.#process = child;
    this.#connection = connection;
    this.#newCancellation = newCancellation;
    this.ended = new Promise((resolve) => {
      this.#end = (reason) => {
        this.#endedBecause ??= reason;
        resolve(this.#endedBecause);
      };
    });
    child.stderr.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-KEPT_STDERR_CHARS);
    });
    void child.exited.then(({ code, signal }) => {
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      this.#end(`${how}${this.#lastWords()}`);
    });
  }

  static async open(child: PipedProcess, handlers: ConnectionHandlers): Promise<LspConnection> {
    const { CancellationTokenSource, createMessageConnection, NullLogger, StreamMessageReader, StreamMessageWriter } =
      await loadJsonRpc();
    const meter = { bytes: 0 };
    const reader = new StreamMessageReader(child.stdout);
    const listen = reader.listen.bind(reader);
    reader.listen = (take) =>
      listen((message: Message) => {
        meter.bytes = 0;
        take(message);
      });
    const writer = new StreamMessageWriter(child.stdin);
    const connection = createMessageConnection(reader, writer, NullLogger);
    const opened = new LspConnection(child, connection, () => new CancellationTokenSource());
    child.stdin.on('error', () => undefined);
    child.stdout.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      meter.bytes += chunk.length;
      if (meter.bytes > LONGEST_MESSAGE_BYTES) opened.#break('sent more than 64 MiB without a whole message');
    });
    connection.onRequest((method, params) => handlers.onRequest(method, params) ?? null);
    connection.onNotification((method, params) => handlers.onNotification(method, params));
    connection.onUnhandledProgress(({ token, value }) => handlers.onProgress(token, value));
    connection.onError(([error]) => opened.#break(`does not speak the protocol: ${errorMessage(error)}`));
    connection.onClose(() => opened.#closed());
    connection.listen();
    return opened;
  }

  get isOpen(): boolean {
    return this.#endedBecause === undefined;
  }

  /** Without `params` none are sent: some servers refuse an empty one. @throws Failure `lsp_*` */
  async request(method: string, params: object | undefined, limits: RequestLimits): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#ask(method, params, limits);
      if (!('again' in answer)) return answer.result;
      if (attempt === 3) throw new Failure('lsp_failed', answer.again);
    }
  }

  async #ask(
    method: string,
    params: object | undefined,
    { signal, timeoutMs }: RequestLimits,
  ): Promise<{ readonly result: unknown } | { readonly again: string }> {
    if (this.#endedBecause !== undefined) throw this.#lost();
    const cancellation = this.#newCancellation();
    const { token } = cancellation;
    const sent =
      params === undefined
        ? this.#connection.sendRequest<unknown>(method, token)
        : this.#connection.sendRequest<unknown>(method, params, token);
    // What comes after it was given up has no reader.
    sent.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    try {
      const outcome = await Promise.race([
        sent.then((result) => ({ result })),
        this.ended.then(() => 'ended' as const),
        new Promise<'late'>((resolve) => {
          timer = setTimeout(() => resolve('late'), timeoutMs);
        }),
        new Promise<'aborted'>((resolve) => {
          onAbort = () => resolve('aborted');
          if (signal.aborted) onAbort();
          else signal.addEventListener('abort', onAbort, { once: true });
        }),
      ]);
      if (typeof outcome === 'object') return outcome;
      if (outcome === 'ended') throw this.#lost();
      cancellation.cancel();
      if (outcome === 'aborted') throw signal.reason;
      throw new Failure('lsp_timeout', `the server did not answer ${method} within ${timeoutMs} ms`);
    } catch (thrown) {
      if (thrown instanceof Failure || signal.aborted) throw thrown;
      if (!this.isOpen) throw this.#lost();
      const message = firstLine(errorMessage(thrown));
      const code: unknown = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
      if (typeof code === 'number' && ASK_AGAIN.has(code)) return { again: message };
      throw new Failure(code === METHOD_NOT_FOUND ? 'lsp_unsupported' : 'lsp_failed', message);
    } finally {
      clearTimeout(timer);
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
      cancellation.dispose();
    }
  }

  /** What cannot be sent any more is nothing to anybody: the end is told by `ended`. */
  notify(method: string, params?: object): void {
    if (!this.isOpen) return;
    const sent =
      params === undefined
        ? this.#connection.sendNotification(method)
        : this.#connection.sendNotification(method, params);
    sent.catch(() => undefined);
  }

  /** `shutdown`, `exit`, then the process with all that it started. May be called more than once. */
  async close(graceMs: number): Promise<void> {
    if (this.isOpen) {
      await this.#ask('shutdown', undefined, { signal: new AbortController().signal, timeoutMs: graceMs }).catch(
        () => undefined,
      );
      this.notify('exit');
    }
    this.#end('was stopped');
    await this.#process.end(graceMs);
    this.#connection.dispose();
  }

  /** Most often it has ended: how is known a moment later. */
  #closed(): void {
    const timer = setTimeout(() => this.#break(`closed its output${this.#lastWords()}`), EXIT_MS);
    void this.#process.exited.then(() => clearTimeout(timer));
  }

  #break(reason: string): void {
    this.#end(reason);
    void this.#process.end(0);
  }

  #lost(): Failure {
    return new Failure('lsp_server_ended', `the server ${this.#endedBecause ?? 'ended'}`);
  }

  #lastWords(): string {
    const line = this.#stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
    return line === '' ? '' : ` (${line.slice(0, LONGEST_ERROR)})`;
  }
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, LONGEST_ERROR);
}
