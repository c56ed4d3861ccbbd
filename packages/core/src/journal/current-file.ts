import type { WorkspaceGate } from '../files/workspace-gate.js';
import { errorMessage, Failure } from '../util/failure.js';
import type { Obstacle } from './clear-way.js';
import type { FileState } from './journal-entry.js';
import { stateOf } from './target-state.js';

/** Either what is at a path now, or why it is not touched. */
export type CurrentFile =
  | { readonly state: FileState }
  /** `obstacle`: something of another kind stands there, which may be in the undo's power to remove. */
  | { readonly blocked: string; readonly obstacle?: Obstacle };

/**
 * Looks at a file whose canonical path was written down earlier. Memory does not grow with it.
 * @param path canonical; one that leads elsewhere by now is not touched
 */
export async function lookAt(gate: WorkspaceGate, path: string): Promise<CurrentFile> {
  try {
    const { path: target, kind } = gate.resolve(path);
    if (target !== path) return { blocked: 'a link leads elsewhere there by now' };
    if (kind === 'directory') return { blocked: 'a folder is there by now', obstacle: 'folder' };
    if (kind === 'special') return { blocked: 'no regular file is there by now' };
    return { state: await gate.withTarget(path, stateOf, { expected: path }) };
  } catch (thrown) {
    const isBelowFile = thrown instanceof Failure && thrown.code === 'path_is_not_a_directory';
    return { blocked: reasonOf(thrown), ...(isBelowFile ? { obstacle: 'file above' as const } : {}) };
  }
}

/** The bytes of a file as it was looked at. @throws Failure `file_changed` */
export async function readAgain(gate: WorkspaceGate, path: string): Promise<Buffer> {
  const bytes = await gate.withTarget(path, (handle) => handle.readExisting(), { expected: path });
  if (bytes === null) throw new Failure('file_changed', `The file is gone: ${path}`);
  return bytes;
}

/** The bytes of a file, if it still is what the hash says: large contents are not kept a second time. */
export async function readIfStill(gate: WorkspaceGate, path: string, hash: string): Promise<Buffer | undefined> {
  const now = await lookAt(gate, path);
  if ('blocked' in now || now.state.kind === 'missing' || now.state.hash !== hash) return undefined;
  return readAgain(gate, path);
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Failure && thrown.code === 'path_ignored') {
    return 'an ignore file keeps Tenon from touching it; take its rule out, then try again';
  }
  if (thrown instanceof Failure && thrown.code === 'path_not_in_workspace') {
    return 'it is outside the workspace; name its folder with --add-dir';
  }
  return errorMessage(thrown);
}
