import type { ToolRuntime } from '../runtime.js';
import { builtinTools } from '../tools/builtin-tools.js';
import { ToolNames } from '../tools/tool-names.js';

/** The names of the tools that Tenon itself brings. One that is registered beside them has no page and no rows in tables. */
export function ownToolNames(runtime: ToolRuntime): readonly string[] {
  return [...builtinTools(runtime).map(({ name }) => name), ToolNames.TOOL_SEARCH, ToolNames.MCP_RESOURCE];
}
