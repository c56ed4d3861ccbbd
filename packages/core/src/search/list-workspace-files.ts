import { relative, sep } from 'node:path';
import { isUnnamable } from '../files/escaped-bytes.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { outermostRoots } from '../util/paths-below.js';
import { Pause } from './tree/pause.js';
import type { TreeIndex } from './tree/tree-index.js';

/** More are not listed: nobody looks through them. */
const MOST_PATHS = 500_000;

/** What a list is made from; `Config` is one. */
export interface FileListSource {
  getSearchIndex(): Promise<{ readonly tree: Pick<TreeIndex, 'walk'> }>;
  getWorkspaceGate(): Pick<WorkspaceGate, 'roots' | 'withFolder'>;
}

export interface WorkspaceFiles {
  /**
   * Files, links and folders of all roots, with `/`, relative to the first root (`../other/a.ts` for another one); a folder ends
   * with `/`. The first root's own ones first, folder by folder, level by level.
   */
  readonly paths: readonly string[];
  /** False: there are more. */
  readonly isWhole: boolean;
}

/**
 * What of the workspace no ignore rule hides, for a person to choose from. Nothing is asked of the policy: these are names, and
 * who wants to read one is judged then. What a search has learned is used, and searches later know what was learned here. Does not
 * block the event loop for more than some 15 ms. A root that is gone is left out. @throws the signal's reason
 */
export async function listWorkspaceFiles(config: FileListSource, signal: AbortSignal): Promise<WorkspaceFiles> {
  const gate = config.getWorkspaceGate();
  const [first = ''] = gate.roots;
  const { tree } = await config.getSearchIndex();
  const paths: string[] = [];
  const pause = new Pause(signal);
  const walkRoot = async (root: string): Promise<void> =>
    gate.withFolder(root, async ({ resolved, workingDirectory }) => {
      const folder = { path: resolved.path, workingDirectory };
      const base = prefixOf(relative(first, resolved.path));
      for await (const batch of tree.walk({ folder, roots: gate.roots, signal })) {
        for (const { folder: below, names, links } of batch) {
          addFolder(paths, base + prefixOf(below), [names, links]);
          if (pause.isDue()) await pause.take();
        }
        if (paths.length >= MOST_PATHS) break;
      }
    });
  // The first root counts even where it lies in another one.
  const roots = outermostRoots(gate.roots);
  const ordered = roots.toSorted((a, b) => Number(b === first) - Number(a === first));
  for (const root of ordered) {
    signal.throwIfAborted();
    if (paths.length >= MOST_PATHS) break;
    await walkRoot(root).catch(() => signal.throwIfAborted());
  }
  return { paths, isWhole: paths.length < MOST_PATHS };
}

function addFolder(paths: string[], prefix: string, lists: readonly (readonly string[])[]): void {
  if (isUnnamable(prefix)) return;
  if (prefix !== '' && !/^(?:\.\.\/)+$/.test(prefix)) paths.push(prefix);
  for (const names of lists) for (const name of names) if (!isUnnamable(name)) paths.push(prefix + name);
}

function prefixOf(folder: string): string {
  const path = sep === '/' ? folder : folder.replaceAll(sep, '/');
  return path === '' ? '' : `${path}/`;
}
