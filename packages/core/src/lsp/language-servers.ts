import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StartPiped } from '../process/piped-process.js';
import { abortable } from '../util/abort.js';
import { Failure } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';
import { KNOWN_SERVERS } from './known-servers.js';
import type { ChangeSource, FileNews } from './file-news.js';
import type { LanguageServer } from './language-server.js';
import { foldersUp, locateServer, type LocatedServer } from './locate-server.js';
import { uriOf } from './places.js';
import { SERVER_LIMITS, type ServerLimits } from './server-limits.js';
import { languageIdOf, type ServerSpec, type ServerSpecs } from './server-spec.js';
import type { FileEventType } from './wanted-files.js';

/** When servers look at files that changed without being asked: of languages whose server runs, of all, or never. */
export type DiagnosticsAfterEdits = 'running' | 'always' | 'off';

export interface LanguageServersOptions {
  /** Workspace roots, absolute and canonical. */
  readonly roots: readonly string[];
  /** A language server runs code of the project: none is started where this is false. */
  readonly isTrusted: boolean;
  /** Resolves to true if the user agreed to the project's code that servers run, as it is now. Default: true. */
  readonly isAgreed?: () => Promise<boolean>;
  readonly start: StartPiped;
  /** All that servers get, beside what their own definition adds. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of the program that runs JavaScript. */
  readonly node: string;
  /** The text of a file as a server may be told it; undefined for one that may not be read, or is no text. */
  readonly readText: (path: string) => Promise<string | undefined>;
  /** Used before the built-in ones. */
  readonly own?: ServerSpecs;
  readonly idleMs?: number;
  readonly diagnostics?: DiagnosticsAfterEdits;
  readonly limits?: Partial<ServerLimits>;
}

const IDLE_MS = 10 * 60_000;
const MAX_RESTARTS = 3;
/** Crashes longer ago count no more. */
const CRASHES_COUNT_FOR_MS = 10 * 60_000;

interface Entry {
  server: Promise<LanguageServer>;
  /** The server, once it has started. */
  running: LanguageServer | undefined;
  idle: NodeJS.Timeout | undefined;
  uses: number;
}

interface Place {
  readonly spec: ServerSpec;
  readonly root: string;
  readonly key: string;
}

/** A program that a call would start. */
export interface ServerStartPlan {
  /** The absolute, canonical folder that it starts in. */
  readonly root: string;
  readonly argv: readonly string[];
}

/** The language servers of one session: one for each language and root, started when it is first needed. */
export class LanguageServers {
  readonly roots: readonly string[];
  readonly isTrusted: boolean;
  readonly afterEdits: DiagnosticsAfterEdits;
  readonly readText: (path: string) => Promise<string | undefined>;
  readonly #options: LanguageServersOptions;
  readonly #limits: ServerLimits;
  readonly #specs: readonly ServerSpec[];
  readonly #entries = new Map<string, Entry>();
  readonly #crashes = new Map<string, number[]>();
  /** Whose absence was told with the command that helps. */
  readonly #told = new Set<string>();
  /** What the text of an open file was read from. */
  readonly #stamps = new Map<string, string>();
  readonly #closing = new AbortController();
  #elsewhere: ChangeSource | undefined;

  constructor(options: LanguageServersOptions) {
    const { specs = [], disabled = [] } = options.own ?? {};
    const replaced = new Set([...disabled, ...specs.map(({ name }) => name)]);
    this.#options = options;
    this.#limits = { ...SERVER_LIMITS, ...options.limits };
    this.#specs = [...specs, ...KNOWN_SERVERS.filter(({ name }) => !replaced.has(name))];
    this.roots = options.roots;
    this.isTrusted = options.isTrusted;
    this.afterEdits = options.diagnostics ?? 'running';
    this.readText = options.readText;
  }

  /** Whether any server could be for this file, installed or not. */
  isFor(path: string): boolean {
    return this.#specs.some((spec) => languageIdOf(spec, path) !== undefined);
  }

