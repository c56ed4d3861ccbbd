import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GitUser } from '../files/ignore-settings.js';
import { encodeEscaped, isUnnamable, systemPath } from '../files/escaped-bytes.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { walkFolders } from '../search/tree/walk.js';
import { newWalkCounts } from '../search/tree/walked-folder.js';
import { withSeparator } from '../util/paths-below.js';

/** How long the event loop is held up at a time. */
export const SLICE_MS = 10;
/** Files between two looks at the clock. */
const CLOCK_EVERY = 64;

export interface StatRequest {
  readonly gate: WorkspaceGate;
  /** Canonical folders that are left out. */
  readonly skip: ReadonlySet<string>;
  /** `performance.now()` at which it stops. */
  readonly deadline: number;
  readonly maxFiles: number;
  /** As in `WalkOptions`. */
  readonly gitUser?: GitUser | undefined;
  readonly onFile: (path: string, stat: Stats) => void;
}

export interface StatWalk {
  /** Why not all of the workspace was seen. */
  readonly stopped?: 'time' | 'count' | 'root' | undefined;
  readonly unreadableFolders: number;
  /** Folders that were met, ignored ones included but not what lies in them. */
  readonly folders: ReadonlySet<string>;
  /** Symbolic links → what they say. */
  readonly links: ReadonlyMap<string, string>;
  /** What cannot be named, because its name is no UTF-8: its path with `\ufffd` → what `lstat` says of it. */
  readonly unnamable: ReadonlyMap<string, string>;
}

/** Stats every file that is not ignored. Links are not followed; a folder that becomes one meanwhile may at most be statted. */
export async function statWorkspace(request: StatRequest): Promise<StatWalk> {
  const walk = {
    folders: new Set<string>(),
    links: new Map<string, string>(),
    unnamable: new Map<string, string>(),
    unreadableFolders: 0,
    files: 0,
  };
  let stopped: StatWalk['stopped'];
  for (const root of request.gate.roots) {
    try {
      stopped = (await statRoot(root, request, walk)) ?? stopped;
    } catch {
      stopped ??= 'root';
    }
  }
  return { stopped, ...walk };
}

interface Progress {
  readonly folders: Set<string>;
  readonly links: Map<string, string>;
  readonly unnamable: Map<string, string>;
  unreadableFolders: number;
  files: number;
}

async function statRoot(root: string, request: StatRequest, progress: Progress): Promise<StatWalk['stopped']> {
  const { gate, skip, deadline, maxFiles, gitUser } = request;
  const base = withSeparator(root);
  let late = false;
  const enter = (relativeFolder: string): boolean => {
    late ||= performance.now() > deadline;
    const path = base + relativeFolder;
    if (late || skip.has(path) || gate.roots.includes(path)) return false;
    if (isUnnamable(path)) noteUnnamable(path, progress.unnamable);
    else progress.folders.add(path);
    return true;
  };
  return gate.withFolder(
    root,
    async ({ resolved, workingDirectory }) => {
      const counts = newWalkCounts();
      const { signal } = new AbortController();
      const folder = { path: resolved.path, workingDirectory };
      const walk = { folder, roots: gate.roots, gitUser, signal, links: true, enter, counts };
      let sliceEnd = performance.now() + SLICE_MS;
      try {
        for await (const files of walkFolders(walk)) {
          for (const file of files) {
            if (isUnnamable(file.path)) noteUnnamable(file.path, progress.unnamable);
            else if (file.isLink) noteLink(file.path, `${workingDirectory}${sep}${file.relativePath}`, progress.links);
            else statFile(file.path, request.onFile);
            if (++progress.files % CLOCK_EVERY !== 0) continue;
            if (progress.files >= maxFiles) return 'count';
            const now = performance.now();
            if (now > deadline) return 'time';
            if (now < sliceEnd) continue;
            await nextTurn();
            sliceEnd = performance.now() + SLICE_MS;
          }
        }
      } finally {
        progress.unreadableFolders += counts.unreadableFolders;
      }
      return late ? 'time' : undefined;
    },
    { expected: root },
  );
}

/** By its name: through the held root it would cost twice as much, and nothing is read here. */
function statFile(path: string, onFile: StatRequest['onFile']): void {
  let stat: Stats | undefined;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return;
  }
  if (stat?.isFile() === true) onFile(path, stat);
}

/** Such an entry cannot be written down by its name; but that it changed can be told. */
function noteUnnamable(path: string, unnamable: Map<string, string>): void {
  try {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(systemPath(path));
    const bytes = encodeEscaped(path);
    const shown = bytes.toString();
    const stamp = [bytes.toString('hex'), size, mtimeMs, ctimeMs, ino].join(' ');
    unnamable.set(shown, `${unnamable.get(shown) ?? ''}\n${stamp}`);
  } catch {
    // Gone by now.
  }
}

function noteLink(path: string, at: string, links: Map<string, string>): void {
  try {
    links.set(path, readlinkSync(at));
  } catch {
    // Gone, or another kind of entry by now.
  }
}

/** What changes when git moves to another commit, branch or stash; the text of its files' times. */
export function gitStamp(roots: readonly string[]): string {
  const stamps: (number | undefined)[] = [];
  for (const root of roots) {
    for (const name of ['HEAD', 'logs/HEAD', 'refs/stash', 'packed-refs']) {
      try {
        stamps.push(lstatSync(join(root, '.git', name), { throwIfNoEntry: false })?.ctimeMs);
      } catch {
        stamps.push(undefined);
      }
    }
  }
  return stamps.join(' ');
}
