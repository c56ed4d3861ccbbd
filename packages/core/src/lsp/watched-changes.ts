import type { CallContext } from '../effects/call-context.js';
import type { ChangedFile, CommandChanges, FileChanges, GoesOn, TextChange } from '../files/file-changes.js';
import type { EditWatch } from './edit-watch.js';
import type { FileNews } from './file-news.js';

/** Changes to files, of which language servers are told. */
export class WatchedChanges implements FileChanges {
  readonly #changes: FileChanges;
  readonly #edits: EditWatch;

  constructor(changes: FileChanges, edits: EditWatch) {
    this.#changes = changes;
    this.#edits = edits;
  }

  async apply(changes: readonly TextChange[], context?: CallContext): Promise<readonly ChangedFile[]> {
    // Nobody is told what comes of a change that is part of no call.
    const paths = context === undefined ? [] : changes.map(({ path, resolvedPath }) => resolvedPath ?? path);
    const ended = await this.#edits.before(paths);
    try {
      const done = await this.#changes.apply(changes, context);
      await this.#edits.after(done, context?.callId);
      return done;
    } finally {
      ended();
    }
  }

  async watch<T>(
    run: () => Promise<T>,
    context?: CallContext,
    goesOn?: (result: T) => GoesOn | undefined,
  ): Promise<{ readonly result: T; readonly changes: CommandChanges }> {
    const told = (result: T): GoesOn | undefined => {
      const later = goesOn?.(result);
      if (later === undefined) return undefined;
      const follow = (changes: Promise<CommandChanges>): void => {
        void changes.then(async (found) => this.#edits.after(newsOf(found), undefined));
        later.follow(changes);
      };
      return { ...later, follow };
    };
    const watched = await this.#changes.watch(run, context, goesOn === undefined ? undefined : told);
    await this.#edits.after(newsOf(watched.changes), undefined);
    return watched;
  }

  changedIn(prompt: Pick<CallContext, 'sessionId' | 'turn'>): boolean {
    return this.#changes.changedIn?.(prompt) === true;
  }

  noteChange(prompt: Pick<CallContext, 'sessionId' | 'turn'>): void {
    this.#changes.noteChange?.(prompt);
  }

  async catchUp(): Promise<void> {
    await this.#changes.catchUp();
    // What was found stands in the log.
    await this.#edits.after([], undefined);
  }
}

function newsOf({ created, modified, deleted }: CommandChanges): readonly FileNews[] {
  const of = (paths: readonly string[], change: FileNews['change']): readonly FileNews[] =>
    paths.map((path) => ({ path, change }));
  return [...of(created, 'created'), ...of(modified, 'modified'), ...of(deleted, 'deleted')];
}
