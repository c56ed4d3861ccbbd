import { basename } from 'node:path';
import type { ServerCapabilities, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { StartPiped } from '../process/piped-process.js';
import { errorMessage, Failure } from '../util/failure.js';
import { CLIENT_CAPABILITIES } from './client-capabilities.js';
import { LspConnection } from './connection.js';
import { LoadWatch } from './load-watch.js';
import { OpenDocuments } from './open-documents.js';
import { uriOf } from './places.js';
import { PushedDiagnostics } from './pushed-diagnostics.js';
import { Registrations } from './registrations.js';
import { ReturnedFiles } from './returned-files.js';
import type { ServerLimits } from './server-limits.js';
import { languageIdOf, type ServerQuirks, type ServerSpec } from './server-spec.js';

export interface ServerStart {
  readonly spec: ServerSpec;
  /** Absolute, canonical. */
  readonly root: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly initializationOptions: unknown;
  readonly start: StartPiped;
  readonly limits: ServerLimits;
  readonly signal: AbortSignal;
}

/** One life of one server. */
export class LanguageServer {
  readonly spec: ServerSpec;
  readonly root: string;
  readonly limits: ServerLimits;
  readonly documents: OpenDocuments;
  readonly pushed = new PushedDiagnostics();
  readonly load = new LoadWatch();
  readonly returned = new ReturnedFiles();
  readonly registrations: Registrations;
  readonly #connection: LspConnection;
  readonly #state: SharedState;

  private constructor(
    { spec, root, limits }: ServerStart,
    connection: LspConnection,
    state: SharedState,
    capabilities: ServerCapabilities,
  ) {
    this.spec = spec;
    this.root = root;
    this.limits = limits;
    this.#connection = connection;
    this.#state = state;
    this.registrations = new Registrations(capabilities);
    this.documents = new OpenDocuments(
      (method, params) => connection.notify(method, params),
      (path) => languageIdOf(spec, path) ?? spec.language,
    );
    state.server = this;
    for (const { method, params } of state.early.splice(0)) state.note(method, params);
  }

  /** @throws Failure `lsp_start_failed` */
  static async start(options: ServerStart): Promise<LanguageServer> {
    const { spec, root, argv, env, start, limits, signal } = options;
    const state = new SharedState(spec, root);
    let connection: LspConnection | undefined;
    try {
      const child = await start({ argv, cwd: root, env: { ...env, ...spec.env } });
      connection = await LspConnection.open(child, {
        onRequest: (method, params) => state.answer(method, params),
        onNotification: (method, params) => state.note(method, params),
        onProgress: (token, value) => state.note('$/progress', { token, value }),
      });
      const timeoutMs = spec.startupTimeout ?? limits.startup;
      const answer = await connection.request('initialize', initializeParams(options), { signal, timeoutMs });
      const capabilities = (answer as { capabilities?: ServerCapabilities } | null)?.capabilities ?? {};
      const server = new LanguageServer(options, connection, state, capabilities);
      connection.notify('initialized', {});
      if (spec.settings !== undefined)
        connection.notify('workspace/didChangeConfiguration', { settings: spec.settings });
      return server;
    } catch (thrown) {
      await connection?.close(0);
      if (signal.aborted) throw thrown;
      const message = `${spec.name} could not be started: ${errorMessage(thrown)}.`;
      throw new Failure('lsp_start_failed', message, { cause: thrown });
    }
  }

  get isAlive(): boolean {
    return this.#connection.isOpen;
  }

  /** Resolves with the reason. */
  get ended(): Promise<string> {
    return this.#connection.ended;
  }

  /** Why it cannot tell what is wrong in a file; undefined where it can. */
  get cannotCheck(): string | undefined {
    return this.#state.cannotCheck;
  }

  /** Why a request is not to be sent; undefined where it is offered. */
  lacks(method: string): string | undefined {
    const never = this.spec.quirks?.never?.[method];
    if (never !== undefined) return never;
    return this.registrations.has(method) ? undefined : `${this.spec.name} does not offer it`;
  }

  /** @throws Failure `lsp_unsupported`, `lsp_timeout`, `lsp_failed`, `lsp_server_ended` */
  async request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const timeoutMs = this.limits.request;
    try {
      return await this.#connection.request(method, params, { signal, timeoutMs });
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      throw new Failure(thrown.code, `${this.spec.name}: ${thrown.message}`, { cause: thrown });
    }
  }

  notify(method: string, params: object): void {
    this.#connection.notify(method, params);
  }

  /** Has it look at everything anew. Never rejects: a server that does not is asked all the same. */
  async reload(command: NonNullable<ServerQuirks['losesReturned']>, signal: AbortSignal): Promise<void> {
    await this.request('workspace/executeCommand', command, signal).catch(() => undefined);
  }

  /** Runs a command that leads to edits, and gives them instead of letting the server have them made. */
  async capture(command: string, args: readonly unknown[], signal: AbortSignal): Promise<readonly WorkspaceEdit[]> {
    const edits: WorkspaceEdit[] = [];
    this.#state.captured = edits;
    try {
      await this.request('workspace/executeCommand', { command, arguments: args }, signal);
      return edits;
    } finally {
      this.#state.captured = undefined;
    }
  }

  /** `shutdown`, `exit`, then the whole tree of processes. */
  async stop(): Promise<void> {
    await this.#connection.close(this.limits.shutdown);
  }
}

