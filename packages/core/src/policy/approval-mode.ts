/** How much a session may do without asking (S55). From the strictest to the most permissive. */
export const ApprovalMode = {
  /** Nothing but reads, judged by effects. */
  PLAN: 'plan',
  DEFAULT: 'default',
  /** Writes inside the workspace go through without a question. */
  AUTO_EDIT: 'auto_edit',
  YOLO: 'yolo',
} as const;
export type ApprovalMode = (typeof ApprovalMode)[keyof typeof ApprovalMode];

/** The most that the administrator of the machine lets a session do without asking. */
export interface ApprovalCeiling {
  readonly mode: ApprovalMode;
  /** Where it is written, for people. */
  readonly origin: string;
}

/** True when the first lets more pass without a question than the second. */
export function isLooserMode(mode: ApprovalMode, than: ApprovalMode): boolean {
  const modes = Object.values(ApprovalMode);
  return modes.indexOf(mode) > modes.indexOf(than);
}

/** The mode of that name, or undefined. `auto-edit` is accepted for `auto_edit`. */
export function parseApprovalMode(text: string): ApprovalMode | undefined {
  const name = text.trim().toLowerCase().replaceAll('-', '_');
  return Object.values(ApprovalMode).find((mode) => mode === name);
}
