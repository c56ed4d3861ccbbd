import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { makePrivateFolder, readPrivateFile, syncFolder, writePrivateFile } from './durable-file.js';
import type { JournalEntry } from './journal-entry.js';
import { journalFailure } from './journal-failure.js';
import { isEntry } from './journal-log.js';
import { isProcessMark, type ProcessMark } from './process-mark.js';

/**
 * How a file gets from before to after. `replace`: the staged file takes its place. `create`: the staged file becomes it.
 * `delete`: it is moved aside, then removed. `overwrite`: in place, from the content store.
 */
export type ChangeManner = 'replace' | 'create' | 'delete' | 'overwrite';

export interface PlannedChange {
  readonly manner: ChangeManner;
  /** Entry beside the target that holds the new content until it is put in place. */
  readonly staged: string;
  /** Entry beside the target that holds the old file until all is done. */
  readonly aside: string;
  /** True: the content store takes the old file over instead of keeping a copy of it. */
  readonly adopt: boolean;
}

/** What a transaction is about to do, written down before it does it. */
export interface Intent {
  /** As it will be in the journal. */
  readonly entry: JournalEntry;
  /** One for each of the entry's changes. */
  readonly plan: readonly PlannedChange[];
  /** Folders to remove at the end if they are empty, innermost first. */
  readonly emptyFolders: readonly string[];
  /** False: modes and manners are guesses and no target has been touched yet. */
  readonly ready: boolean;
  /** True: it failed and is being taken back. */
  readonly failed: boolean;
  readonly owner: ProcessMark;
}

/** Writing an intent takes milliseconds. */
const LEFTOVER_AGE_MS = 600_000;

/** Intents of transactions that are not done, one file each. It becomes the journal's entry by a rename. */
export class PendingIntents {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Made or replaced, whole. */
  async write(intent: Intent, durable: boolean): Promise<void> {
    try {
      // Durable even for a draft: whoever writes the intent over it finds the folder there.
      await makePrivateFolder(this.#folder, true);
      const { entry, ...work } = intent;
      const path = this.#pathOf(entry.id);
      const bytes = Buffer.from(JSON.stringify({ ...entry, work }));
      await writePrivateFile({ temporary: `${path}.${randomBytes(6).toString('hex')}.tmp`, path, bytes, durable });
    } catch (thrown) {
      throw journalFailure(thrown, this.#folder);
    }
  }

  /** The transaction is done: its intent becomes the entry at `path`. */
  async promote(id: string, path: string): Promise<void> {
    try {
      renameSync(this.#pathOf(id), path);
    } catch (thrown) {
      throw journalFailure(thrown, this.#folder);
    }
  }

  /** The transaction did not happen. */
  async drop(id: string): Promise<void> {
    try {
      await unlink(this.#pathOf(id));
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'ENOENT') throw journalFailure(thrown, this.#folder);
    }
    await syncFolder(this.#folder);
  }

  /** Oldest first. Also clears away what was left by a process that ended while it wrote one. */
  async read(): Promise<{ readonly intents: readonly Intent[]; readonly problems: readonly string[] }> {
    const intents: Intent[] = [];
    const problems: string[] = [];
    for (const name of await this.#names()) {
      const path = join(this.#folder, name);
      if (!name.endsWith('.json')) {
        await removeIfOld(path);
        continue;
      }
      try {
        const intent = parseIntent(readPrivateFile(path));
        // One under another name is not this journal's own.
        if (intent !== undefined && path === this.#pathOf(intent.entry.id)) intents.push(intent);
        else problems.push(`What an interrupted change was about to do cannot be read and is left alone: ${path}.`);
      } catch (thrown) {
        if (systemErrorCode(thrown) !== 'ENOENT') problems.push(`${path} cannot be read: ${errorMessage(thrown)}`);
      }
    }
    return { intents, problems };
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.#folder)).sort();
    } catch (thrown) {
      if (systemErrorCode(thrown) === 'ENOENT') return [];
      throw journalFailure(thrown, this.#folder);
    }
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

async function removeIfOld(path: string): Promise<void> {
  try {
    if (Date.now() - (await stat(path)).mtimeMs > LEFTOVER_AGE_MS) await unlink(path);
  } catch {
    // It is gone, or stays where it harms nobody.
  }
}

const MANNERS: readonly unknown[] = ['replace', 'create', 'delete', 'overwrite'];
/** Only such entries are ever removed. */
const TEMPORARY_NAME = /^\.tenon-[0-9a-z-]+\.tmp$/;

/** Free names for what is put beside a target. */
export function temporaryNames(id: string, index: number): Pick<PlannedChange, 'staged' | 'aside'> {
  return { staged: `.tenon-${id}-${index}.tmp`, aside: `.tenon-${id}-${index}-old.tmp` };
}

function parseIntent(json: string): Intent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isEntry(value) || !('work' in value)) return undefined;
  const { work, ...entry } = value;
  if (typeof work !== 'object' || work === null) return undefined;
  const { plan, emptyFolders, ready, failed, owner } = work as Partial<Record<keyof Intent, unknown>>;
  if (!Array.isArray(plan) || plan.length !== entry.changes.length || !plan.every(isPlanned)) return undefined;
  if (!Array.isArray(emptyFolders) || !emptyFolders.every((folder) => typeof folder === 'string')) return undefined;
  if (!isProcessMark(owner)) return undefined;
  return { entry, plan, emptyFolders, owner, ready: ready === true, failed: failed === true };
}

function isPlanned(value: unknown): value is PlannedChange {
  if (typeof value !== 'object' || value === null) return false;
  const { manner, staged, aside, adopt } = value as Partial<Record<keyof PlannedChange, unknown>>;
  return (
    MANNERS.includes(manner) &&
    typeof adopt === 'boolean' &&
    [staged, aside].every((name) => typeof name === 'string' && TEMPORARY_NAME.test(name))
  );
}
