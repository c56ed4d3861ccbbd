import type { ToolRuntime } from '../runtime.js';
import { builtinTools } from '../tools/builtin-tools.js';
import { ToolNames } from '../tools/tool-names.js';

/** Returns the names of Tenon's own tools. A tool that is registered beside them has no page and no rows in tables. */
export function ownToolNames(runtime: ToolRuntime): readonly string[] {
  return [...builtinTools(runtime).map(({ name }) => name), ToolNames.TOOL_SEARCH, ToolNames.MCP_RESOURCE];
}
