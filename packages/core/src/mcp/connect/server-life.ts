import type { StartPiped } from '../../process/piped-process.js';
import { abortable, sleep } from '../../util/abort.js';
import { Failure } from '../../util/failure.js';
import type { McpHost, ServerChange, ServerFeatures, ServerState, ServerStatus } from '../mcp-types.js';
import type { ServerDefinition } from '../server-definition.js';
import type { Connection } from './connection.js';
import type { ClientLimits } from './limits.js';
import { NotConnected, openConnection, type Attempt } from './open-connection.js';
import { oneLine, serverAddress, serverName, troubleOf, type Trouble } from './trouble.js';

export interface LifeParts {
  readonly definition: ServerDefinition;
  readonly start: StartPiped;
  readonly environment: (definition: ServerDefinition) => Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly host: McpHost;
  readonly limits: ClientLimits;
}

export interface LifeListener {
  onChange(change: ServerChange): void;
  /** `isAgain`: it was connected before, so anything may have changed. */
  onConnected(connection: Connection, isAgain: boolean): void;
  onGone(): void;
}

interface Seen {
  readonly features: ServerFeatures;
  readonly instructions: string | undefined;
  readonly server: ServerStatus['server'];
  readonly protocolVersion: string | undefined;
}

/** Somebody may sign in elsewhere at any time; but a burst of calls needs one answer only. */
const SIGN_IN_AGAIN_MS = 3000;

/** The connections of one server, one after the other: when it is connected, when no more. */
export class ServerLife {
  readonly #parts: LifeParts;
  readonly #listener: LifeListener;
  readonly #closing = new Set<Promise<void>>();
  #state: ServerState;
  #reason: string | undefined;
  #stderr = '';
  #seen: Seen | undefined;
  #startedInMs: number | undefined;
  #known: Attempt | undefined;
  #connection: Connection | undefined;
  #opening: { readonly done: Promise<Connection>; readonly stop: AbortController } | undefined;
  /** In a row. */
  #failures = 0;
  #failure: Failure | undefined;
  #failedAt = 0;
  #isOver = false;

  constructor(parts: LifeParts, listener: LifeListener) {
    this.#parts = parts;
    this.#listener = listener;
    this.#state = parts.definition.disabled ? 'disabled' : 'idle';
  }

  get seen(): Seen | undefined {
    return this.#seen;
  }

  /** The connection that stands, if one does. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  status(): ServerStatus {
    const stderr = this.#connection?.stderr ?? this.#stderr;
    const { server, protocolVersion } = this.#seen ?? {};
    return {
      state: this.#state,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(stderr === '' ? {} : { lastStderr: stderr }),
      ...(server === undefined ? {} : { server }),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      ...(this.#startedInMs === undefined ? {} : { startedInMs: this.#startedInMs }),
    };
  }

  /** The connection, made if there is none. `isAsked`: by the person, whatever failed before. */
  async use(signal: AbortSignal, isAsked = false): Promise<Connection> {
    signal.throwIfAborted();
    if (this.#connection !== undefined) return this.#connection;
    return abortable(this.#open(isAsked), signal);
  }

  /** A request was answered. */
  worked(connection: Connection): void {
    connection.hasWorked = true;
    this.#failures = 0;
  }

  /** The connection is of no use any more. */
  lose(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#stderr = connection.stderr;
    if (!connection.hasWorked) this.#failed(undefined);
    this.#track(connection.close());
    this.#listener.onGone();
    this.#become(this.#hasGivenUp ? 'failed' : 'lost', reason);
  }

  get #hasGivenUp(): boolean {
    return this.#failures >= this.#parts.limits.backOffMs.length;
  }

  /** It asks for a sign-in in the middle of things. */
  refuse(connection: Connection, trouble: Trouble): Failure {
    if (this.#connection === connection) {
      this.#connection = undefined;
      this.#track(connection.close());
      this.#listener.onGone();
    }
    return this.#signIn(trouble);
  }

  async end(isOver: boolean): Promise<void> {
    this.#isOver ||= isOver;
    this.#opening?.stop.abort(new Failure('mcp_unavailable', `${this.#name} was disconnected.`));
    await this.#opening?.done.catch(() => undefined);
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) {
      this.#stderr = connection.stderr;
      this.#track(connection.close());
      this.#listener.onGone();
    }
    this.#failures = 0;
    await Promise.all(this.#closing);
    // Somebody may have used it again meanwhile.
    const isUsed = this.#opening !== undefined || this.#connection !== undefined;
    if (this.#state !== 'disabled' && !isUsed) this.#become('idle', undefined);
  }

  get #name(): string {
    return serverName(this.#parts.definition);
  }

  #open(isAsked: boolean): Promise<Connection> {
    if (this.#opening !== undefined) return this.#opening.done;
    const refusal = this.#refusal(isAsked);
    if (refusal !== undefined) return Promise.reject(refusal);
    if (isAsked) this.#failures = 0;
    const stop = new AbortController();
    const done = this.#connect(stop).finally(() => {
      this.#opening = undefined;
    });
    // Those who wait may all have gone.
    done.catch(() => undefined);
    this.#opening = { done, stop };
    return done;
  }

