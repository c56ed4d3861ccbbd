import type { FileState, JournalCall, JournalEntry } from './journal-entry.js';

/** One file of a transaction, in bytes. */
export interface StateChange {
  /** Absolute path; a link is written through to its target. */
  readonly path: string;
  /** The canonical path that was judged; a path that leads elsewhere by now is refused with `file_changed`. */
  readonly resolvedPath?: string | undefined;
  /** SHA-256 (hex) of the bytes that the file must have, or `missing`. */
  readonly expected: string;
  /** Null: the file is deleted. */
  readonly content: Uint8Array | null;
  /** Permission bits (`0o7777`) it is to have; by default those it has, for a new file those the process gives. */
  readonly mode?: number | undefined;
}

export interface TransactionRequest {
  readonly kind: Exclude<JournalEntry['kind'], 'command'>;
  readonly call?: JournalCall | undefined;
  readonly reverts?: readonly string[];
  readonly changes: readonly StateChange[];
  /** Folders to remove after the changes if they are empty by then, innermost first: those an undone call had made. */
  readonly emptyFolders?: readonly string[];
}

/** The log of what was changed and the contents that were there before, for one project. */
export interface Journal {
  /** Every transaction that was made, oldest first. Entries that cannot be read are left out and reported. */
  entries(): Promise<{ readonly entries: readonly JournalEntry[]; readonly problems: readonly string[] }>;
  /** What was kept under a hash; undefined when it is gone (too old) or damaged. */
  content(hash: string): Promise<Buffer | undefined>;
  /** Keeps bytes; returns their SHA-256 (hex). `durable`: on the disk before it returns. */
  keep(bytes: Uint8Array, durable: boolean): Promise<string>;
  /**
   * Makes all of the changes or none, and writes them down.
   * @throws Failure `file_changed`, `permission_denied`, `no_space_left`, …: the tree is as it was before
   */
  commit(request: TransactionRequest): Promise<CommittedTransaction>;
  /** Writes down what was changed by somebody else (a command). */
  record(entry: JournalEntry): Promise<void>;
  /** Ids that `record` may use: they sort by time. */
  newId(): string;
}

export interface CommittedTransaction {
  readonly entry: JournalEntry;
  /** In the order of the request: where it was, what it is now, and how many names the file has. */
  readonly done: readonly { readonly path: string; readonly after: FileState; readonly links: number }[];
}
