import { MISSING } from '../files/write-handle.js';
import type { CallContext } from '../effects/call-context.js';
import type { ChangedFile, CommandChanges, FileChanges, TextChange } from '../files/file-changes.js';
import type { FileVersions } from '../files/file-versions.js';
import { readTextIfExists } from '../files/local-file-system.js';
import type { FileSystemService } from '../files/workspace-types.js';
import { errorMessage, Failure } from '../util/failure.js';

/**
 * Changes through another's files (an editor's buffers, a remote host): each is written by the host, which has an
 * undo of its own, so there is no journal. When one of several cannot be written, those before it are put back; one
 * that is new stays, because a host cannot delete.
 */
export class HostedChanges implements FileChanges {
  readonly #files: FileSystemService;
  readonly #versions: FileVersions;

  constructor(files: FileSystemService, versions: FileVersions) {
    this.#files = files;
    this.#versions = versions;
  }

  async apply(changes: readonly TextChange[], context?: CallContext): Promise<readonly ChangedFile[]> {
    for (const { path, content } of changes) {
      if (content === null) throw new Failure('file_write_failure', `This file system cannot delete files: ${path}.`);
    }
    const done: ChangedFile[] = [];
    const undo: (() => Promise<unknown>)[] = [];
    try {
      for (const change of changes) done.push(await this.#write(change, undo, context));
    } catch (thrown) {
      throw await afterPuttingBack(thrown, undo);
    }
    return done;
  }

  /** A host's files cannot be listed, so what a command changed is not known. */
  async watch<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly changes: CommandChanges }> {
    const uncovered = 'What the command changed cannot be seen in this file system.';
    return { result: await run(), changes: { created: [], modified: [], deleted: [], uncovered } };
  }

  async catchUp(): Promise<void> {
    // The host has an undo of its own.
  }

  async #write(
    { path, resolvedPath, expected, content, overwrite }: TextChange,
    undo: (() => Promise<unknown>)[],
    context: CallContext | undefined,
  ): Promise<ChangedFile> {
    const text = content ?? '';
    const before = expected === MISSING ? null : await readTextIfExists(this.#files, path, { resolvedPath });
    const options = { expected, resolvedPath, ...(overwrite === undefined ? {} : { overwrite }) };
    const { created, bytes } = await this.#files.writeTextFile(path, text, options);
    if (before !== null) undo.push(() => this.#files.writeTextFile(path, before.text));
    const hash = (await readTextIfExists(this.#files, path))?.hash ?? MISSING;
    if (context !== undefined) this.#versions.noteWrite(path, hash, context, text);
    return { path, change: created ? 'created' : 'modified', bytes, hash };
  }
}

/** The cause, with what could not be put back. */
async function afterPuttingBack(thrown: unknown, undo: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  const left: string[] = [];
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (failure) {
      left.push(errorMessage(failure));
    }
  }
  if (left.length === 0) return thrown;
  const code = thrown instanceof Failure ? thrown.code : 'file_write_failure';
  const message = `${errorMessage(thrown)} What was written before could not all be put back: ${left.join(' ')}`;
  return new Failure(code, message, { cause: thrown });
}
