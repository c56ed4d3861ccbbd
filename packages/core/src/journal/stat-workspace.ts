import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { newWalkCounts, walkFolders } from '../search/walk.js';

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

/** What a name that is no UTF-8 is decoded with. */
const NO_CHARACTER = '\ufffd';

/** Stats every file that is not ignored. Links are not followed; a folder that becomes one meanwhile may at most be statted. */
export async function statWorkspace(request: StatRequest): Promise<StatWalk> {
  const walk = {
    folders: new Set<string>(),
    links: new Map<string, string>(),
    unnamable: new Map<string, string>(),
    oddFolders: new Set<string>(),
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
  for (const folder of walk.oddFolders) noteUnnamable(folder, walk.unnamable);
  return { stopped, ...walk };
}

interface Progress {
  readonly folders: Set<string>;
  readonly links: Map<string, string>;
  /** Folders that seem to hold something whose name is no UTF-8. */
  readonly oddFolders: Set<string>;
  unreadableFolders: number;
  files: number;
}

async function statRoot(root: string, request: StatRequest, progress: Progress): Promise<StatWalk['stopped']> {
  const { gate, skip, deadline, maxFiles } = request;
  const base = root.endsWith(sep) ? root : root + sep;
  let late = false;
  const enter = (relativeFolder: string): boolean => {
    late ||= performance.now() > deadline;
    const path = base + relativeFolder;
    if (late || skip.has(path) || gate.roots.includes(path)) return false;
    if (path.includes(NO_CHARACTER)) progress.oddFolders.add(dirname(path));
    progress.folders.add(path);
    return true;
  };
  return gate.withFolder(
    root,
    async ({ resolved, workingDirectory }) => {
      const counts = newWalkCounts();
      const { signal } = new AbortController();
      const folder = { path: resolved.path, workingDirectory };
      let sliceEnd = performance.now() + SLICE_MS;
      try {
        for await (const files of walkFolders({ folder, roots: gate.roots, signal, links: true, enter, counts })) {
          for (const file of files) {
            if (file.path.includes(NO_CHARACTER)) progress.oddFolders.add(dirname(file.path));
            if (file.isLink) noteLink(file.path, `${workingDirectory}${sep}${file.relativePath}`, progress.links);
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

/** Such an entry cannot be opened by its decoded name, nor written down; but that it changed can be told. */
function noteUnnamable(folder: string, unnamable: Map<string, string>): void {
  try {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      if (isUtf8(name)) continue;
      const { size, mtimeMs, ctimeMs, ino } = lstatSync(Buffer.concat([Buffer.from(folder + sep), name]));
      const path = join(folder, name.toString());
      const stamp = [name.toString('hex'), size, mtimeMs, ctimeMs, ino].join(' ');
      unnamable.set(path, `${unnamable.get(path) ?? ''}\n${stamp}`);
    }
  } catch {
    // The folder, or an entry of it, is gone by now.
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
