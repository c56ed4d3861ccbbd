import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { Failure } from '../../util/failure.js';
import type {
  CompletionRequest,
  McpServer,
  ServerCallOptions,
  ServerChange,
  ServerFeatures,
  ServerList,
  ServerStatus,
} from '../mcp-types.js';
import type { ServerDefinition } from '../server-definition.js';
import { announceChanges, type ChangeAnnouncer } from './announce-changes.js';
import { listOf, type Connection } from './connection.js';
import { keepListening, type Listening } from './keep-listening.js';
import { longestTaskMs } from './limits.js';
import { listPages } from './list-pages.js';
import { visitRequiredPages } from './required-pages.js';
import { awaitTask, taskIn } from './run-task.js';
import { ServerLife, type LifeParts } from './server-life.js';
import { CALL, failureOf, isGone, isUnknownMethod, LOST, RequestLate, troubleOf, type Trouble } from './trouble.js';
import type { WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

type ListKind = 'tools' | 'prompts' | 'resources';

interface ListSpec {
  readonly method: string;
  readonly key: string;
  readonly kind: ListKind;
}

const TOOLS: ListSpec = { method: 'tools/list', key: 'tools', kind: 'tools' };
const PROMPTS: ListSpec = { method: 'prompts/list', key: 'prompts', kind: 'prompts' };
const RESOURCES: ListSpec = { method: 'resources/list', key: 'resources', kind: 'resources' };
const TEMPLATES: ListSpec = { method: 'resources/templates/list', key: 'resourceTemplates', kind: 'resources' };
const EMPTY: ServerList = { entries: [], problems: [] };
const TASK_TTL = 60_000;
/** All pages of a list, as a multiple of the time for one call. */
const LONGEST_LIST = 3;

interface RunParts {
  readonly signal: AbortSignal;
  /** It may be done twice. */
  readonly mayRepeat: boolean;
  /** What is done, for a message: "tools/call". */
  readonly what: string;
}

interface ToolCall {
  readonly name: string;
  readonly args: object;
  readonly options: ServerCallOptions;
}

/** See `McpServer`. */
export class ServerClient implements McpServer {
  readonly definition: ServerDefinition;
  readonly #parts: LifeParts;
  readonly #life: ServerLife;
  readonly #listeners = new Set<(change: ServerChange) => void>();
  readonly #subscribed = new Set<string>();
  readonly #lists = new Map<string, { readonly list: ServerList; readonly until: number }>();
  #announcer: ChangeAnnouncer<ListKind>;
  #listening: Listening | undefined;
  #tools: number | undefined;
  #listProblem: string | undefined;

  constructor(parts: LifeParts) {
    this.definition = parts.definition;
    this.#parts = parts;
    this.#announcer = this.#newAnnouncer();
    this.#life = new ServerLife(parts, {
      onChange: (change) => this.#changed(change),
      onConnected: (connection, isAgain) => this.#connected(connection, isAgain),
      onGone: () => {
        this.#lists.clear();
        this.#listening?.close();
        this.#listening = undefined;
      },
    });
  }

  status(): ServerStatus {
    const status = this.#life.status();
    const reason = status.reason ?? (status.state === 'ready' ? this.#listProblem : undefined);
    return {
      ...status,
      ...(reason === undefined ? {} : { reason }),
      ...(this.#tools === undefined ? {} : { tools: this.#tools }),
    };
  }

  features(): ServerFeatures | undefined {
    return this.#life.seen?.features;
  }

  instructions(): string | undefined {
    return this.#life.seen?.instructions;
  }

  async connect(signal: AbortSignal): Promise<void> {
    await this.#life.use(signal, true);
  }

  async listTools(signal: AbortSignal): Promise<ServerList> {
    try {
      const list = await this.#list(TOOLS, signal);
      this.#noteTools(list.entries.length, list.problems.join('\n') || undefined);
      return list;
    } catch (error) {
      if (error instanceof Failure) this.#noteTools(this.#tools, error.message);
      throw error;
    }
  }

  callTool(name: string, args: object, options: ServerCallOptions): Promise<unknown> {
    const { signal, mayRepeat = false } = options;
    return this.#run({ signal, mayRepeat, what: CALL }, (connection) =>
      this.#call(connection, { name, args, options }),
    );
  }

  async #call(connection: Connection, { name, args, options }: ToolCall): Promise<unknown> {
    const { signal, onProgress, asTask = false } = options;
    const { era } = connection;
    const params = { name, arguments: args, ...(asTask && era === 'legacy' ? { task: { ttl: TASK_TTL } } : {}) };
    const parts = { signal, onProgress, headers: paramHeaders(options.headers) };
    let result: unknown;
    try {
      result = await connection.request('tools/call', params, parts);
    } catch (error) {
      const { ask } = this.#parts.host;
      const isDone = await visitRequiredPages(error, connection, { alias: this.definition.alias, ask, signal });
      if (!isDone) throw error;
      result = await connection.request('tools/call', params, parts);
    }
    const task = taskIn(result, era);
    if (task === undefined) return result;
    const { limits } = this.#parts;
    const longestMs = longestTaskMs(this.definition);
    return awaitTask(task, connection, { signal, onProgress, longestMs, pollMs: limits.pollMs });
  }

  listResources(signal: AbortSignal): Promise<ServerList> {
    return this.#list(RESOURCES, signal);
  }

  listResourceTemplates(signal: AbortSignal): Promise<ServerList> {
    return this.#list(TEMPLATES, signal);
  }

  readResource(uri: string, signal: AbortSignal): Promise<unknown> {
    return this.#ask('resources/read', { uri }, signal);
  }

  async subscribe(uri: string, signal: AbortSignal): Promise<void> {
    this.#subscribed.add(uri);
    try {
      await this.#run({ signal, mayRepeat: true, what: 'resources/subscribe' }, async (connection) => {
        if (connection.era === 'legacy') await connection.request('resources/subscribe', { uri }, { signal });
        else this.#listening?.changed();
      });
    } catch (error) {
      this.#subscribed.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, signal: AbortSignal): Promise<void> {
    if (!this.#subscribed.delete(uri)) return;
    const { connection } = this.#life;
    if (connection === undefined) return;
    if (connection.era === 'legacy') await this.#ask('resources/unsubscribe', { uri }, signal);
    else this.#listening?.changed();
  }

  listPrompts(signal: AbortSignal): Promise<ServerList> {
    return this.#list(PROMPTS, signal);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    return this.#ask('prompts/get', { name, arguments: { ...args } }, signal);
  }

  async complete({ ref, argument, context }: CompletionRequest, signal: AbortSignal): Promise<readonly string[]> {
    await this.#life.use(signal);
    if (this.features()?.completions !== true) return [];
    const given = context === undefined ? {} : { context: { arguments: { ...context } } };
    const result = await this.#ask(
      'completion/complete',
      { ref: { ...ref }, argument: { ...argument }, ...given },
      signal,
    );
    const values = listOf(isObject(result) ? result['completion'] : undefined, 'values') ?? [];
    return values.filter((value) => typeof value === 'string');
  }

  onChange(listener: (change: ServerChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async disconnect(): Promise<void> {
    await this.#life.end(false);
  }

  /** For good. */
  async close(): Promise<void> {
    this.#announcer.close();
    await this.#life.end(true);
  }

  rootsChanged(): void {
    const { connection } = this.#life;
    if (connection?.era === 'legacy') void connection.notify('notifications/roots/list_changed');
  }

  #ask(method: string, params: WireObject, signal: AbortSignal): Promise<unknown> {
    return this.#run({ signal, mayRepeat: true, what: method }, (connection) =>
      connection.request(method, params, { signal }),
    );
  }

  /** Connects, and once more where that may help. @throws Failure, or the signal's reason */
  async #run<T>({ signal, mayRepeat, what }: RunParts, work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const connection = this.#life.connection ?? (await this.#life.use(signal));
      try {
        const result = await work(connection);
        this.#life.worked(connection);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const trouble = this.#troubleOf(error, connection);
        if (trouble.kind === 'sign-in') throw this.#life.refuse(connection, trouble);
        if (!isGone(trouble)) this.#life.worked(connection);
        else if (trouble.isAnswerOnly !== true) {
          this.#life.lose(connection, `The MCP server "${this.definition.alias}" is gone: ${trouble.reason}.`);
        }
        if (isFirst && isGone(trouble) && (mayRepeat || trouble.kind !== 'lost')) continue;
        throw failureOf(trouble, { server: this.definition, what, cause: error });
      }
    }
  }

  #troubleOf(error: unknown, connection: Connection): Trouble {
    const trouble = troubleOf(error);
    return trouble.reason === LOST ? { ...trouble, reason: connection.end } : trouble;
  }

  async #list({ method, key, kind }: ListSpec, signal: AbortSignal): Promise<ServerList> {
    const kept = this.#lists.get(method);
    if (kept !== undefined && kept.until > Date.now()) return kept.list;
    return this.#run({ signal, mayRepeat: true, what: method }, async (connection) => {
      if (!connection.features[kind]) return EMPTY;
      const { pages, entries } = this.#parts.limits;
      const until = Date.now() + LONGEST_LIST * this.definition.timeoutMs;
      try {
        const { ttlMs, ...list } = await listPages({
          key,
          mostPages: pages,
          mostEntries: entries,
          page: (cursor) => {
            if (Date.now() > until) throw new RequestLate('it takes too long');
            return connection.request(method, cursor === undefined ? {} : { cursor }, { signal });
          },
          isFatal: (error) => signal.aborted || troubleOf(error).kind === 'lost',
        });
        if (ttlMs > 0) this.#lists.set(method, { list, until: Date.now() + ttlMs });
        return list;
      } catch (error) {
        if (isUnknownMethod(troubleOf(error))) return EMPTY;
        throw error;
      }
    });
  }

  #noteTools(tools: number | undefined, problem: string | undefined): void {
    if (this.#tools === tools && this.#listProblem === problem) return;
    this.#tools = tools;
    this.#listProblem = problem;
    this.#tell({ kind: 'status' });
  }

  #connected(connection: Connection, isAgain: boolean): void {
    if (connection.era === 'modern') {
      this.#listening = keepListening(connection, {
        filter: () => this.#filter(connection),
        onGap: () => this.#noteAll(),
        againMs: this.#parts.limits.listenAgainMs,
      });
    } else {
      for (const uri of this.#subscribed) {
        void connection
          .request('resources/subscribe', { uri }, { signal: new AbortController().signal })
          .catch(() => undefined);
      }
    }
    if (isAgain) this.#noteAll();
  }

  #filter(connection: Connection): SubscriptionFilter {
    const uris = [...this.#subscribed];
    return { ...connection.changing, ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }) };
  }

  #noteAll(): void {
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      if (this.features()?.[kind] === true) this.#changed({ kind });
    }
    for (const uri of this.#subscribed) this.#tell({ kind: 'resource', uri });
  }

  #changed(change: ServerChange): void {
    if (change.kind === 'status' || change.kind === 'resource') {
      this.#tell(change);
      return;
    }
    const specs = [TOOLS, PROMPTS, RESOURCES, TEMPLATES].filter(({ kind }) => kind === change.kind);
    for (const { method } of specs) this.#lists.delete(method);
    this.#announcer.note(change.kind);
  }

  #newAnnouncer(): ChangeAnnouncer<ListKind> {
    return announceChanges((kind) => this.#tell({ kind }), this.#parts.limits.quietMs);
  }

  #tell(change: ServerChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** As they are sent; undefined for none. */
function paramHeaders(values: ServerCallOptions['headers']): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(values ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([header, value]) => [`Mcp-Param-${header}`, value]));
}
