import type { Dirent } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import type { StateChange } from './journal.js';

/** What stands where a file was, or above it. */
export type Obstacle = 'folder' | 'file above';

export interface WayToClear {
  readonly gate: WorkspaceGate;
  /** Deletions that are planned in any case, by path. */
  readonly deletions: ReadonlyMap<string, StateChange>;
  /** Folders that are to go when they are empty. */
  readonly folders: ReadonlySet<string>;
}

/** What has to go before a file can be put where something of another kind stands. */
export interface Clearing {
  readonly changes: readonly StateChange[];
  /** Innermost first. */
  readonly emptyFolders: readonly string[];
}

/**
 * What clears the way to a path: only what would go anyway. Undefined when something of another's is in the way, too.
 * @param path canonical, as it was written down
 */
export async function clearingFor(way: WayToClear, path: string, obstacle: Obstacle): Promise<Clearing | undefined> {
  if (obstacle === 'folder') return clearFolder(way, path);
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const change = way.deletions.get(above);
    if (change !== undefined) return { changes: [change], emptyFolders: [] };
  }
  return undefined;
}

async function clearFolder({ gate, deletions, folders }: WayToClear, path: string): Promise<Clearing | undefined> {
  const changes: StateChange[] = [];
  const emptyFolders: string[] = [];
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (!folders.has(folder)) return undefined;
    emptyFolders.unshift(folder);
    const entries = await listFolder(gate, folder);
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      const inner = join(folder, entry.name);
      const change = deletions.get(inner);
      if (entry.isDirectory()) waiting.push(inner);
      else if (entry.isFile() && change !== undefined) changes.push(change);
      else return undefined;
    }
  }
  return { changes, emptyFolders: emptyFolders.sort((a, b) => depthOf(b) - depthOf(a)) };
}

function depthOf(path: string): number {
  return path.split(sep).length;
}

async function listFolder(gate: WorkspaceGate, folder: string): Promise<readonly Dirent[] | undefined> {
  try {
    return await gate.withFolder(folder, (held) => held.list(), { expected: folder });
  } catch {
    return undefined;
  }
}
