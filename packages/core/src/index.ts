// The public face of @tenon/core. Every name is listed; `index.test.ts` pins the list.
export type { Agent, AgentOptions, PromptOptions, ToolSystem, ToolSystemOptions } from './agent-types.js';
export { createAgent, createToolSystem } from './create-agent.js';
export { findMentions } from './agent/mentions.js';
export type { AgentEvent, Denial, StopReason } from './agent/events.js';
export { Config, type ConfigOptions } from './config/config.js';
export type { ToolRuntime } from './runtime.js';

export {
  BaseDeclarativeTool,
  BaseTool,
  BaseToolInvocation,
  Kind,
  RunInvocation,
  TodoStatus,
  ToolConfirmationOutcome,
  ToolError,
  ToolErrorType,
  failedResult,
  toParts,
} from './tools/tools.js';
export type {
  FileDiff,
  InlineDataPart,
  OnConfirm,
  Part,
  PartListUnion,
  PartUnion,
  ProgressDisplay,
  TextPart,
  TodoItem,
  TodoListDisplay,
  ToolCallConfirmationDetails,
  ToolEditConfirmationDetails,
  ToolExecuteConfirmationDetails,
  ToolInfoConfirmationDetails,
  ToolInvocation,
  ToolLocation,
  ToolMcpConfirmationDetails,
  ToolPlanConfirmationDetails,
  ToolResult,
  ToolResultDisplay,
  UpdateOutput,
} from './tools/tools.js';
export { isModifiableTool, type ModifiableDeclarativeTool, type ModifyContext } from './tools/modifiable-tool.js';
export { ToolRegistry, type FunctionDeclaration } from './tools/tool-registry.js';
export { ToolDisplayNames, ToolNames } from './tools/tool-names.js';

export type {
  AskEffect,
  DelegateEffect,
  Effect,
  FetchEffect,
  PathEffect,
  RunEffect,
  UnknownEffect,
  Zone,
} from './effects/effect.js';
export { describeEffect } from './effects/describe.js';

export { ApprovalMode, parseApprovalMode } from './policy/approval-mode.js';
export { compileRules } from './policy/compile-rules.js';
export { decide } from './policy/decide.js';
export { explain } from './policy/explain.js';
export type { Rule, RuleList } from './policy/rule.js';
export { suggestToolName } from './policy/tool-aliases.js';
export type { Decision, EffectVerdict, PolicyCall, PolicyContext, Verdict } from './policy/verdict.js';

export type { ApprovalAnswer, ApprovalRequest, Approver } from './scheduler/approval.js';
export type { CallEvent, CallStatus } from './scheduler/call-events.js';
export type { CallRequest } from './scheduler/prepare-call.js';

export type { CallContext } from './effects/call-context.js';
export { createFileDiff } from './files/diff.js';
export type { ChangedFile, CommandChanges, FileChanges, TextChange } from './files/file-changes.js';
export type { FileVersions } from './files/file-versions.js';
export type { FileService, FileSystemService, WorkspaceContext } from './files/workspace-types.js';

export type {
  FinishReason,
  Message,
  ModelEvent,
  ModelFailureInfo,
  ModelPort,
  ModelRequest,
  ModelTool,
  TokenUsage,
} from './models/model.js';
export { ModelError } from './models/model-error.js';
export { createModel } from './models/create-model.js';
export { resolveModelChoice, type ModelChoice, type ModelSettings } from './models/model-settings.js';
export { findLocalServers, type LocalServer } from './models/local-servers.js';

export type { LineRange } from './journal/merge-text.js';
export type { RevertedFile } from './journal/revert.js';
export type { Selection } from './journal/select-entries.js';
export type { ChangeDiff, ChangeLog, LoggedChanges, RevertOptions, RevertReport, Undo } from './journal/undo.js';
export type { ChangedPath, DiffedPath, LoggedCall } from './journal/undo-log.js';
export { openUndo, type OpenUndoOptions } from './session/open-undo.js';
export { loadSessionLog, type LoggedEvent } from './session/session-log.js';
export { loadSettings, type LoadedSettings } from './settings/load-settings.js';
export type { SettingValues } from './settings/merge-layers.js';
export { nearestName } from './util/nearest-names.js';
export { SETTINGS } from './settings/schema.js';

// What may reach a terminal.
export { approvalView } from './screen/approval-view.js';
export { countDiff, diffView } from './screen/diff-view.js';
export { joinSafe, makeSafe, safeText, splitLines, type Safe } from './screen/safe-text.js';
export { shortenText } from './screen/shorten.js';
export { createPainter, type Painter } from './screen/style.js';

export { Failure, errorMessage } from './util/failure.js';
