import { relative, sep } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { timeLimit } from '../util/abort.js';
import { count } from '../util/count.js';
import { errorMessage, Failure } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';
import { checkFile, type Checked } from './check-file.js';
import type { LanguageServer } from './language-server.js';
import type { FileNews } from './file-news.js';
import type { LanguageServers } from './language-servers.js';
import { counts, newDiagnostics, type FileFindings } from './new-diagnostics.js';
import { LinedText } from './places.js';
import { capped, diagnosticLine } from './diagnostic-lines.js';

/** Milliseconds. What a person and a model wait for beside the edit itself. */
const BASELINE_MS = 2_000;
const SETTLE_MS = 5_000;
/** Open files that are looked at beside those that change: what imports them may break. */
const MOST_OTHERS = 10;
const MOST_LINES = 15;

/** What was said of a file before the first change of a batch. */
interface Baseline {
  readonly server: LanguageServer;
  readonly checked: Checked;
  readonly text: LinedText;
}

interface Unchecked {
  readonly path: string;
  readonly reason: string;
}

/** What a batch of calls brought about. */
export interface BatchFindings {
  /** For the model. */
  readonly text: string;
  readonly newDiagnostics: number;
  readonly notChecked: readonly string[];
}

/** What language servers say of files before and after calls change them. */
export class EditWatch {
  readonly #servers: LanguageServers;
  readonly #baselines = new Map<string, Baseline>();
  /** Files that nothing is known of from before, though a server is for them, and why. */
  readonly #unknown = new Map<string, string>();
  /** The files that each call changed, until its batch has been looked at. */
  readonly #changed = new Map<string, Set<string>>();
  /** Changes that are about to be made, or are being made. */
  #underWay = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(servers: LanguageServers) {
    this.#servers = servers;
  }

  /**
   * Before a call changes files; the function that is given back is called when it has, or has not. Never throws: an edit
   * does not fail for what is said of it.
   */
  async before(paths: readonly string[]): Promise<() => void> {
    this.#underWay += 1;
    // One after the other, so that none looks at what another is about to change.
    this.#turn = this.#turn.then(async () => this.#look(paths));
    await this.#turn;
    return () => {
      this.#underWay -= 1;
    };
  }

  async #look(paths: readonly string[]): Promise<void> {
    const signal = timeLimit(BASELINE_MS);
    try {
      for (const path of paths) {
        const server = await this.#serverFor(path, signal);
        this.#unknown.delete(path);
        if (server === undefined) continue;
        await this.#servers.refresh(server);
        await this.#take(server, path, signal);
        const others = server.documents.paths().filter((other) => !paths.includes(other));
        for (const other of others.slice(0, MOST_OTHERS)) await this.#take(server, other, signal);
      }
    } catch (thrown) {
      // Where no server is installed there is nothing to say.
      if (thrown instanceof Failure && thrown.code === 'lsp_no_server') return;
      const reason = signal.aborted ? 'the server was not ready in time' : errorMessage(thrown).replace(/\.$/, '');
      for (const path of paths) if (!this.#baselines.has(path)) this.#unknown.set(path, reason);
    }
  }

  /** After it did, or a command did. Never throws: the change is made. */
  async after(news: readonly FileNews[], callId: string | undefined): Promise<void> {
    await this.#servers.noteChanges(news).catch(() => undefined);
    if (callId === undefined || !news.some(({ path }) => this.#isWatched(path))) return;
    const files = this.#changed.get(callId) ?? new Set<string>();
    for (const { path } of news) files.add(path);
    this.#changed.set(callId, files);
  }

  /** Whether a call has changed files that a server looks at. */
  hasChanged(callId: string): boolean {
    return [...(this.#changed.get(callId) ?? [])].some((path) => this.#isWatched(path));
  }

  #isWatched(path: string): boolean {
    return this.#baselines.has(path) || this.#unknown.has(path);
  }

  /** What is wrong since these calls that was not before; undefined where no server looks at their files. */
  async settle(callIds: readonly string[], signal: AbortSignal): Promise<BatchFindings | undefined> {
    const changed = new Set(callIds.flatMap((id) => [...(this.#changed.get(id) ?? [])]));
    for (const id of callIds) this.#changed.delete(id);
    const mine = [...changed].flatMap((path) => this.#baselines.get(path)?.server ?? []);
    const unknown = [...changed].flatMap((path) => {
      const reason = this.#unknown.get(path);
      this.#unknown.delete(path);
      return reason === undefined ? [] : [{ path, reason }];
    });
    if (mine.length + unknown.length === 0) return undefined;
    const servers = new Set(mine);
    const looked = [...this.#baselines].filter(([, { server }]) => servers.has(server));
    for (const [path] of looked) this.#baselines.delete(path);
    for (const server of servers) retell(server, changed);
    const until = performance.now() + SETTLE_MS;
    const ordered = looked.toSorted(([a], [b]) => Number(changed.has(b)) - Number(changed.has(a)));
    return this.#compare(ordered, { changed, unknown }, { signal, until });
  }

  async #compare(
    looked: readonly (readonly [string, Baseline])[],
    { changed, unknown }: { readonly changed: ReadonlySet<string>; readonly unknown: readonly Unchecked[] },
    { signal, until }: { readonly signal: AbortSignal; readonly until: number },
  ): Promise<BatchFindings> {
    const fresh: { readonly path: string; readonly item: Diagnostic }[] = [];
    const failed = [...unknown];
    let old = 0;
    for (const [path, baseline] of looked) {
      const maxMs = Math.max(1, until - performance.now());
      const { after, reason } = await this.#checkAgain(path, baseline, { signal, maxMs });
      if (after === undefined) {
        // Of a file that nobody touched only what is found is worth a word.
        if (reason !== undefined && changed.has(path)) failed.push({ path, reason });
        continue;
      }
      const before = baseline.checked.checked ? baseline.checked.items : [];
      const items = newDiagnostics({ items: before, lineAt: (line) => baseline.text.line(line) }, after);
      old += after.items.filter(counts).length - items.length;
      fresh.push(...items.map((item) => ({ path, item })));
    }
    fresh.sort((a, b) => (a.item.severity ?? 1) - (b.item.severity ?? 1));
    const names = [...new Set(looked.map(([, { server }]) => server.spec.name))].join(', ');
    return this.#findings({ fresh, failed, old, names });
  }

  async #checkAgain(
    path: string,
    { server, checked: before }: Baseline,
    limits: { readonly signal: AbortSignal; readonly maxMs: number },
  ): Promise<{ readonly after?: FileFindings; readonly reason?: string }> {
    if (!before.checked) return { reason: `${before.reason} before the change` };
    if (!server.isAlive) return { reason: 'the server ended' };
    // Gone: there is nothing to be wrong in.
    if (!(await this.#servers.open(server, path))) return {};
    const checked = await checkFile(server, path, limits);
    if (!checked.checked) return { reason: checked.reason };
    const text = new LinedText(server.documents.get(path)?.text ?? '');
    return { after: { items: checked.items, lineAt: (line) => text.line(line) } };
  }

  #findings(found: {
    readonly fresh: readonly { readonly path: string; readonly item: Diagnostic }[];
    readonly failed: readonly Unchecked[];
    readonly old: number;
    readonly names: string;
  }): BatchFindings {
    const { fresh, failed, old, names } = found;
    const lines = fresh.map(({ path, item }) => diagnosticLine(this.#shown(path), item));
    const others = old > 0 ? ` ${count(old, 'diagnostic')} of before ${old === 1 ? 'remains' : 'remain'}.` : '';
    const parts = [
      ...(lines.length > 0 ? [`New diagnostics since this change (${names}):\n${capped(lines, MOST_LINES)}`] : []),
      ...(lines.length === 0 && failed.length === 0 ? [`No new diagnostics (${names}).${others}`] : []),
      ...failed.map(({ path, reason }) => `Could not check ${this.#shown(path)}: ${reason}.`),
    ];
    const notChecked = failed.map(({ path }) => path);
    return { text: parts.join('\n'), newDiagnostics: fresh.length, notChecked };
  }

  async #serverFor(path: string, signal: AbortSignal): Promise<LanguageServer | undefined> {
    const { afterEdits } = this.#servers;
    if (afterEdits === 'off' || !this.#servers.isTrusted) return undefined;
    const running = this.#servers.runningFor(path);
    if (running !== undefined || afterEdits === 'running' || !this.#servers.isFor(path)) return running;
    // An edit must not start a server that would need approval.
    if (!(await this.#servers.isAgreed())) return undefined;
    return this.#servers.use(path, signal, async (server) => Promise.resolve(server));
  }

  async #take(server: LanguageServer, path: string, signal: AbortSignal): Promise<void> {
    // What was said before an earlier call of the same batch holds; where there is none, it is out of date.
    if ((this.#changed.size > 0 || this.#underWay > 1) && this.#baselines.has(path)) return;
    // A file that does not exist yet has nothing wrong in it.
    const isThere = await this.#servers.open(server, path);
    const text = new LinedText(server.documents.get(path)?.text ?? '');
    const nothing: Checked = { checked: true, items: [] };
    const checked = isThere ? await checkedSoon(server, path, signal) : nothing;
    this.#baselines.set(path, { server, checked, text });
  }

  #shown(path: string): string {
    const root = this.#servers.roots.find((one) => isWithin(path, one));
    return root === undefined ? path : relative(root, path).replaceAll(sep, '/');
  }
}

async function checkedSoon(server: LanguageServer, path: string, signal: AbortSignal): Promise<Checked> {
  try {
    return await checkFile(server, path, { signal, maxMs: BASELINE_MS });
  } catch {
    return { checked: false, reason: 'the server did not answer in time' };
  }
}

/** Some servers look at a file again only when it is told to them again. */
function retell({ spec, documents }: LanguageServer, changed: ReadonlySet<string>): void {
  if (spec.quirks?.forgetsDependents !== true) return;
  for (const path of documents.paths()) if (!changed.has(path)) documents.tellAgain(path);
}
