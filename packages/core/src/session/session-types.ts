import type { RevertReport } from '../journal/undo.js';

/** A log of an earlier session. `fork`: it stays as it is, and a new one begins as its copy. */
export interface SessionSource {
  readonly file: string;
  readonly fork?: boolean;
}

/** A message of the user to which the session can go back. */
export interface RewindPoint {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly time: string;
  /** Files that calls have changed since; undo of the journal would take those changes back. */
  readonly changedFiles: readonly string[];
  /** False: it is before a compaction, so that only files can go back. */
  readonly hasConversation: boolean;
}

export interface RewindReport {
  /** What the user had said, for the composer; undefined when only files went back. */
  readonly text?: string;
  /** Undefined when only the conversation went back, or nothing was changed. */
  readonly files?: RevertReport;
}
