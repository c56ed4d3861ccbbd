import { MISSING } from '../files/write-handle.js';
import type { CallContext } from '../effects/call-context.js';
import type { ChangedFile, CommandChanges, FileChanges, TextChange } from '../files/file-changes.js';
import type { FileVersions } from '../files/file-versions.js';
import { readTextIfExists } from '../files/local-file-system.js';
import type { FileSystemService } from '../files/workspace-types.js';
import { Failure } from '../util/failure.js';

/**
 * Changes through another's files (an editor's buffers, a remote host): each is written by the host, which has an
 * undo of its own, so there is no journal. When one of several cannot be written, those before it are put back.
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
      for (const step of undo.reverse()) await step();
      throw thrown;
    }
    return done;
  }

  /** A host's files cannot be listed, so what a command changed is not known. */
  async watch<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly changes: CommandChanges }> {
    const uncovered = 'What the command changed cannot be seen in this file system.';
    return { result: await run(), changes: { created: [], modified: [], deleted: [], uncovered } };
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