  #refusal(isAsked: boolean): Failure | undefined {
    if (this.#state === 'disabled') {
      return new Failure('mcp_unavailable', `${this.#name} is disabled in the settings.`);
    }
    if (this.#isOver) return new Failure('mcp_unavailable', `${this.#name} was closed, for the session is over.`);
    if (isAsked) return undefined;
    if (this.#state === 'needs-sign-in' && Date.now() - this.#failedAt < SIGN_IN_AGAIN_MS) return this.#failure;
    return this.#hasGivenUp ? this.#failure : undefined;
  }

  async #connect(stop: AbortController): Promise<Connection> {
    const { definition, limits } = this.#parts;
    const wait = this.#failures === 0 ? 0 : this.#failedAt + (limits.backOffMs[this.#failures] ?? 0) - Date.now();
    this.#become('connecting', this.#reason);
    const startedAt = performance.now();
    let isLate = false;
    let limit: NodeJS.Timeout | undefined;
    try {
      if (wait > 0) await sleep(wait, stop.signal);
      limit = setTimeout(() => {
        isLate = true;
        stop.abort(new Error('late'));
      }, definition.startupMs);
      const opened = await openConnection({ ...this.#parts, ...this.#callbacks(), known: this.#known }, stop.signal);
      this.#known = opened.known;
      this.#startedInMs = Math.round(performance.now() - startedAt);
      this.#connected(opened.connection);
      return opened.connection;
    } catch (error) {
      if (stop.signal.aborted && !isLate) {
        this.#become('idle', undefined);
        throw error;
      }
      this.#known = undefined;
      throw this.#notConnected(isLate, error);
    } finally {
      clearTimeout(limit);
    }
  }

  #callbacks() {
    // Only what belongs to the connection that stands counts.
    return {
      onChange: (change: ServerChange) => this.#listener.onChange(change),
      onLost: () => {
        const connection = this.#connection;
        if (connection !== undefined) this.lose(connection, `${this.#name} is gone: ${oneLine(connection.end)}.`);
      },
      onClosing: (closing: Promise<void>) => this.#track(closing),
    };
  }

  #connected(connection: Connection): void {
    const isAgain = this.#seen !== undefined;
    this.#connection = connection;
    this.#failure = undefined;
    this.#seen = {
      features: connection.features,
      instructions: connection.instructions,
      server: connection.server,
      protocolVersion: connection.protocolVersion,
    };
    this.#become('ready', undefined);
    this.#listener.onConnected(connection, isAgain);
  }

  #notConnected(isLate: boolean, error: unknown): Failure {
    const { alias, startupMs } = this.#parts.definition;
    const trouble = error instanceof NotConnected ? error.trouble : troubleOf(error);
    this.#stderr = error instanceof NotConnected ? error.stderr : '';
    if (trouble.kind === 'sign-in' && !isLate) return this.#signIn(trouble);
    const reason = isLate ? `it did not answer within ${startupMs / 1000} s` : trouble.reason;
    const wrote = this.#stderr === '' ? '' : ` It last wrote: ${oneLine(this.#stderr.slice(-300), 300)}.`;
    const address = serverAddress(this.#parts.definition);
    const isOfAddress = address !== undefined && (trouble.kind === 'unreached' || trouble.status !== undefined);
    const what = isOfAddress ? 'Check that it runs and that the address is right' : 'Look at its definition';
    const next = `${what}, or run \`tenon mcp test ${alias}\`.`;
    const place = address === undefined ? this.#name : `${this.#name} at ${address}`;
    const failure = new Failure('mcp_unavailable', `${place} could not be connected: ${reason}.${wrote} ${next}`);
    this.#failed(failure);
    this.#become('failed', `${address === undefined ? '' : `${address}: `}${reason}.${wrote}`);
    return failure;
  }

  #signIn(trouble: Trouble): Failure {
    const { alias } = this.#parts.definition;
    const hint = `tenon mcp login ${alias}`;
    const said = trouble.reason.includes(hint)
      ? trouble.reason
      : `${this.#name} needs a sign-in (${trouble.reason}): run \`${hint}\`.`;
    this.#failure = new Failure('mcp_needs_sign_in', said);
    this.#failedAt = Date.now();
    this.#become('needs-sign-in', said);
    return this.#failure;
  }

  #failed(failure: Failure | undefined): void {
    this.#failures++;
    this.#failedAt = Date.now();
    this.#failure =
      failure ?? new Failure('mcp_unavailable', `${this.#name} was lost ${this.#failures} times in a row.`);
  }

  #track(closing: Promise<void>): void {
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  #become(state: ServerState, reason: string | undefined): void {
    if (this.#state === state && this.#reason === reason) return;
    this.#state = state;
    this.#reason = reason;
    this.#listener.onChange({ kind: 'status' });
  }
}
