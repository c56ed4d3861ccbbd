import type { Decision } from '../../packages/core/src/policy/verdict.js';
import type { RuleSetName } from './rule-sets.js';

/** `never allow`: asking and denying are both right. */
export type Expected = Decision | 'never allow';

/**
 * One command: its text, what must be decided, effects that must be among those stated (blanks between them, see
 * `missingEffects`), and why. Public identifiers of known bypasses stand in the reason.
 */
export type Row = readonly [command: string, expected: Expected, effects: string, reason: string];

export type Mode = 'plan' | 'default' | 'auto_edit' | 'yolo';

/** Where a command runs, when it is not the workspace of the fixture. */
export interface Place {
  /** Folder that the command starts in. */
  readonly from?: string;
  /** True if its repositories name programs that git starts even for read-only commands. */
  readonly isUntrusted?: boolean;
  /** Programs that the project brings under the name of a system's. */
  readonly ownPrograms?: readonly string[];
}

export interface Group {
  readonly rules: RuleSetName;
  readonly mode: Mode;
  readonly place: Place;
  readonly rows: readonly Row[];
}

/** Rows that are judged under the same rules, in the same mode and place. */
export function under(rules: RuleSetName, mode: Mode, rows: readonly Row[], place: Place = {}): Group {
  return { rules, mode, place, rows };
}
