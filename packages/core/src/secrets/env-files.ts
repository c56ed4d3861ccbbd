import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EnvFileSearch } from './env-file-search.js';
import { isKeyFile, isSecretFile, readEnvText, readPrivateKeys } from './read-env-file.js';

export interface EnvFileValue {
  readonly name: string;
  readonly value: string;
  /** Absolute. */
  readonly file: string;
}

const LARGEST_FILE = 1024 * 1024;
const MOST_FILES = 100;
const MOST_NAMED = 400;
const MOST_FOUND = 200;
const SEARCH_EVERY_MS = 5000;
/** A call does not rely on an older search. */
const OLDEST_MS = 60_000;
const MOST_NAMES = 20_000;
/** Of one file, and of all: each costs time and memory, and a stranger may have written them. Real files have a few dozen. */
const MOST_VALUES = 2000;
const MOST_OF_ALL = 5000;

interface ReadFile {
  readonly mark: string;
  readonly values: readonly EnvFileValue[];
}

/** The variables of the environment files in some folders, and of those that were named: read when asked, and again when they changed. */
export class EnvFiles {
  readonly #folders: readonly string[];
  readonly #named = new Set<string>();
  #finder: EnvFileSearch | undefined;
  #searching: Promise<void> | undefined;
  #searchedAt = Number.NEGATIVE_INFINITY;
  readonly #listed = new Map<string, { readonly mark: string; readonly files: readonly string[] }>();
  readonly #read = new Map<string, ReadFile>();
  #values: readonly EnvFileValue[] = [];

  /** `folders`: absolute. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** A file that a call reads or changes. */
  name(file: string): void {
    if (this.#named.size < MOST_NAMED && isSecretFile(basename(file))) this.#named.add(file);
  }

  /** Looks for such files further down, which a search or a command may read without naming them. Again only after a while. Never rejects. */
  search(): Promise<void> {
    if (this.#searching === undefined && performance.now() - this.#searchedAt > SEARCH_EVERY_MS)
      this.#searching = this.#look().finally(() => {
        this.#searchedAt = performance.now();
        this.#searching = undefined;
      });
    return this.#searching ?? Promise.resolve();
  }

  /** Resolves when they were looked for not long ago. */
  async searched(): Promise<void> {
    if (this.#searching !== undefined || performance.now() - this.#searchedAt > OLDEST_MS) await this.search();
  }

  async #look(): Promise<void> {
    const { EnvFileSearch } = await import('./env-file-search.js');
    this.#finder ??= new EnvFileSearch(this.#folders);
    for (const file of await this.#finder.find(MOST_FOUND)) this.name(file);
  }

  /** All values, those of the first folder first. The same list until something changes. */
  values(): readonly EnvFileValue[] {
    const files = [...new Set([...this.#folders.flatMap((folder) => this.#list(folder)), ...this.#named])];
    let isChanged = false;
    for (const file of files) isChanged = this.#refresh(file) || isChanged;
    if (isChanged) this.#values = files.flatMap((file) => this.#read.get(file)?.values ?? []).slice(0, MOST_OF_ALL);
    return this.#values;
  }

  #list(folder: string): readonly string[] {
    const mark = markOf(folder);
    const listed = this.#listed.get(folder);
    if (listed?.mark === mark) return listed.files;
    const files = namesIn(folder)
      .filter((name) => isSecretFile(name))
      .toSorted()
      .slice(0, MOST_FILES)
      .map((name) => join(folder, name));
    this.#listed.set(folder, { mark, files });
    return files;
  }

  /**
   * What a file held stays known when the file changes or goes: it may still be in what was read before.
   * @returns whether anything changed
   */
  #refresh(file: string): boolean {
    const mark = markOf(file);
    const last = this.#read.get(file);
    if (last?.mark === mark) return false;
    const values = [...readValues(file), ...(last?.values ?? [])];
    const seen = new Set<string>();
    const each = values.filter(({ name, value }) => {
      const known = `${name}\0${value}`;
      return seen.has(known) ? false : seen.add(known);
    });
    this.#read.set(file, { mark, values: each.slice(0, MOST_VALUES) });
    return true;
  }
}

function markOf(path: string): string {
  const info = statSync(path, { throwIfNoEntry: false, bigint: true });
  return info === undefined ? '' : `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`;
}

function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder);
    return names.length > MOST_NAMES ? ['.env', '.env.local'] : names;
  } catch {
    return [];
  }
}

function readValues(file: string): readonly EnvFileValue[] {
  const text = readSmall(file);
  const named = isKeyFile(basename(file)) ? readPrivateKeys(text) : readEnvText(text);
  return named.map(([name, value]) => ({ name, value, file }));
}

/** Reads a file of at most 1 MiB; empty for anything else. Does not wait for a pipe of that name. Never throws. */
export function readSmall(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const info = fstatSync(descriptor);
    return info.isFile() && info.size <= LARGEST_FILE ? readFileSync(descriptor, 'utf8') : '';
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
