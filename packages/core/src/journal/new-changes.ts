import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivateFile } from './durable-file.js';
import { isSameState, type JournalChange, type JournalEntry } from './journal-entry.js';
import type { parseEntry } from './journal-log.js';

/** What became of one file. */
export interface NewChange {
  /** Canonical. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
}

/**
 * What the journal says became of files since it was last asked, whichever process made or took back the changes. An entry is told
 * once. By name and not by time: what another process began earlier may be written later.
 */
export class NewChanges {
  readonly #folder: string;
  #known: ReadonlySet<string> = new Set();

  /** `journalDir`: the journal's own folder, which need not be there. */
  constructor(journalDir: string) {
    this.#folder = join(journalDir, 'entries');
  }

  /** Whatever there is by now is told to nobody. Never rejects. */
  async skip(): Promise<void> {
    await this.#unknown();
  }

  /** Never rejects: what cannot be read is left out. */
  async take(): Promise<readonly NewChange[]> {
    const names = await this.#unknown();
    if (names.length === 0) return [];
    const { parseEntry: parse } = await import('./journal-log.js');
    return netChanges(names.flatMap((name) => this.#entry(name, parse)?.changes ?? []));
  }

  /** In the order of the log. */
  async #unknown(): Promise<readonly string[]> {
    const all = await readdir(this.#folder).catch((): string[] => []);
    const names = all.filter((name) => name.endsWith('.json'));
    const before = this.#known;
    this.#known = new Set(names);
    return names.filter((name) => !before.has(name)).toSorted();
  }

  #entry(name: string, parse: typeof parseEntry): JournalEntry | undefined {
    try {
      return parse(readPrivateFile(join(this.#folder, name)));
    } catch {
      return undefined;
    }
  }
}

/** What all of them together did to each file; nothing where it is what it was. */
function netChanges(changes: readonly JournalChange[]): readonly NewChange[] {
  const net = new Map<string, JournalChange>();
  for (const { path, before, after } of changes)
    net.set(path, { path, before: net.get(path)?.before ?? before, after });
  return [...net.values()].flatMap(({ path, before, after }): NewChange[] => {
    if (isSameState(before, after)) return [];
    if (before.kind === 'missing') return [{ path, change: 'created' }];
    return [{ path, change: after.kind === 'missing' ? 'deleted' : 'modified' }];
  });
}