/** What handlers need before there is a server. */
class SharedState {
  server: LanguageServer | undefined;
  /** What was told before there was anybody to take it. */
  readonly early: { method: string; params: unknown }[] = [];
  /** Edits that a command asked for, while it runs. */
  captured: WorkspaceEdit[] | undefined;
  cannotCheck: string | undefined;
  readonly #spec: ServerSpec;
  readonly #root: string;

  constructor(spec: ServerSpec, root: string) {
    this.#spec = spec;
    this.#root = root;
  }

  /** What is not known is answered with null: a server that gets an error for a courtesy may end. */
  answer(method: string, params: unknown): unknown {
    switch (method) {
      case 'workspace/configuration':
        return configurationFor(params, this.#spec.settings ?? {});
      case 'workspace/workspaceFolders':
        return [folderOf(this.#root)];
      case 'workspace/applyEdit':
        return this.#applyEdit(params);
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        this.note(method, params);
        return null;
      case 'window/showDocument':
        return { success: false };
      default:
        return null;
    }
  }

  note(method: string, params: unknown): void {
    const { server } = this;
    if (method === 'window/logMessage') this.#readLog(params);
    else if (server === undefined) {
      if (this.early.length < 1000) this.early.push({ method, params });
    } else if (method === 'textDocument/publishDiagnostics') server.pushed.take(params);
    else if (method === 'client/registerCapability') server.registrations.register(params);
    else if (method === 'client/unregisterCapability') server.registrations.unregister(params);
    else if (method === '$/progress') {
      const { token, value } = params as { token: string | number; value: unknown };
      server.load.take(token, value);
    }
  }

  #applyEdit(params: unknown): object {
    const edit: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'edit') : undefined;
    if (this.captured === undefined || typeof edit !== 'object' || edit === null)
      return { applied: false, failureReason: 'Nobody asked for this edit.' };
    this.captured.push(edit);
    return { applied: true };
  }

  #readLog(params: unknown): void {
    const quirk = this.#spec.quirks?.noDiagnostics;
    if (quirk === undefined || this.cannotCheck !== undefined) return;
    const message: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'message') : '';
    if (typeof message === 'string' && quirk.logSays.test(message)) this.cannotCheck = quirk.reason;
  }
}

function folderOf(root: string): { readonly uri: string; readonly name: string } {
  return { uri: uriOf(root), name: basename(root) };
}

function initializeParams({ root, initializationOptions }: ServerStart): object {
  return {
    // A sandboxed server would not see this process and stop. It ends with its pipes, and with everything that Tenon started.
    processId: null,
    clientInfo: { name: 'tenon' },
    locale: 'en',
    rootUri: uriOf(root),
    rootPath: root,
    capabilities: CLIENT_CAPABILITIES,
    ...(initializationOptions !== undefined && { initializationOptions }),
    workspaceFolders: [folderOf(root)],
  };
}

/** One answer for each item that was asked for; null where nothing is set. */
function configurationFor(params: unknown, settings: Readonly<Record<string, unknown>>): readonly unknown[] {
  const items: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'items') : [];
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const section: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, 'section') : undefined;
    if (typeof section !== 'string' || section === '') return settings;
    // Some names of sections are no paths (`js/ts`), others are.
    return settings[section] ?? section.split('.').reduce<unknown>(memberOf, settings) ?? null;
  });
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
