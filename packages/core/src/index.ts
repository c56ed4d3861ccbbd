// The public face of @tenon/core. Every name is listed; `index.test.ts` pins the list.
export type {
  Agent,
  AgentOptions,
  ContextPart,
  ContextReport,
  PromptOptions,
  RewindPoint,
  RewindReport,
  SessionSource,
  SessionUsage,
  TokenPrices,
  ToolSystem,
  ToolSystemOptions,
} from './agent-types.js';
export { createAgent, createToolSystem } from './create-agent.js';
export { prepareFirstCalls } from './session/begin-work.js';
export { openAgent } from './client/open-agent.js';
export type { AskOptions, EmbeddedAgent, Host, OpenAgentOptions, Reply, SendOptions } from './client/client-types.js';
export { readAnswerSchema, type AnswerSchema } from './client/answer-schema.js';
export { endingWithAnswer } from './client/answer-tool.js';
export { askForAnswer, type Answered, type AnswerRequest } from './client/ask-for-answer.js';
export { replyOf } from './client/reply.js';
export { settingsOptions } from './client/settings-options.js';
export { findMentions } from './agent/mentions.js';
export type { AgentEvent, Denial, JobEvent, StopReason, SubagentEvent } from './agent/events.js';
export type { AgentServers, PromptRequest, ServerOverview, ServerPrompt } from './extensions/extension-types.js';
export { Config, type ConfigOptions } from './config/config.js';
export { memoryOverview, reloadMemory } from './memory/memory-overview.js';
export { explainVariable, secretsOverview, type SecretsOverview } from './secrets/describe-secrets.js';
export type { KnownSecret } from './secrets/known-secret.js';
export type { SecretSettings } from './secrets/secret-settings.js';
export { openSecrets } from './session/open-secrets.js';
export type { MemorySettings } from './memory/memory.js';
export type { LeftOutFile, MemoryNotice, MemoryOverview, OverviewFile } from './memory/memory-types.js';
export {
  findInstalledParts,
  findLanguageParts,
  type InstalledPart,
  type LanguageParts,
} from './config/installed-parts.js';
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
  PlanDisplay,
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
  ToolQuestionConfirmationDetails,
  ToolResult,
  ToolResultDisplay,
  UpdateOutput,
} from './tools/tools.js';
export { isModifiableTool, type ModifiableDeclarativeTool, type ModifyContext } from './tools/modifiable-tool.js';
export { ToolRegistry, type AnyTool, type FunctionDeclaration } from './tools/tool-registry.js';

// The built-in tools, as document B names them.
export { ApplyPatchTool, type ApplyPatchToolParams } from './tools/apply-patch.js';
export { AskUserTool, type AskUserToolParams } from './tools/ask-user.js';
export { EditTool, type EditToolParams, type EditToolParams as EditParams } from './tools/edit.js';
export { EnterPlanModeTool, type EnterPlanModeToolParams } from './tools/enter-plan-mode.js';
export { ExitPlanModeTool, type ExitPlanModeToolParams } from './tools/exitPlanMode.js';
export { GlobTool, type GlobToolParams, type GlobToolParams as GlobParams } from './tools/glob.js';
export { GrepTool } from './tools/grep.js';
export type { GrepToolParams, GrepToolParams as GrepParams } from './tools/grep-params.js';
export { JobInputTool, type JobInputToolParams } from './tools/job-input.js';
export { JobListTool } from './tools/job-list.js';
export { JobOutputTool, type JobOutputToolParams } from './tools/job-output.js';
export { JobStopTool, type JobStopToolParams } from './tools/job-stop.js';
export { LSTool } from './tools/ls.js';
export type { ListDirectoryToolParams, ListDirectoryToolParams as ListDirectoryParams } from './tools/ls.js';
export { LspTool } from './tools/lsp.js';
export type { LspToolParams } from './tools/lsp/lsp-params.js';
export { McpResourceTool, type McpResourceToolParams } from './tools/mcp-resource.js';
export { MemoryTool, type MemoryToolParams } from './tools/memoryTool.js';
export { ReadFileTool } from './tools/read-file.js';
export type { ReadFileToolParams, ReadFileToolParams as ReadFileParams } from './tools/read-file.js';
export { ReadManyFilesTool, type ReadManyFilesToolParams } from './tools/read-many-files.js';
export { ShellTool } from './tools/shell.js';
export type { ShellToolParams } from './tools/shell-params.js';
export { SkillTool, type SkillToolParams } from './tools/skill.js';
export { TaskTool, type TaskToolParams } from './tools/task.js';
export { TodoWriteTool, type TodoWriteToolParams } from './tools/todoWrite.js';
export { ToolSearchTool, type ToolSearchToolParams } from './tools/tool-search.js';
export { WebFetchTool } from './tools/web-fetch.js';
export type { WebFetchToolParams } from './tools/web-fetch-params.js';
export { WebSearchTool } from './tools/web-search.js';
export type { WebSearchToolParams } from './tools/web-search-run.js';
export { getCorrectedFileContent, WriteFileTool } from './tools/write-file.js';
export type { WriteFileToolParams, WriteFileToolParams as WriteFileParams } from './tools/write-file.js';
export { DiscoveredTool } from './tools/discovered-tool.js';
export { DiscoveredMCPTool } from './tools/mcp-tool.js';

