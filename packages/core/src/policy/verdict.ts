import type { Effect } from '../effects/effect.js';
import type { ApprovalMode } from './approval-mode.js';
import type { Rule } from './rule.js';
import type { Untrusted } from './untrusted-content.js';

export type Decision = 'allow' | 'ask' | 'deny';

/** What is judged: the tool's name and everything the call would do. */
export interface PolicyCall {
  readonly toolName: string;
  readonly effects: readonly Effect[];
}

/** What it is judged by. */
export interface PolicyContext {
  readonly mode: ApprovalMode;
  readonly rules: readonly Rule[];
  /** Canonical workspace roots; relative path specifiers are relative to the first. */
  readonly roots: readonly string[];
  /** The user's home folder, for `~/` in specifiers. */
  readonly home: string;
  /** Canonical folders in which every file is a control file, whatever its name: Tenon's own. */
  readonly controlFolders?: readonly string[];
  /** Canonical folders of skills that were called: a script of theirs that a command runs is not taken for a file that it writes. */
  readonly skillFolders?: readonly string[];
  /** Content from strangers that the model has read; absent where there is none, or where nobody minds. */
  readonly untrusted?: Untrusted;
}

/** The decision for one effect (or for the call as a whole, when `effect` is absent), and what decided it. */
export interface EffectVerdict {
  readonly effect?: Effect;
  readonly decision: Decision;
  readonly reason: string;
  readonly rule?: Rule;
}

/** The decision for the call: the strictest of its effects', with the one that won first. */
export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
  readonly rule?: Rule;
  readonly parts: readonly EffectVerdict[];
}
