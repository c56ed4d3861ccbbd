import { realpathSync, statSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, Failure } from '../util/failure.js';
import { changeOwnerFile, readOwnerFile } from '../util/owner-file.js';
import { isObject } from '../util/is-object.js';

/** What was decided about one content of one entry. */
export interface KnownEntry {
  /** Hex SHA-256 of the content that was shown. */
  readonly digest: string;
  readonly isAccepted: boolean;
  /** What was shown, for telling later what changed. */
  readonly lines: readonly string[];
}

/** What was decided about one folder. */
export interface FolderRecord {
  readonly decision: 'trusted' | 'refused';
  /** ISO 8601. */
  readonly time: string;
  /** By the id of the entry. */
  readonly entries: ReadonlyMap<string, KnownEntry>;
}

type Records = ReadonlyMap<string, FolderRecord>;

/**
 * Which folders the person trusts, with what content: one JSON file in Tenon's own folder, readable by its owner only
 * (`{"version":1,"folders":{"/canonical/path":{"decision":"trusted","time":"…","entries":{"…":{"digest":"…","accepted":true,"lines":["…"]}}}}}`).
 * A file that is damaged, a link, or that others may change: nothing is trusted. Every question is answered from the
 * file as it stands, so that a revocation in another process counts at once.
 */
export class TrustStore {
  readonly file: string;
  #stamp: string | undefined;
  #records: Records = new Map();
  #problem: string | undefined;

  constructor(tenonHome: string) {
    this.file = join(tenonHome, 'trust.json');
  }

  /** What was decided about this very folder; those above and below it do not count. `root`: canonical. */
  of(root: string): FolderRecord | undefined {
    return this.list().get(root);
  }

  /** All decisions, by canonical path. */
  list(): Records {
    const stamp = stampOf(this.file);
    if (stamp === undefined || stamp !== this.#stamp) this.#read(stamp);
    return this.#records;
  }

  /** Why nothing is trusted, when the file is there and cannot be believed. */
  problem(): string | undefined {
    this.list();
    return this.#problem === undefined
      ? undefined
      : `No folder is trusted: ${this.#problem}. Mend or remove ${this.file}.`;
  }

  #read(stamp: string | undefined): void {
    const read = readOwnerFile(this.file);
    const parsed = read === undefined || 'problem' in read ? read : parseRecords(read.text);
    const isSound = parsed !== undefined && !('problem' in parsed);
    this.#records = isSound ? parsed : new Map<string, FolderRecord>();
    this.#problem = parsed !== undefined && 'problem' in parsed ? parsed.problem : undefined;
    this.#stamp = stamp;
  }

  /**
   * Changes what is decided about one folder; undefined takes the decision back.
   * @throws Failure `trust_not_saved`
   */
  async change(root: string, change: (before: FolderRecord | undefined) => FolderRecord | undefined): Promise<void> {
    try {
      const isSound = (text: string): boolean => !('problem' in parseRecords(text));
      await changeOwnerFile(this.file, {
        isSound,
        change: (text) => {
          const parsed = text === undefined ? undefined : parseRecords(text);
          const records = new Map(parsed === undefined || 'problem' in parsed ? [] : parsed);
          const changed = change(records.get(root));
          if (changed === undefined) records.delete(root);
          else records.set(root, changed);
          return formatRecords(records);
        },
      });
      this.#stamp = undefined;
    } catch (thrown) {
      const message = `What you decided about ${root} could not be saved in ${this.file}: ${errorMessage(thrown)}`;
      throw new Failure('trust_not_saved', message, { cause: thrown });
    }
  }
}

/** The one way in which a folder is named in the file: its real place, whatever link leads there. @throws the system's error */
export function canonicalFolder(folder: string): string {
  return realpathSync.native(folder);
}

/** Undefined when there is nothing, or what there is may have changed within the clock's last tick. */
function stampOf(file: string): string | undefined {
  let info: BigIntStats | undefined;
  try {
    info = statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (info === undefined) return undefined;
  const isYoung = Date.now() - Number(info.ctimeMs) < 1000;
  return isYoung ? undefined : [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ');
}

function parseRecords(text: string): Records | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { problem: `the file is not JSON (${errorMessage(thrown)})` };
  }
  if (!isObject(value) || !isObject(value['folders'])) return { problem: 'the file has no "version" and "folders"' };
  if (value['version'] !== 1) return { problem: 'the file was written by another version' };
  const records = new Map<string, FolderRecord>();
  for (const [root, folder] of Object.entries(value['folders'])) {
    const record = recordOf(folder);
    if (record === undefined) return { problem: `what it says of ${JSON.stringify(root)} is no decision` };
    records.set(root, record);
  }
  return records;
}

function recordOf(value: unknown): FolderRecord | undefined {
  if (!isObject(value) || !isObject(value['entries'])) return undefined;
  const { decision, time } = value;
  if ((decision !== 'trusted' && decision !== 'refused') || typeof time !== 'string') return undefined;
  const entries = new Map<string, KnownEntry>();
  for (const [id, entry] of Object.entries(value['entries'])) {
    const known = entryOf(entry);
    if (known === undefined) return undefined;
    entries.set(id, known);
  }
  return { decision, time, entries };
}

function entryOf(value: unknown): KnownEntry | undefined {
  if (!isObject(value)) return undefined;
  const { digest, accepted, lines } = value;
  if (typeof digest !== 'string' || typeof accepted !== 'boolean' || !Array.isArray(lines)) return undefined;
  if (!lines.every((line): line is string => typeof line === 'string')) return undefined;
  return { digest, isAccepted: accepted, lines };
}

function formatRecords(records: Records): string {
  const folders = Object.fromEntries(
    [...records].map(([root, { decision, time, entries }]) => {
      const shown = [...entries].map(([id, { digest, isAccepted, lines }]) => [
        id,
        { digest, accepted: isAccepted, lines },
      ]);
      return [root, { decision, time, entries: Object.fromEntries(shown) as unknown }];
    }),
  );
  return `${JSON.stringify({ version: 1, folders }, null, 2)}\n`;
}