  /** The language of a file, for people; undefined where there is none. */
  languageOf(path: string): string | undefined {
    return this.#specs.find((spec) => languageIdOf(spec, path) !== undefined)?.language;
  }

  /** Extensions and names of all files that there is a server for. */
  fileNames(): readonly string[] {
    return [...new Set(this.#specs.flatMap(({ files }) => Object.keys(files)))];
  }

  /** Those that have started and live. */
  running(): readonly LanguageServer[] {
    return [...this.#entries.values()].flatMap(({ running }) => (running?.isAlive === true ? [running] : []));
  }

  /** The one that has started for this file. */
  runningFor(path: string): LanguageServer | undefined {
    return this.running().find(
      (server) => isWithin(path, server.root) && languageIdOf(server.spec, path) !== undefined,
    );
  }

  /**
   * Acts with the server for a file, started if need be; once more, with a new one, when it ends under way.
   * @throws Failure `lsp_untrusted_folder`, `lsp_no_server`, `lsp_start_failed`, and what `act` throws
   */
  async use<T>(path: string, signal: AbortSignal, act: (server: LanguageServer) => Promise<T>): Promise<T> {
    const until = AbortSignal.any([signal, this.#closing.signal]);
    try {
      return await this.#useOnce(path, until, act);
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'lsp_server_ended' || until.aborted) throw thrown;
      return this.#useOnce(path, until, act);
    }
  }

  /** Returns the servers that `use` would start for these files, each once. Empty if none is needed or available. */
  async starts(paths: readonly string[]): Promise<readonly ServerStartPlan[]> {
    if (!this.isTrusted) return [];
    const found = await Promise.all(paths.map(async (path) => this.#find(path)));
    const plans = new Map<string, ServerStartPlan>();
    for (const { place, located } of found.flatMap((each) => (each === undefined || 'entry' in each ? [] : [each])))
      plans.set(place.key, { root: place.root, argv: located.argv });
    return [...plans.values()];
  }

  /** Resolves to true if the user agreed to the project's code that servers run, as it is now. */
  async isAgreed(): Promise<boolean> {
    return this.#options.isAgreed === undefined || this.#options.isAgreed();
  }

  /** From now on servers hear of what `changes` tells, whoever made it. */
  follow(changes: ChangeSource): void {
    this.#elsewhere = changes;
  }

  async #useOnce<T>(path: string, signal: AbortSignal, act: (server: LanguageServer) => Promise<T>): Promise<T> {
    // The first one sees files as they are now.
    if (this.#entries.size === 0) await this.#elsewhere?.skip();
    const entry = await this.#entryFor(path);
    clearTimeout(entry.idle);
    entry.uses += 1;
    try {
      const server = await abortable(entry.server, signal);
      await this.refresh(server);
      return await act(server);
    } finally {
      entry.uses -= 1;
      if (entry.uses === 0) this.#stopWhenIdle(entry);
    }
  }

  #stopWhenIdle(entry: Entry): void {
    clearTimeout(entry.idle);
    entry.idle = setTimeout(() => {
      if (entry.uses > 0) return;
      this.#drop(entry);
      void entry.running?.stop();
    }, this.#options.idleMs ?? IDLE_MS);
    entry.idle.unref();
  }

  async #entryFor(path: string): Promise<Entry> {
    if (!this.isTrusted)
      throw new Failure(
        'lsp_untrusted_folder',
        'Language servers run code of the project, and this folder is not trusted: none was started. The user can trust it with `tenon trust`.',
      );
    const found = await this.#find(path);
    if (found !== undefined) return 'entry' in found ? found.entry : this.#start(found.place, found.located);
    const candidates = this.#specs.filter((spec) => languageIdOf(spec, path) !== undefined);
    if (candidates.length > 0 && this.roots.some((root) => isWithin(path, root))) throw this.#absent(candidates);
    throw new Failure(
      'lsp_no_server',
      `No language server is known for ${path}. lsp.servers in the settings adds one.`,
    );
  }

  /** Finds the running server for a file, or how to start one; undefined if none is installed. */
  async #find(
    path: string,
  ): Promise<{ readonly entry: Entry } | { readonly place: Place; readonly located: LocatedServer } | undefined> {
    const workspaceRoot = this.roots.find((root) => isWithin(path, root));
    if (workspaceRoot === undefined) return undefined;
    for (const spec of this.#specs.filter((each) => languageIdOf(each, path) !== undefined)) {
      const root = rootFor(spec, path, workspaceRoot);
      const key = `${spec.name}\0${root}`;
      const known = this.#entries.get(key);
      if (known !== undefined && known.running?.isAlive !== false) return { entry: known };
      const place = {
        root: dirname(path),
        workspaceRoot,
        path: this.#options.environment['PATH'] ?? '',
        node: this.#options.node,
      };
      const located = await locateServer(spec, place);
      // Another call may have started it meanwhile.
      const started = this.#entries.get(key);
      if (started !== undefined && started.running?.isAlive !== false) return { entry: started };
      if (located !== undefined) return { place: { spec, root, key }, located };
    }
    return undefined;
  }

  #start({ spec, root, key }: Place, located: LocatedServer): Entry {
    this.#refuseAfterCrashes(spec, key);
    const server = this.#launch(spec, root, located);
    const entry: Entry = { server, running: undefined, idle: undefined, uses: 0 };
    this.#entries.set(key, entry);
    server.then(
      (running) => {
        entry.running = running;
        void running.ended.then(() => {
          if (this.#entries.get(key) !== entry) return;
          this.#crashed(key);
          this.#drop(entry);
          // What it started may live on.
          void running.stop();
        });
      },
      () => {
        this.#crashed(key);
        this.#drop(entry);
      },
    );
    return entry;
  }

  async #launch(spec: ServerSpec, root: string, located: LocatedServer): Promise<LanguageServer> {
    const { argv, initializationOptions, title = spec.name } = located;
    const { start: plain, environment: env } = this.#options;
    // Of no use to a session that asks no server.
    const [{ LanguageServer }, { throughTsserver }] = await Promise.all([
      import('./language-server.js'),
      import('./tsserver/through-tsserver.js'),
    ]);
    return LanguageServer.start({
      spec: { ...spec, name: title },
      root,
      argv,
      initializationOptions,
      env,
      start: spec.typescript === 'compiler' ? throughTsserver(plain) : plain,
      limits: this.#limits,
      // The start belongs to all that wait for it: the first caller's end does not end it.
      signal: this.#closing.signal,
    });
  }

  #drop(entry: Entry): void {
    clearTimeout(entry.idle);
    for (const [key, one] of this.#entries) if (one === entry) this.#entries.delete(key);
  }

  #crashed(key: string): void {
    if (!this.#closing.signal.aborted) this.#crashes.set(key, [...(this.#crashes.get(key) ?? []), performance.now()]);
  }

  #refuseAfterCrashes({ name, maxRestarts = MAX_RESTARTS }: ServerSpec, key: string): void {
    const since = performance.now() - CRASHES_COUNT_FOR_MS;
    const crashes = (this.#crashes.get(key) ?? []).filter((at) => at > since);
    if (crashes.length > maxRestarts)
      throw new Failure(
        'lsp_start_failed',
        `${name} ended by itself ${crashes.length} times within minutes. It is not started again for now.`,
      );
  }

  #absent(candidates: readonly ServerSpec[]): Failure {
    const [first] = candidates;
    const language = first?.language ?? '';
    const names = candidates.map(({ name }) => name).join(' or ');
    const base = `No language server for ${language} is installed (${names}).`;
    const isNew = !this.#told.has(language);
    this.#told.add(language);
    const install = candidates.find((spec) => spec.install !== undefined)?.install;
    const how = isNew && install !== undefined ? ` The user can install one: \`${install}\`.` : '';
    return new Failure('lsp_no_server', base + how);
  }

  /** Has the server see a file as it is now. False for what is no readable text. */
  async open(server: LanguageServer, path: string): Promise<boolean> {
    const stamp = await stampOf(path);
    const known = server.documents.get(path);
    if (known !== undefined && stamp !== undefined && this.#stamps.get(stampKey(server, path)) === stamp) {
      server.documents.sync(path, known.text);
      return true;
    }
    const text = stamp === undefined ? undefined : await this.readText(path);
    if (text === undefined || stamp === undefined) {
      server.documents.close(path);
      server.pushed.forget(path);
      return false;
    }
    this.#stamps.set(stampKey(server, path), stamp);
    server.documents.sync(path, text);
    return true;
  }

  /** Whatever has changed on disk since, as far as it is known: in the log of changes, or because the server holds it open. */
  async refresh(server: LanguageServer): Promise<void> {
    await this.noteChanges();
    for (const path of server.documents.paths().reverse()) {
      const stamp = await stampOf(path);
      if (stamp !== undefined && this.#stamps.get(stampKey(server, path)) === stamp) continue;
      this.#watched(server, [{ path, type: stamp === undefined ? DELETED : CHANGED }]);
      await this.open(server, path);
    }
  }

  /**
   * Tells every server what became of files on disk: what the log of changes says, of this process or another, and `changes`, some
   * of which may not stand there.
   */
  async noteChanges(changes: readonly FileNews[] = []): Promise<void> {
    if (this.#entries.size === 0) return;
    const logged = (await this.#elsewhere?.take()) ?? [];
    const paths = new Set(logged.map(({ path }) => path));
    const all = [...logged, ...changes.filter(({ path }) => !paths.has(path))];
    for (const server of this.running()) await this.#tell(server, all);
  }

  async #tell(server: LanguageServer, changes: readonly FileNews[]): Promise<void> {
    const mine = changes.filter(({ path }) => isWithin(path, server.root));
    this.#watched(
      server,
      mine.map(({ path, change }) => ({ path, type: TYPE_OF[change] })),
    );
    for (const { path } of mine) {
      if (server.documents.get(path) === undefined) continue;
      if (await this.open(server, path)) server.documents.saved(path);
    }
    if (server.returned.note(mine) && server.spec.quirks?.losesReturned !== undefined)
      await server.reload(server.spec.quirks.losesReturned, this.#closing.signal);
  }

  #watched(server: LanguageServer, events: readonly { readonly path: string; readonly type: FileEventType }[]): void {
    const isWanted = server.registrations.wantedFiles(server.root);
    const changes = events.flatMap(({ path, type }) => (isWanted(path, type) ? [{ uri: uriOf(path), type }] : []));
    if (changes.length > 0) server.notify('workspace/didChangeWatchedFiles', { changes });
  }

  /** Stops all of them. May be called more than once. */
  async close(): Promise<void> {
    this.#closing.abort(new Failure('lsp_server_ended', 'the session ended'));
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { idle } of entries) clearTimeout(idle);
    await Promise.all(entries.map(async ({ server }) => server.then((one) => one.stop()).catch(() => undefined)));
  }
}

const CHANGED = 2;
const DELETED = 3;
const TYPE_OF: Readonly<Record<FileNews['change'], FileEventType>> = {
  created: 1,
  modified: CHANGED,
  deleted: DELETED,
};

function rootFor({ rootMarkers }: ServerSpec, path: string, workspaceRoot: string): string {
  if (rootMarkers === undefined) return workspaceRoot;
  const holds = (folder: string): boolean => rootMarkers.some((marker) => existsSync(join(folder, marker)));
  return foldersUp(dirname(path), workspaceRoot).find(holds) ?? workspaceRoot;
}

function stampKey({ spec, root }: LanguageServer, path: string): string {
  return `${spec.name}\0${root}\0${path}`;
}

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(':');
  } catch {
    return undefined;
  }
}
