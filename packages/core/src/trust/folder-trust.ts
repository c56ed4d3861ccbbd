import { createHash } from 'node:crypto';
import type { BoundCommand } from './bound-commands.js';
import type { ProjectScript } from './project-scripts.js';
import { readRepository, topOf, type RepositoryState } from './repository-state.js';
import type { FolderRecord, KnownEntry, TrustStore } from './trust-store.js';

/** A content of a folder that would be obeyed if the folder were trusted. */
export interface TrustEntry {
  /** Its path relative to the folder, with `/`. */
  readonly id: string;
  /** Hex SHA-256 of the content. */
  readonly digest: string;
  /** What it would do, a line each. */
  readonly lines: readonly string[];
  /** The commands in it, with the files of the folder that run for them. */
  readonly commands?: readonly BoundCommand[];
  /** Set if it is shown and agreed to with the rest, but is no reason to ask: its actions ask when they happen. */
  readonly isQuiet?: true;
  /** The hooks in it, with the files of the folder that run for them. */
  readonly hooks?: readonly BoundHook[];
}

/** A shell's text of a hook, and the files of the folder that it runs. */
export interface BoundHook {
  readonly text: string;
  readonly scripts: readonly ProjectScript[];
}

/**
 * `trusted`: accepted with this very content. `refused`: the person said no to this content. `changed`: another content
 * was decided on. `new`: nothing was decided.
 */
export type EntryState = 'trusted' | 'refused' | 'changed' | 'new';

export interface JudgedEntry extends TrustEntry {
  readonly state: EntryState;
  /** The lines that were shown when it was decided on, where it changed since. */
  readonly before?: readonly string[];
}

/** What is decided about one folder, and how to decide. */
export interface FolderTrust {
  /** Canonical. */
  readonly root: string;
  readonly decision: FolderRecord['decision'] | 'undecided';
  readonly entries: readonly JudgedEntry[];
  /** Why nothing at all is trusted: what was decided cannot be believed. */
  readonly problem: string | undefined;
  /** Something would be obeyed that was never decided on in this form: the person may be asked. */
  readonly isOpen: boolean;
  /** Trusts the folder with the entries as they are listed here. @throws Failure `trust_not_saved` */
  readonly accept: () => Promise<void>;
  /** Remembers a no to what is open; what was accepted stays accepted. @throws Failure `trust_not_saved` */
  readonly refuse: () => Promise<void>;
  /** Takes every decision about the folder back. @throws Failure `trust_not_saved` */
  readonly revoke: () => Promise<void>;
  /** What is decided about all folders, this one among them, by canonical path. */
  readonly list: () => ReadonlyMap<string, FolderRecord>;
  /** The repository that git finds in the folder, if any; nothing is started for that. */
  readonly repository: () => LookedAtRepository | undefined;
}

export interface LookedAtRepository extends RepositoryState {
  /** Where its work tree begins. */
  readonly top: string;
  /** That folder is trusted. */
  readonly isTrusted: boolean;
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Holds what the folder has against what was decided. `root`: canonical. */
export function openFolderTrust(store: TrustStore, root: string, entries: readonly TrustEntry[]): FolderTrust {
  const record = store.of(root);
  const judged = entries.map((entry) => judgeEntry(record, entry));
  const time = (): string => new Date().toISOString();
  return {
    root,
    decision: record?.decision ?? 'undecided',
    entries: judged,
    problem: store.problem(),
    isOpen: judged.some(({ state, isQuiet }) => isQuiet !== true && (state === 'new' || state === 'changed')),
    accept: () =>
      store.change(root, () => ({
        decision: 'trusted',
        time: time(),
        entries: new Map(entries.map((one) => known(one, true))),
      })),
    refuse: () =>
      store.change(root, (before) => ({
        decision: before?.decision ?? 'refused',
        time: before?.time ?? time(),
        entries: new Map(entries.map((one) => known(one, judgeEntry(before, one).state === 'trusted'))),
      })),
    revoke: () => store.change(root, () => undefined),
    list: () => store.list(),
    repository: () => {
      const top = topOf(root);
      if (top === undefined) return undefined;
      return { top, isTrusted: store.of(top)?.decision === 'trusted', ...readRepository(top).state };
    },
  };
}

/** Pure. */
export function judgeEntry(record: FolderRecord | undefined, entry: TrustEntry): JudgedEntry {
  const before = record?.entries.get(entry.id);
  if (record === undefined || before === undefined) return { ...entry, state: 'new' };
  if (before.digest !== entry.digest) return { ...entry, state: 'changed', before: before.lines };
  return { ...entry, state: before.isAccepted && record.decision === 'trusted' ? 'trusted' : 'refused' };
}

function known({ id, digest, lines }: TrustEntry, isAccepted: boolean): [string, KnownEntry] {
  return [id, { digest, isAccepted, lines }];
}
