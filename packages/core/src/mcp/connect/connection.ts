import type * as SdkModule from '@modelcontextprotocol/client';
import type { Client, McpSubscription, PriorDiscovery, SubscriptionFilter } from '@modelcontextprotocol/client';
import { abortable } from '../../util/abort.js';
import type { McpHost, ServerChange, ServerFeatures, ServerProgress } from '../mcp-types.js';
import type { ServerDefinition } from '../server-definition.js';
import type { GuardedTransport, GuardListener } from './guarded-transport.js';
import { limitProgress } from './limit-progress.js';
import { longestCallMs, type ClientLimits } from './limits.js';
import { RawResults } from './raw-results.js';
import { capabilitiesFor, questionAnswers, registerAnswers } from './server-questions.js';
import { SpareControllers } from './spare-controllers.js';
import { ConnectionEnded, oneLine, RequestLate } from './trouble.js';
import { RequestTimes } from './watch-time.js';
import type { WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

export type Sdk = typeof SdkModule;
export type Negotiation = 'legacy' | 'auto';

export interface ConnectionParts {
  readonly definition: ServerDefinition;
  readonly host: McpHost;
  readonly limits: ClientLimits;
  readonly onChange: (change: ServerChange) => void;
  /** Once, when it ended without having been closed. */
  readonly onLost: () => void;
  /** Something that will be over soon, and that the end of the client should wait for. */
  readonly onClosing: (closing: Promise<void>) => void;
}

/** What a connection is made over, and what is known of it. */
export interface Link {
  readonly transport: GuardedTransport;
  /** Why it ended. */
  readonly end: () => string;
  readonly stderr: () => string;
}

export interface RequestParts {
  readonly signal: AbortSignal;
  /** Default: the definition's. */
  readonly idleMs?: number;
  readonly onProgress?: ((progress: ServerProgress) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
const LOG_LEVEL = 'info';
const MOST_ROUNDS = 10;
/** The SDK's own timer is never the one that ends a request. */
const NEVER_MS = 2 ** 31 - 1;

/** One connection, from its start to its end; it is not made again. */
export class Connection implements GuardListener {
  readonly raw = new RawResults();
  readonly answers: ReturnType<typeof questionAnswers>;
  readonly #parts: ConnectionParts;
  readonly #client: Client;
  readonly #progress = new Map<number, (progress: WireObject) => void>();
  readonly #pages = new Map<string, () => void>();
  readonly #times = new RequestTimes();
  readonly #spares = new SpareControllers();
  readonly #isHeld = (): boolean => this.#questions > 0;
  #link: Link | undefined;
  #questions = 0;
  #tokens = 0;
  #isClosed = false;
  /** Something that somebody wanted was done over it. */
  hasWorked = false;

  constructor(sdk: Sdk, mode: Negotiation, probeMs: number, parts: ConnectionParts) {
    this.#parts = parts;
    const { definition, host } = parts;
    const questions = { definition, host, hold: () => this.#hold() };
    this.#client = new sdk.Client(host.client, {
      capabilities: capabilitiesFor(questions, mode === 'auto'),
      versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
      inputRequired: { maxRounds: MOST_ROUNDS },
    });
    this.answers = questionAnswers(questions);
    registerAnswers(this.#client, this.answers);
    this.#client.onerror = (error) => this.odd(oneLine(error.message));
  }

  /** @throws what the SDK throws, or the signal's reason. Then it is closed. */
  async connect(link: Link, prior: PriorDiscovery | undefined, signal: AbortSignal): Promise<void> {
    this.#link = link;
    let isConnected = false;
    this.#client.onclose = () => {
      if (isConnected && !this.#isClosed) this.#parts.onLost();
    };
    try {
      const options = { signal, timeout: NEVER_MS, ...(prior === undefined ? {} : { prior }) };
      await abortable(this.#client.connect(link.transport, options), signal);
      if (link.transport.isLost) throw new ConnectionEnded(link.end());
      isConnected = true;
    } catch (error) {
      const ended = link.transport.isLost && !signal.aborted ? new ConnectionEnded(link.end()) : error;
      const closing = this.close();
      this.#parts.onClosing(closing);
      // A program that does not want to end holds up nobody who does not want to wait.
      if (!signal.aborted) await closing;
      throw ended;
    }
    if (this.#isLegacy && this.features.logging) {
      void this.request('logging/setLevel', { level: LOG_LEVEL }, { signal: new AbortController().signal }).catch(
        () => undefined,
      );
    }
  }

  get #isLegacy(): boolean {
    return this.era === 'legacy';
  }

  get era(): 'legacy' | 'modern' {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  get features(): ServerFeatures {
    const { tools, resources, prompts, completions, logging } = this.#client.getServerCapabilities() ?? {};
    return {
      tools: tools !== undefined,
      resources: resources !== undefined,
      subscribe: resources?.subscribe === true,
      prompts: prompts !== undefined,
      completions: completions !== undefined,
      logging: logging !== undefined,
    };
  }

  /** The lists of which it tells changes. */
  get changing(): SubscriptionFilter {
    const { tools, resources, prompts } = this.#client.getServerCapabilities() ?? {};
    return {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    };
  }

  get instructions(): string | undefined {
    const text = this.#client.getInstructions();
    return text === undefined || text.trim() === '' ? undefined : text;
  }

  get server(): { readonly name: string; readonly version: string; readonly title?: string } | undefined {
    const info = this.#client.getServerVersion();
    if (info === undefined) return undefined;
    return { name: info.name, version: info.version, ...(info.title === undefined ? {} : { title: info.title }) };
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  get stderr(): string {
    return this.#link?.stderr() ?? '';
  }

  get end(): string {
    return this.#link?.end() ?? 'the connection ended';
  }

  /**
   * The result as it came.
   * @throws RequestLate, the signal's reason, or what the SDK throws.
   */
  async request(method: string, params: WireObject, parts: RequestParts): Promise<unknown> {
    const { definition, limits } = this.#parts;
    const { signal, idleMs = definition.timeoutMs, onProgress, headers } = parts;
    signal.throwIfAborted();
    const stop = this.#spares.take();
    const onAbort = (): void => stop.abort('cancelled');
    signal.addEventListener('abort', onAbort);
    let late: string | undefined;
    const watch = this.#times.watch({
      idleMs,
      totalMs: longestCallMs(definition),
      isHeld: this.#isHeld,
      onEnd: (reason) => {
        late = reason;
        stop.abort(reason);
      },
    });
    const told = onProgress === undefined ? undefined : limitProgress(onProgress, limits.progressMs);
    const token = this.#expectProgress((progress) => {
      watch.alive();
      const sound = soundProgress(progress);
      if (sound !== undefined && !signal.aborted) told?.tell(sound);
    });
    try {
      const result = await this.#client.request(
        { method, params: { ...params, _meta: this.#metaOf(method, token) } },
        this.raw.schema,
        { signal: stop.signal, timeout: NEVER_MS, ...(headers === undefined ? {} : { headers: { ...headers } }) },
      );
      if (!signal.aborted) told?.flush();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw late === undefined ? error : new RequestLate(late);
    } finally {
      this.#progress.delete(token);
      watch.stop();
      signal.removeEventListener('abort', onAbort);
      // In the newer revision, what a question was handed to may keep the signal.
      if (this.#isLegacy) this.#spares.giveBack(stop);
    }
  }

  #metaOf(method: string, progressToken: number): WireObject {
    const asksForLog = method === 'tools/call' && !this.#isLegacy && this.features.logging;
    return { progressToken, ...(asksForLog ? { [LOG_LEVEL_KEY]: LOG_LEVEL } : {}) };
  }

  /** Best effort: nobody can do anything about it. */
  async notify(method: string): Promise<void> {
    await this.#client.notification({ method }).catch(() => undefined);
  }

  listen(filter: SubscriptionFilter, signal: AbortSignal): Promise<McpSubscription> {
    return this.#client.listen(filter, { signal, timeout: this.#parts.definition.timeoutMs });
  }

  /** Resolves when the server says that the page of that question was done. */
  pageDone(id: string): { readonly promise: Promise<void>; readonly stop: () => void } {
    const promise = new Promise<void>((resolve) => {
      this.#pages.set(id, resolve);
    });
    return { promise, stop: () => this.#pages.delete(id) };
  }

  notification(method: string, params: WireObject): void {
    const { definition, host, onChange } = this.#parts;
    const { alias } = definition;
    switch (method) {
      case 'notifications/progress': {
        // Some servers give the number back as a text.
        const token = Number(params['progressToken']);
        return this.#progress.get(token)?.(params);
      }
      case 'notifications/tools/list_changed':
        return onChange({ kind: 'tools' });
      case 'notifications/prompts/list_changed':
        return onChange({ kind: 'prompts' });
      case 'notifications/resources/list_changed':
        return onChange({ kind: 'resources' });
      case 'notifications/resources/updated':
        return typeof params['uri'] === 'string' ? onChange({ kind: 'resource', uri: params['uri'] }) : undefined;
      case 'notifications/message':
        return host.log?.(alias, textOf(params['level'], 'info'), logText(params));
      case 'notifications/elicitation/complete': {
        const id = textOf(params['elicitationId'], '');
        const page = this.#pages.get(id);
        // A call that waits for it goes on by itself.
        return page === undefined ? host.asked?.(alias, id) : page();
      }
      default:
        return undefined;
    }
  }

  odd(text: string): void {
    this.#parts.host.log?.(this.#parts.definition.alias, 'debug', text);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#client.onerror = () => undefined;
    await this.#link?.transport.close().catch(() => undefined);
    await this.#client.close().catch(() => undefined);
  }

  #hold(): () => void {
    this.#questions++;
    return () => this.#questions--;
  }

  #expectProgress(tell: (progress: WireObject) => void): number {
    const token = ++this.#tokens;
    this.#progress.set(token, tell);
    return token;
  }
}

const MOST_MESSAGE = 1000;

function soundProgress({ progress, total, message }: WireObject): ServerProgress | undefined {
  if (typeof progress !== 'number' || !Number.isFinite(progress)) return undefined;
  return {
    progress,
    ...(typeof total === 'number' && Number.isFinite(total) ? { total } : {}),
    ...(typeof message === 'string' ? { message: message.slice(0, MOST_MESSAGE) } : {}),
  };
}

function logText({ logger, data }: WireObject): string {
  const said = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return typeof logger === 'string' ? `${logger}: ${said}` : said;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

export function listOf(value: unknown, key: string): readonly unknown[] | undefined {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? (list as readonly unknown[]) : undefined;
}
