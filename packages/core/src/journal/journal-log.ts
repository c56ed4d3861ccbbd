import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemFailure } from '../files/system-failure.js';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from './durable-file.js';
import type { FileState, JournalCall, JournalChange, JournalEntry } from './journal-entry.js';
import { journalFailure } from './journal-failure.js';

/** How long the event loop is held up at a time. */
const SLICE_MS = 10;
const ENDING = '.json';
/** Ids become file names. */
const ID = /^[\w-]{1,80}$/;
const HASH = /^[0-9a-f]{64}$/;
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

  /** @param after only entries whose ids sort after this one */
  async read(after = ''): Promise<{ readonly entries: readonly JournalEntry[]; readonly problems: readonly string[] }> {
    const all = (await this.#list()).filter(isEntryName).sort();
    const there = new Set(all);
    for (const name of this.#known.keys()) if (!there.has(name)) this.#known.delete(name);
    const names = after === '' ? all : all.filter((name) => name > `${after}${ENDING}`);
    const unknown = names.filter((name) => !this.#known.has(name));
    const problems: string[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for (const name of unknown) {
      const problem = this.#load(name);
      if (problem !== undefined) problems.push(problem);
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
    return { entries: names.flatMap((name) => this.#known.get(name) ?? []), problems };
  }

  /** The id that sorts last, whoever gave it; undefined when none is known. Never throws. */
  newestId(): string | undefined {
    try {
      const names = readdirSync(this.#folder).filter(isEntryName);
      const newest = names.reduce((last, name) => (name > last ? name : last), '');
      return newest === '' ? undefined : newest.slice(0, -ENDING.length);
    } catch {
      return undefined;
    }
  }

  #load(name: string): string | undefined {
    const path = join(this.#folder, name);
    try {
      const entry = parseEntry(readPrivateFile(path));
      if (entry === undefined || `${entry.id}${ENDING}` !== name)
        return `The journal's entry ${path} is damaged and was left out.`;
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
      throw systemFailure(thrown, `Cannot read the log of changes in ${this.#folder}`);
    }
  }
}

function isEntryName(name: string): boolean {
  return name.endsWith(ENDING);
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
  const { id, time, kind, background, call, reverts, changes, madeFolders, uncovered } = value;
  return (
    isString(id) &&
    ID.test(id) &&
    isString(time) &&
    isString(kind) &&
    KINDS.includes(kind) &&
    isOptional(background, (it) => it === true) &&
    (call === undefined || isJournalCall(call)) &&
    isList(reverts, isString) &&
    isList(changes, isChange) &&
    isList(madeFolders, isString) &&
    isOptional(uncovered, isString)
  );
}

export function isJournalCall(value: unknown): value is JournalCall {
  if (!isFields(value)) return false;
  const { callId, toolName, title, agent, sessionId, turn } = value;
  return (
    [callId, toolName, title].every(isString) &&
    [agent, sessionId].every((text) => isOptional(text, isString)) &&
    isOptional(turn, Number.isFinite)
  );
}

function isChange(value: unknown): value is JournalChange {
  return isFields(value) && isString(value['path']) && isState(value['before']) && isState(value['after']);
}

function isState(value: unknown): value is FileState {
  if (!isFields(value)) return false;
  const { kind, hash, bytes, mode } = value;
  if (kind === 'missing') return true;
  return kind === 'file' && isString(hash) && HASH.test(hash) && isCount(bytes) && isCount(mode) && mode <= 0o7777;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isOptional(value: unknown, isIt: (value: unknown) => boolean): boolean {
  return value === undefined || isIt(value);
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}