// Tools as plain data.
export { defineTool } from './tools/defined/define-tool.js';
export type {
  DefinedToolSource,
  StatedEffect,
  ToolAnswer,
  ToolCall,
  ToolDefinition,
  ToolPlace,
} from './tools/defined/tool-definition.js';
export { toolSource, type ToolSource } from './extensions/custom-tools/custom-tool.js';
export type { CustomToolOptions } from './extensions/custom-tools/wire-custom-tools.js';
export type { GuardedStream } from './extensions/custom-tools/guard.js';
export type { ToolFolder } from './trust/tool-files.js';

export { ToolDisplayNames, ToolNames } from './tools/tool-names.js';

export type {
  AskEffect,
  DelegateEffect,
  Effect,
  FetchEffect,
  ForeignEffect,
  PathEffect,
  RunEffect,
  UnknownEffect,
  Zone,
} from './effects/effect.js';
export { describeEffect } from './effects/describe.js';

export { ApprovalMode, isLooserMode, parseApprovalMode, type ApprovalCeiling } from './policy/approval-mode.js';
export { compileRules } from './policy/compile-rules.js';
export { decide } from './policy/decide.js';
export { denialAdvice } from './policy/denial-advice.js';
export { explain, explainCall, type ExplainedEffect, type Explanation } from './policy/explain.js';
export type { Grant, Grants } from './policy/grants.js';
export type { FindingKind, RuleFinding } from './policy/lint-rules.js';
export type { CheckedExamples, FailedExample } from './policy/rule-examples.js';
export { mayNameAny, nameProblem, narrowProblem, serverProblem } from './policy/rule-names.js';
export type { RuleChoice } from './policy/suggest-rules.js';
export { ruleText, type Rule, type RuleList } from './policy/rule.js';
export type { ShellProgram } from './process/shell-program.js';
export type { Decision, EffectVerdict, PolicyCall, PolicyContext, Verdict } from './policy/verdict.js';

export type { ApprovalAnswer, ApprovalRequest, Approver } from './scheduler/approval.js';
export type { AnsweredQuestion, AskedAnswer, AskedOption, AskedQuestion } from './planning/questions.js';
export type { ApprovedPlan } from './planning/planning.js';
export type { PlanChoice } from './tools/confirmation.js';
export type { CallEvent, CallStatus } from './scheduler/call-events.js';
export type { CallRequest } from './scheduler/prepare-call.js';

export type { CallContext } from './effects/call-context.js';
export { createFileDiff } from './files/diff.js';
export type { ChangedFile, CommandChanges, FileChanges, TextChange } from './files/file-changes.js';
export type { HostFiles } from './files/host-files.js';
export type { CommandViewer, WatchedCommand, WatchedEnd } from './process/command-viewer.js';
export type { FileVersions } from './files/file-versions.js';
export type { FileService, FileSystemService, WorkspaceContext } from './files/workspace-types.js';

