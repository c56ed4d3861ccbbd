import { basename } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { walkFiles } from '../search/tree/walk.js';
import { Failure } from '../util/failure.js';
import { timeLimit } from '../util/abort.js';

const MAX_FILES_SEEN = 50_000;
const MAX_MILLISECONDS = 500;
const MAX_FOUND = 4;

/**
 * Files of this name in the workspace, case aside, ignored ones left out: at most four, and fewer than there are where
 * the workspace is too large to be looked through.
 */
export async function findByName(gate: WorkspaceGate, name: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const wanted = name.toLowerCase();
  const stop = AbortSignal.any([signal, timeLimit(MAX_MILLISECONDS)]);
  let seen = 0;
  for (const root of gate.roots) {
    try {
      await gate.withFolder(root, async ({ resolved, workingDirectory }) => {
        const folder = { path: resolved.path, workingDirectory };
        for await (const { path } of walkFiles({ folder, roots: gate.roots, signal: stop })) {
          if (basename(path).toLowerCase() === wanted) found.push(path);
          seen += 1;
          if (found.length >= MAX_FOUND || seen >= MAX_FILES_SEEN) return;
        }
      });
    } catch (thrown) {
      // Whatever was found until the time was over, or the folder could not be read, is worth naming.
      if (!(thrown instanceof Failure) && !stop.aborted) throw thrown;
    }
  }
  signal.throwIfAborted();
  return found;
}
