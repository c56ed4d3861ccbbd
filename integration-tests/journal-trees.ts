import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { StateChange, TransactionRequest } from '../packages/core/src/journal/journal.js';

/** Whole numbers from 0 to below `limit`, the same for the same seed. */
export type Draw = (limit: number) => number;

export function drawFrom(seed: number): Draw {
  let state = (seed * 2_654_435_761 + 88_675_123) >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const FOLDERS = ['.', 'a', 'a/b', 'c', 'c/d/e'];
const MODES = [0o644, 0o600, 0o755, 0o640];

function contentOf(draw: Draw): Buffer {
  const length = draw(8) === 0 ? 20_000 + draw(100_000) : draw(200);
  return Buffer.alloc(length, `${draw(1000)} some text\n`);
}

/** A tree of folders, files of several modes and sizes, hard links, and links to files, to folders and to nothing. */
export function makeTree(root: string, draw: Draw): void {
  for (const folder of [...FOLDERS, 'empty', 'empty/inner']) mkdirSync(join(root, folder), { recursive: true });
  const files: string[] = [];
  for (let index = 4 + draw(6); index > 0; index -= 1) {
    const path = join(root, FOLDERS[draw(FOLDERS.length)] ?? '.', `f${index}`);
    writeFileSync(path, contentOf(draw));
    chmodSync(path, MODES[draw(MODES.length)] ?? 0o644);
    files.push(path);
  }
  for (let index = draw(4); index > 0; index -= 1) {
    linkSync(files[draw(files.length)] ?? '', join(root, FOLDERS[draw(FOLDERS.length)] ?? '.', `h${index}`));
  }
  symlinkSync(files[0] ?? '', join(root, 'to-file'));
  symlinkSync('../c/d', join(root, 'a', 'to-folder'));
  symlinkSync('nowhere/yet', join(root, 'a', 'to-nothing'));
}

/** Everything of a tree that a person could miss or find too much. */
export function treeOf(root: string, prefix = ''): string[] {
  return readdirSync(join(root, prefix))
    .sort()
    .flatMap((name) => {
      const relative = join(prefix, name);
      const path = join(root, relative);
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return [`${relative} -> ${readlinkSync(path).replace(root, '')}`];
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) return [`${relative}/ ${mode}`, ...treeOf(root, relative)];
      return [`${relative} ${mode} ${stat.nlink} ${stat.size} ${hashOf(readFileSync(path))}`];
    });
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** One to six changes of different files of such a tree. */
export function drawTransaction(root: string, draw: Draw): TransactionRequest {
  const changes = new Map<string, StateChange>();
  const existing = filesOf(root);
  for (let count = 1 + draw(6); count > 0; count -= 1) {
    const what = draw(10);
    const path =
      what < 2 ? join(root, `new${draw(2)}`, `deep${draw(2)}`, `n${count}`) : (existing[draw(existing.length)] ?? root);
    const bytes = readIfThere(path);
    const content = what === 9 && bytes !== null ? null : contentOf(draw);
    const mode = draw(4) === 0 && content !== null ? { mode: MODES[draw(MODES.length)] } : {};
    const change = { path, expected: bytes === null ? 'missing' : hashOf(bytes), content, ...mode };
    // Two names of one file are two changes of it, of which one would find it changed.
    const key = bytes === null ? realpathOfMissing(path) : String(lstatOf(realpathSync(path)));
    if (!changes.has(key)) changes.set(key, change);
  }
  const emptyFolders = draw(4) === 0 ? [join(root, 'empty/inner'), join(root, 'empty')] : [];
  return { kind: 'change', changes: [...changes.values()], emptyFolders };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesOf(path);
      return entry.name === 'to-folder' ? [] : [path];
    });
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function lstatOf(path: string): number {
  return lstatSync(path).ino;
}

function realpathOfMissing(path: string): string {
  return path.endsWith('to-nothing') ? join(dirname(path), 'nowhere/yet') : path;
}