export type {
  FinishReason,
  MediaBlock,
  Message,
  ModelEvent,
  ModelFailureInfo,
  ModelPort,
  ModelRequest,
  ModelTool,
  TextBlock,
  ThinkingBlock,
  TokenUsage,
  ToolCallBlock,
  ToolResultBlock,
} from './models/model.js';
export { ModelError } from './models/model-error.js';
export { createModel } from './models/create-model.js';
export type { KeyCommandPlace } from './client/ask-for-key.js';
export { withKeyCommand } from './client/key-command.js';
export { listModels } from './models/list-models.js';
export { modelSettingsOf, requestOptionsOf } from './settings/model-options.js';
export { REASONING_EFFORTS, type ReasoningEffort } from './models/reasoning-effort.js';
export { resolveModelChoice, type ModelChoice, type ModelSettings } from './models/model-settings.js';
export { findLocalServers, type LocalServer } from './models/local-servers.js';

export type { LineRange } from './journal/merge-text.js';
export type { RevertedFile } from './journal/revert.js';
export type { Selection } from './journal/select-entries.js';
export type { ChangeDiff, ChangeLog, LoggedChanges, RevertOptions, RevertReport, Undo } from './journal/undo.js';
export type { ChangedPath, DiffedPath, LoggedCall } from './journal/undo-log.js';
export { examineCall, type ExaminationServices, type ExaminedCall, type SupposedCall } from './session/examine-call.js';
export { projectFolders, type ProjectFolders } from './session/project-folders.js';
export type { AgentDefinition, BackgroundSubagent, SubagentReport } from './subagents/subagent-types.js';
export { loadAgentCatalogue, type AgentCatalogue } from './delegation/agent-catalogue.js';
export { agentLabel } from './delegation/agent-label.js';
export { loadAgentLogs, type AgentLog, type AgentLogEntry } from './session/agent-logs.js';
export {
  auditTrail,
  type AuditedAgent,
  type AuditedApproval,
  type AuditedCall,
  type AuditStep,
} from './session/audit-trail.js';
export { findSessionFile, type SessionsPlace } from './session/find-session.js';
export { collectStats, type StatsRequest } from './telemetry/stats/collect-stats.js';
export type { ModelStats, SessionStats, ToolStats } from './telemetry/stats/stats-types.js';
export { probeTelemetry, type ProbedTelemetry } from './telemetry/probe-telemetry.js';
export type { TelemetryOptions } from './telemetry/telemetry-options.js';
export { lastSession, listSessions, type LastSession, type SessionSummary } from './session/list-sessions.js';
export { projectRoots } from './session/project-roots.js';
export { openGrants } from './session/open-grants.js';
export { openToolPins } from './session/open-tool-pins.js';
export type { PendingChange } from './mcp/catalog/pins-file.js';
export { mcpServerPart } from './mcp/catalog/tool-names.js';
export { openUndo, type OpenUndoOptions } from './session/open-undo.js';
export { findRuleFaults, testRuleExamples } from './session/rule-checks.js';
export {
  recordedCalls,
  simulateSession,
  type Judgement,
  type RecordedCall,
  type SimulatedCall,
  type Simulation,
} from './session/simulate-session.js';
export { prepareReplay, type PreparedReplay, type ReplayPlace } from './session/prepare-replay.js';
export {
  replaySession,
  type Outcome,
  type PlayedCall,
  type ReplayedCall,
  type ReplayServices,
} from './session/replay-session.js';
export { loadSessionLog, type LoggedEvent } from './session/session-log.js';
export {
  verifyAgents,
  verifySession,
  type AgentVerification,
  type LogFault,
  type SessionVerification,
} from './session/verify-session.js';
export { signInAtServer, signOutOfServer } from './mcp/auth/sign-in.js';
export { aliasText, describeServer, redactServer } from './mcp/describe-definition.js';
export { readDefinition, type DefinitionContext, type ReadDefinition } from './mcp/read-definitions.js';
export type { McpClients, McpServer, QuestionAnswer, ServerList, ServerState, ServerStatus } from './mcp/mcp-types.js';
export type { Asker, PersonQuestion } from './mcp/questions/asker.js';
export { readFieldText } from './mcp/questions/check-answer.js';
export type { FormField } from './mcp/questions/form-field.js';
export type { ServerDefinition, ServerOrigin } from './mcp/server-definition.js';
export type { ExtensionSettings } from './settings/extension-settings.js';
export type { ConfiguredServer } from './settings/gather-servers.js';
export { isSameServer } from './settings/foreign-definition.js';
export {
  readForeignServers,
  type ForeignContext,
  type ForeignFile,
  type ForeignServer,
  type ForeignSource,
} from './settings/foreign-servers.js';
export type { NeededVariable } from './settings/foreign-variables.js';
export { extensionPlaces } from './settings/extensions/extension-places.js';
export type { Extension, FoundExtension } from './settings/extensions/extension-types.js';
export { installExtension, readExtensionFolder, uninstallExtension } from './settings/extensions/install-extension.js';
export { writeSetting, type SettingChange } from './settings/write-setting.js';
export { loadSettings, type LoadedSettings, type SettingsPlaces } from './settings/load-settings.js';
export type { ManagedPlace } from './settings/managed-place.js';
export { managedRefusal } from './settings/managed-values.js';
export type { SettingValues } from './settings/merge-layers.js';
export { createFetch, type Fetcher } from './network/create-fetch.js';
export { nearestName } from './util/nearest-names.js';
export { SEARCH_PROVIDERS } from './web/search/provider-table.js';
export type { SearchSettings } from './web/search/read-providers.js';
export { SETTINGS, type RuleSetting } from './settings/schema.js';
export { checkValue as checkSettingValue } from './settings/check-value.js';
export { readToml } from './settings/read-toml.js';
export type { OfferedTools } from './settings/tool-lists.js';

