/** What the person answered (S53). The string values are stable: they stand in session logs. */
export const ToolConfirmationOutcome = {
  ProceedOnce: 'proceed_once',
  /** Always, for the rest of this session. */
  ProceedAlways: 'proceed_always',
  /** Always, in this project: the rule that was shown is saved. */
  ProceedAlwaysProject: 'proceed_always_project',
  /** Run it with the content that the person changed. */
  ModifyWithEditor: 'modify_with_editor',
  Cancel: 'cancel',
} as const;
export type ToolConfirmationOutcome = (typeof ToolConfirmationOutcome)[keyof typeof ToolConfirmationOutcome];

/** Called with the answer before the call goes on; a core-supplied one is used when a tool gives none (K23). */
export type OnConfirm = (outcome: ToolConfirmationOutcome) => Promise<void>;

interface ConfirmationBase {
  readonly title: string;
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
  /** Null for a file that does not exist yet. */
  readonly originalContent: string | null;
  readonly newContent: string;
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

export interface ToolPlanConfirmationDetails extends ConfirmationBase {
  readonly type: 'plan';
  readonly plan: string;
}

export type ToolCallConfirmationDetails =
  | ToolExecuteConfirmationDetails
  | ToolEditConfirmationDetails
  | ToolInfoConfirmationDetails
  | ToolMcpConfirmationDetails
  | ToolPlanConfirmationDetails;
