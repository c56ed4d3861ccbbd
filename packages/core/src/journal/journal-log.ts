import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { makePrivateFolder, writePrivateFile } from './durable-file.js';
import type { FileState, JournalChange, JournalEntry } from './journal-entry.js';
import { journalFailure } from './journal-failure.js';

const READS_AT_ONCE = 16;
const KINDS: readonly string[] = ['change', 'command', 'undo', 'redo'];

/** The entries of a journal: one file each, so that none can be torn by the writing of another. */
export class JournalLog {
  readonly #folder: string;
  /** By file name; an entry never changes. */
  readonly #known = new Map<string, JournalEntry>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  /** Makes the folder that `pathOf` speaks of. */
  async make(): Promise<void> {
    await makePrivateFolder(this.#folder, true);
  }

  async append(entry: JournalEntry): Promise<void> {
    try {
      await this.make();
      const path = this.pathOf(entry.id);
      const bytes = Buffer.from(JSON.stringify(entry));
      await writePrivateFile({
        temporary: `${path}.${randomBytes(6).toString('hex')}.tmp`,
        path,
        bytes,
        durable: true,
      });
    } catch (thrown) {
      throw journalFailure(thrown, this.#folder);
    }
  }

  async read(): Promise<{ readonly entries: readonly JournalEntry[]; readonly problems: readonly string[] }> {
    const names = (await this.#list()).filter((name) => name.endsWith('.json')).sort();
    const there = new Set(names);
    for (const name of this.#known.keys()) if (!there.has(name)) this.#known.delete(name);
    const unknown = names.filter((name) => !this.#known.has(name));
    const problems: string[] = [];
    for (let start = 0; start < unknown.length; start += READS_AT_ONCE) {
      const read = async (name: string): Promise<void> => {
        const problem = await this.#load(name);
        if (problem !== undefined) problems.push(problem);
      };
      await Promise.all(unknown.slice(start, start + READS_AT_ONCE).map(read));
    }
    return { entries: names.flatMap((name) => this.#known.get(name) ?? []), problems };
  }

  async #load(name: string): Promise<string | undefined> {
    const path = join(this.#folder, name);
    try {
      const entry = parseEntry(await readFile(path, 'utf8'));
      if (entry === undefined) return `The journal's entry ${path} is damaged and was left out.`;
      this.#known.set(name, entry);
      return undefined;
    } catch (thrown) {
      // Cleared meanwhile.
      if (systemErrorCode(thrown) === 'ENOENT') return undefined;
      return `The journal's entry ${path} cannot be read and was left out: ${errorMessage(thrown)}`;
    }
  }

  async #list(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (thrown) {
      if (systemErrorCode(thrown) === 'ENOENT') return [];
      throw journalFailure(thrown, this.#folder);
    }
  }
}

/** Undefined for what is no entry, or one of a later version. */
export function parseEntry(json: string): JournalEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isEntry(value)) return undefined;
  // What it was to do as a transaction is of no more use.
  const entry: JournalEntry & { work?: unknown } = value;
  delete entry.work;
  return entry;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it has all of an entry; it may have more. */
export function isEntry(value: unknown): value is JournalEntry {
  if (!isFields(value) || value['version'] !== 1) return false;
  const { id, time, kind, call, reverts, changes, madeFolders } = value;
  return (
    typeof id === 'string' &&
    typeof time === 'string' &&
    typeof kind === 'string' &&
    KINDS.includes(kind) &&
    (call === undefined || isFields(call)) &&
    isList(reverts, isString) &&
    isList(changes, isChange) &&
    isList(madeFolders, isString)
  );
}

function isChange(value: unknown): value is JournalChange {
  return isFields(value) && isString(value['path']) && isState(value['before']) && isState(value['after']);
}

function isState(value: unknown): value is FileState {
  if (!isFields(value)) return false;
  const { kind, hash, bytes, mode } = value;
  if (kind === 'missing') return true;
  return kind === 'file' && isString(hash) && typeof bytes === 'number' && typeof mode === 'number';
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}
