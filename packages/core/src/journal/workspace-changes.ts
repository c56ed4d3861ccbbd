import { join } from 'node:path';
import type { GitUser } from '../files/ignore-settings.js';
import type { CallContext } from '../effects/call-context.js';
import type { ChangedFile, CommandChanges, FileChanges, GoesOn, TextChange } from '../files/file-changes.js';
import type { FileVersions } from '../files/file-versions.js';
import { MAX_TEXT_BYTES, textBytes } from '../files/text-bytes.js';
import { besideOf } from '../files/beside-encoding.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { MISSING } from '../files/write-handle.js';
import type { FileJournal } from './file-journal.js';
import { journalCall } from './journal-entry.js';
import type { CommittedTransaction, StateChange } from './journal.js';
import type { CommandWatch } from './watch-command.js';

export interface WorkspaceChangesOptions {
  readonly gate: WorkspaceGate;
  readonly versions: FileVersions;
  /** Absolute; the journal's own folder, made when it is first needed. */
  readonly journalDir: string;
  /** Whose configuration of git counts: what its excludes name is not watched. */
  readonly gitUser?: GitUser | undefined;
}

/** What takes time to load: nothing of it is needed before something changes. */
interface Engine {
  readonly journal: FileJournal;
  readonly commands: CommandWatch;
}

/** Changes to files of this machine: transactions, written down so that they can be undone. */
export class WorkspaceChanges implements FileChanges {
  readonly #gate: WorkspaceGate;
  readonly #versions: FileVersions;
  readonly #folder: string;
  readonly #live = new Set<string>();
  /** The prompts for which something was changed. */
  readonly #changedIn = new Set<string>();
  readonly #gitUser: GitUser | undefined;
  #engine: Promise<Engine> | undefined;

  constructor({ gate, versions, journalDir, gitUser }: WorkspaceChangesOptions) {
    this.#gate = gate;
    this.#versions = versions;
    this.#folder = journalDir;
    this.#gitUser = gitUser;
  }

  async apply(changes: readonly TextChange[], context?: CallContext): Promise<readonly ChangedFile[]> {
    const { journal, commands } = await this.#loaded(context);
    await commands.beforeChange(changes.map(({ path, resolvedPath }) => resolvedPath ?? path));
    const inBytes: StateChange[] = [];
    for (const change of changes) inBytes.push(await this.#toBytes(change));
    const call = context === undefined ? {} : { call: journalCall(context) };
    const { done } = await journal.commit({ kind: 'change', ...call, changes: inBytes });
    const changed = done.map((one, index) => changedFile(one, inBytes[index]?.expected === MISSING));
    commands.afterChange(changed);
    if (changed.length > 0 && context !== undefined) this.noteChange(context);
    for (const [index, { path, hash }] of changed.entries()) {
      if (context !== undefined) this.#versions.noteWrite(path, hash, context, changes[index]?.content ?? undefined);
    }
    return changed;
  }

  async watch<T>(
    run: () => Promise<T>,
    context?: CallContext,
    goesOn?: (result: T) => GoesOn | undefined,
  ): Promise<{ readonly result: T; readonly changes: CommandChanges }> {
    const { commands } = await this.#loaded(context);
    // What failed may have changed files before.
    const settled = async (): Promise<Settled<T>> => run().then(returned, thrown);
    const follow = (end: Settled<T>): GoesOn | undefined => ('result' in end ? goesOn?.(end.result) : undefined);
    const { result: end, changes, written } = await commands.watch(settled, context, follow);
    const hasChanged = [changes.created, changes.modified, changes.deleted].some(({ length }) => length > 0);
    if (hasChanged && context !== undefined) this.noteChange(context);
    if (context !== undefined) for (const { path, hash } of written) this.#versions.noteWrite(path, hash, context);
    if ('thrown' in end) throw end.thrown;
    return { result: end.result, changes };
  }

  changedIn(prompt: Pick<CallContext, 'sessionId' | 'turn'>): boolean {
    return this.#changedIn.has(nameOf(prompt));
  }

  noteChange(prompt: Pick<CallContext, 'sessionId' | 'turn'>): void {
    this.#changedIn.add(nameOf(prompt));
  }

  async catchUp(): Promise<void> {
    await (await this.#engine)?.commands.catchUp();
  }

  async #loaded(context: CallContext | undefined): Promise<Engine> {
    const engine = await (this.#engine ??= this.#load());
    const { sessionId } = context ?? {};
    if (sessionId !== undefined && !this.#live.has(sessionId)) {
      this.#live.add(sessionId);
      const { markLive } = await import('./live-sessions.js');
      await markLive(this.#folder, sessionId);
    }
    return engine;
  }

  async #load(): Promise<Engine> {
    const [{ FileJournal }, { CommandWatch }] = await Promise.all([
      import('./file-journal.js'),
      import('./watch-command.js'),
    ]);
    const [gate, folder, gitUser] = [this.#gate, this.#folder, this.#gitUser];
    const journal = new FileJournal({ gate, folder });
    const watched = { gate, journal, folder: join(folder, 'watch'), skip: [folder], gitUser };
    return { journal, commands: new CommandWatch(watched) };
  }

  async #toBytes({ path, resolvedPath, expected, content, overwrite, movedFrom }: TextChange): Promise<StateChange> {
    const target = { path, resolvedPath, expected };
    if (content === null) return { ...target, content };
    const isMoved = expected === MISSING && movedFrom !== undefined;
    const file = isMoved ? { path: movedFrom } : { path, expected: resolvedPath };
    const { like, mode } = expected === MISSING && !isMoved ? NO_FILE : await this.#look(file, overwrite === true);
    const beside = besideOf(this.#gate, file.path);
    const bytes = await textBytes({ path, content, like, overwrite: overwrite === true, beside });
    return { ...target, content: bytes, ...(isMoved ? { mode } : {}) };
  }

  /** The file whose form and mode a new text takes; a file that is too large for text has none that counts when it is replaced. */
  #look({ path, expected }: { path: string; expected?: string | undefined }, replaced: boolean): Promise<FormerFile> {
    return this.#gate.withTarget(
      path,
      async (handle) => {
        const { stat } = handle.steps;
        const isTooLarge = (stat?.size ?? 0) > MAX_TEXT_BYTES;
        const like = replaced && isTooLarge ? null : await handle.readExisting();
        return { like, mode: stat === undefined ? undefined : stat.mode & 0o7777 };
      },
      { expected },
    );
  }
}

type Settled<T> = { readonly result: T } | { readonly thrown: unknown };

function returned<T>(result: T): Settled<T> {
  return { result };
}

function thrown(reason: unknown): { readonly thrown: unknown } {
  return { thrown: reason };
}

function nameOf({ sessionId, turn }: Pick<CallContext, 'sessionId' | 'turn'>): string {
  return JSON.stringify([sessionId, turn]);
}

interface FormerFile {
  readonly like: Buffer | null;
  readonly mode: number | undefined;
}

const NO_FILE: FormerFile = { like: null, mode: undefined };

function changedFile({ path, after, links }: CommittedTransaction['done'][number], isNew: boolean): ChangedFile {
  if (after.kind === 'missing') return { path, change: 'deleted', bytes: 0, hash: MISSING };
  const file = { path, change: isNew ? 'created' : 'modified', bytes: after.bytes, hash: after.hash } as const;
  return links > 1 ? { ...file, links } : file;
}
