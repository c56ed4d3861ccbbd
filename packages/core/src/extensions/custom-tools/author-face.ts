// What tools in files find under the name `@tenon/core`: the part of the library that tools are made of, the very one that
// runs. Its types are those of the whole library.
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
} from '../../tools/tools.js';
export { isModifiableTool } from '../../tools/modifiable-tool.js';
export { ToolDisplayNames, ToolNames } from '../../tools/tool-names.js';
export { ApprovalMode } from '../../policy/approval-mode.js';
export { describeEffect } from '../../effects/describe.js';
export { createFileDiff } from '../../files/diff.js';
export { nearestName } from '../../util/nearest-names.js';
export { whenAborted } from '../../util/abort.js';
export { count } from '../../util/count.js';
export { Failure, errorMessage } from '../../util/failure.js';
export { shellWord } from '../../util/shell-word.js';
export { defineTool } from '../../tools/defined/define-tool.js';
