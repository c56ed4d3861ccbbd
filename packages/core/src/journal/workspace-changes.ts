import { unlink } from 'node:fs/promises';
import type { CallContext } from '../effects/call-context.js';
import type { ChangedFile, CommandChanges, FileChanges, TextChange } from '../files/file-changes.js';
import type { FileVersions } from '../files/file-versions.js';
import { LocalFileSystem } from '../files/local-file-system.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import type { FileSystemService } from '../files/workspace-types.js';
import { contentHash, MISSING } from '../files/write-handle.js';

export interface WorkspaceChangesOptions {
  readonly gate: WorkspaceGate;
  readonly versions: FileVersions;
  /** Absolute; the journal's own folder, made when it is first needed. */
  readonly journalDir: string;
}

/** Changes to files of this machine: transactions, written down so that they can be undone. */
export class WorkspaceChanges implements FileChanges {
  readonly #gate: WorkspaceGate;
  readonly #versions: FileVersions;
  readonly #files: FileSystemService;

  constructor({ gate, versions }: WorkspaceChangesOptions) {
    this.#gate = gate;
    this.#versions = versions;
    this.#files = new LocalFileSystem(gate);
  }

  async apply(changes: readonly TextChange[], context?: CallContext): Promise<readonly ChangedFile[]> {
    const done: ChangedFile[] = [];
    for (const change of changes) done.push(await this.#applyOne(change));
    for (const [index, { path, hash }] of done.entries()) {
      const content = changes[index]?.content;
      if (context !== undefined) this.#versions.noteWrite(path, hash, context, content ?? undefined);
    }
    return done;
  }

  async watch<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly changes: CommandChanges }> {
    return { result: await run(), changes: { created: [], modified: [], deleted: [] } };
  }

  async #applyOne({ path, resolvedPath, expected, content, overwrite }: TextChange): Promise<ChangedFile> {
    if (content === null) {
      const target = this.#gate.resolve(path).path;
      await unlink(target);
      return { path: target, change: 'deleted', bytes: 0, hash: MISSING };
    }
    const options = { expected, resolvedPath, ...(overwrite === undefined ? {} : { overwrite }) };
    const { path: written, created, bytes } = await this.#files.writeTextFile(path, content, options);
    const hash = contentHash(Buffer.from(content));
    return { path: written, change: created ? 'created' : 'modified', bytes, hash };
  }
}
