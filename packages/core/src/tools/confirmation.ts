import type { AskedQuestion } from '../planning/questions.js';
import type { ApprovalMode } from '../policy/approval-mode.js';

/** What the person answered (S53). The string values are stable: they stand in session logs. */
export const ToolConfirmationOutcome = {
  ProceedOnce: 'proceed_once',
  /** Always, for the rest of this session. */
  ProceedAlways: 'proceed_always',
  /** Always, in this project: the rule that was shown is saved. */
  ProceedAlwaysProject: 'proceed_always_project',
  /** Run it with the content that the person changed. */
  ModifyWithEditor: 'modify_with_editor',
  /** Carry the plan out in the mode that was in force before plan mode. */
  RestorePrevious: 'restore_previous',
  Cancel: 'cancel',
} as const;
export type ToolConfirmationOutcome = (typeof ToolConfirmationOutcome)[keyof typeof ToolConfirmationOutcome];

/** What the person said beside the outcome. */
export interface ConfirmationWords {
  readonly feedback?: string;
  /** Their version of a plan. */
  readonly newContent?: string;
  /** By the place of the question; unchecked. */
  readonly answers?: readonly unknown[];
}

/** Called with the answer before the call goes on; a core-supplied one is used when a tool gives none (K23). */
export type OnConfirm = (outcome: ToolConfirmationOutcome, words?: ConfirmationWords) => Promise<void>;

interface ConfirmationBase {
  readonly title: string;
  /** What the model is told of a no, in whole sentences; the person's own words are put behind. */
  readonly refused?: string;
  readonly onConfirm?: OnConfirm;
}

export interface ToolExecuteConfirmationDetails extends ConfirmationBase {
  readonly type: 'exec';
  readonly command: string;
  /** The working directory, when it is not the workspace root. */
  readonly directory?: string;
}

export interface ToolEditConfirmationDetails extends ConfirmationBase {
  readonly type: 'edit';
  readonly fileDiff: string;
  /** Empty for a new file; null if no single text exists: several files, or a log that omits it. */
  readonly originalContent: string | null;
  readonly newContent: string;
  /** Present if the file does not exist yet. */
  readonly isNewFile?: true;
  readonly fileName?: string;
  readonly filePath?: string;
}

export interface ToolInfoConfirmationDetails extends ConfirmationBase {
  readonly type: 'info';
  readonly prompt: string;
  readonly urls?: readonly string[];
}

export interface ToolMcpConfirmationDetails extends ConfirmationBase {
  readonly type: 'mcp';
  readonly serverName: string;
  readonly toolName: string;
  readonly prompt?: string;
}

/** A way of saying yes to a plan: the mode in which it is carried out. */
export interface PlanChoice {
  readonly outcome: ToolConfirmationOutcome;
  readonly mode: ApprovalMode;
}

export interface ToolPlanConfirmationDetails extends ConfirmationBase {
  readonly type: 'plan';
  /** Markdown. The person may change it: `newContent` with a yes. */
  readonly plan: string;
  /** Absent: once, as for every call. */
  readonly choices?: readonly PlanChoice[];
}

/** Questions that are answered one by one, by `answers` with a yes. */
export interface ToolQuestionConfirmationDetails extends ConfirmationBase {
  readonly type: 'question';
  readonly questions: readonly AskedQuestion[];
}

export type ToolCallConfirmationDetails =
  | ToolExecuteConfirmationDetails
  | ToolEditConfirmationDetails
  | ToolInfoConfirmationDetails
  | ToolMcpConfirmationDetails
  | ToolPlanConfirmationDetails
  | ToolQuestionConfirmationDetails;
