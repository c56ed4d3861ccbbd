import type { WorkspaceGate } from '../files/workspace-gate.js';
import type { ContentStore } from './content-store.js';
import type { OnStep } from './durable-file.js';
import type { PendingIntents } from './intent.js';
import type { JournalLog } from './journal-log.js';
import type { PathLocks } from './path-locks.js';

/** What a transaction works with. */
export interface TransactionServices {
  readonly gate: WorkspaceGate;
  readonly contents: ContentStore;
  readonly log: JournalLog;
  readonly pending: PendingIntents;
  readonly locks: PathLocks;
  /** Old files of this size and more are taken over by the content store, where that is possible, and not copied. */
  readonly adoptFromBytes: number;
  readonly onStep: OnStep;
}
