/** `@tenon/core/testing`: what tests of tools, agents and doors need, all of it real but the model and the person. */
export { checkTool, conformanceCases } from './conformance/conformance-cases.js';
export { checkToolFile, type CheckedFile, type CheckedTool } from './conformance/check-tool-file.js';
export { ConformanceError } from './conformance/conformance-types.js';
export type {
  ConformanceCase,
  ConformanceOptions,
  ConformancePlace,
  ConformanceResult,
  ToolSubject,
} from './conformance/conformance-types.js';
export { createFakeApprover } from './fake-approver.js';
export type { FakeApprover, ScriptedApproval } from './fake-approver.js';
export { createFakeClock } from './fake-clock.js';
export type { FakeClock } from './fake-clock.js';
export { startScriptedModel } from './scripted-model-server.js';
export type { ScriptedModel, ScriptedModelOptions } from './scripted-model-server.js';
export type {
  ChatRequestBody,
  RecordedMessage,
  RecordedRequest,
  ScriptedError,
  ScriptedToolCall,
  ScriptedTurn,
  TurnFunction,
} from './scripted-turn.js';
export { createTempConfig } from './temp-config.js';
export type { TempConfig, TempConfigOptions } from './temp-config.js';
export { createTempWorkspace } from './temp-workspace.js';
export type { TempWorkspace, WorkspaceEntry } from './temp-workspace.js';