// What may reach a terminal.
export { approvalView } from './screen/approval-view.js';
export { countDiff, diffHunks, diffLines, diffView, type DiffHunk, type DiffLine } from './screen/diff-view.js';
export { changedWords, type ChangedWords, type WordPart } from './screen/diff-words.js';
export { imageSize } from './files/image-size.js';
export { imageLines, type ImageProtocol, type ShownImage } from './screen/image-lines.js';
export { joinSafe, makeSafe, safeText, sliceSafe, splitLines, type Safe } from './screen/safe-text.js';
export { shortenText } from './screen/shorten.js';
export { createPainter, type Painter } from './screen/style.js';
export { paintLook, type Colour, type TextLook } from './screen/text-look.js';
export { blanks, displayWidth, padToWidth, truncateToWidth } from './screen/width.js';
export { sliceColumns, wrapSafe, type WrapOptions } from './screen/wrap.js';

// Tools for clients that come by MCP.
export { serveHttp, type HttpOptions, type HttpServing } from './mcp/server/serve-http.js';
export { serveStream } from './mcp/server/serve-stream.js';
export type { StreamEnds } from './mcp/server/stream-transport.js';
export type {
  ApprovalQuestion,
  ApprovalReply,
  CallSurroundings,
  QuestionField,
  ServedCall,
  ServedClient,
  ServedPart,
  ServedResource,
  ServedResult,
  ServedTool,
  ServedTools,
  ServedWorkspace,
  ToolHints,
} from './mcp/server/served-tools.js';

// Hooks.
export { functionHook, type FunctionHookOptions, type HookReply } from './hooks/function-hook.js';
export type { HookDefinition, HookEventName, HookInput, HookOptions, HookRunEvent } from './hooks/hook-types.js';

export { listWorkspaceFiles, type WorkspaceFiles } from './search/list-workspace-files.js';
export { readOwnerFile, withFileLock } from './util/owner-file.js';
export { whenAborted } from './util/abort.js';
export { count } from './util/count.js';
export { fenced } from './util/fenced.js';
export { skillsOfProject } from './skills/skills-of-project.js';
export { saySkill, skillsOverview } from './skills/skills-overview.js';
export type { SaidSkill } from './skills/skills-overview.js';
export type { SkillSettings } from './skills/skill-places.js';
export type {
  ListedSkill,
  Skill,
  SkillOrigin,
  SkillPlace,
  SkillProblem,
  SkillState,
  SkillsOverview,
  WithheldSkill,
} from './skills/skill-types.js';
export { readFrontMatter } from './util/front-matter.js';
export type { FrontMatter } from './util/front-matter.js';
export { Failure, errorMessage } from './util/failure.js';
export { shellWord } from './util/shell-word.js';
