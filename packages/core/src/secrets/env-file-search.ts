import { join } from 'node:path';
import { systemPath } from '../files/escaped-bytes.js';
import {
  hasTrueTimes,
  isSameStamp,
  lookAt,
  provesChanges,
  statOf,
  type FolderStamp,
} from '../search/tree/folder-stamp.js';
import { Pause } from '../search/tree/pause.js';
import { HUGE_FOLDER_BYTES, readFolder, readHugeFolder, type Listing } from '../search/tree/read-folder.js';
import { isEnvFile } from './read-env-file.js';

/** What is looked through at most: calls may wait for it. */
const MOST_FOLDERS = 2000;
const LONGEST_MS = 300;
const DEEPEST = 6;
/** Hold what others wrote, or what is made. */
const SKIPPED: ReadonlySet<string> = new Set(
  '.git .hg .svn node_modules bower_components .venv venv __pycache__ .tox .cache .next .nuxt .gradle .terraform'.split(
    ' ',
  ),
);

/** What matters of a folder: names. */
interface Content {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

interface KnownContent {
  readonly stamp: FolderStamp;
  readonly content: Content;
}

const NOTHING: Content = { folders: [], files: [] };

/**
 * Finds the environment files below some folders, time and again: a folder is read anew unless its stamp proves that nothing came or went in it.
 * In slices of some milliseconds: promises for each folder would take five times as long.
 */
export class EnvFileSearch {
  readonly #roots: readonly string[];
  /** What the last search looked into, by path. */
  #known: ReadonlyMap<string, KnownContent> = new Map();

  /** `roots`: absolute. */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /**
   * Those that lie higher up first; not those right in the roots. Links are not followed. Files beyond `most` are left out, and what is not found
   * in time. One search at a time. Never rejects.
   */
  async find(most: number): Promise<readonly string[]> {
    const search = new OneSearch(this.#known, devicesOf(this.#roots));
    try {
      let level = this.#roots;
      for (let depth = 0; depth <= DEEPEST && level.length > 0 && search.files.length < most; depth += 1) {
        level = await search.lookInto(level);
        // Those right in the roots are known without it.
        if (depth === 0) search.files.length = 0;
      }
    } catch {
      // The time is over.
    }
    this.#known = search.seen;
    return search.files.slice(0, most);
  }
}

class OneSearch {
  /** Found so far. */
  readonly files: string[] = [];
  readonly seen = new Map<string, KnownContent>();
  readonly #known: ReadonlyMap<string, KnownContent>;
  readonly #devices: ReadonlySet<number>;
  readonly #pause = new Pause(AbortSignal.timeout(LONGEST_MS));
  #room = MOST_FOLDERS;

  constructor(known: ReadonlyMap<string, KnownContent>, devices: ReadonlySet<number>) {
    this.#known = known;
    this.#devices = devices;
  }

  /** Resolves to the folders in these. @throws when the time is over */
  async lookInto(level: readonly string[]): Promise<readonly string[]> {
    const below: string[] = [];
    for (const path of level.slice(0, this.#room)) {
      const looked = this.#look(path);
      const { folders, files } = looked instanceof Promise ? await looked : looked;
      for (const name of files) this.files.push(join(path, name));
      for (const name of folders) below.push(join(path, name));
      if (this.#pause.isDue()) await this.#pause.take();
    }
    this.#room -= Math.min(this.#room, level.length);
    return below;
  }

  #look(path: string): Content | Promise<Content> {
    const before = Date.now();
    const stat = lookAt(systemPath(path));
    if (stat?.isDirectory() !== true) return NOTHING;
    const last = this.#known.get(path);
    if (last !== undefined && isSameStamp(last.stamp, stat)) {
      this.seen.set(path, last);
      return last.content;
    }
    if (stat.size > HUGE_FOLDER_BYTES) return readHuge(path, this.#pause);
    const content = read(path);
    const { dev, ino, ctimeMs, mtimeMs } = stat;
    if (content !== undefined && this.#devices.has(dev) && provesChanges(stat, before))
      this.seen.set(path, { stamp: { dev, ino, ctimeMs, mtimeMs }, content });
    return content ?? NOTHING;
  }
}

/** Undefined when it is gone, or not to be read. */
function read(path: string): Content | undefined {
  try {
    return contentOf(readFolder(path));
  } catch {
    return undefined;
  }
}

/** Such folders are rare: nothing is kept of them. */
async function readHuge(path: string, pause: Pause): Promise<Content> {
  try {
    return contentOf(await readHugeFolder(path, pause));
  } catch {
    // The same, or the time is over, which the next pause tells.
    return NOTHING;
  }
}

function contentOf({ folders, files }: Listing): Content {
  return { folders: folders.filter((name) => !SKIPPED.has(name)), files: files.filter(isEnvFile) };
}

/** Devices on which times tell every change. */
function devicesOf(roots: readonly string[]): ReadonlySet<number> {
  const devices = new Set<number>();
  for (const root of roots) {
    const stat = hasTrueTimes(root) ? statOf(root) : undefined;
    if (stat !== undefined) devices.add(stat.dev);
  }
  return devices;
}
