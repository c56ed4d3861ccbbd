import { DefinedTool } from './defined-tool.js';
import { MAKE_TOOL, type DefinedToolSource, type ToolDefinition } from './tool-definition.js';

/** Makes a tool from plain data, for every place that accepts tools. The parameter types of all its methods follow from one. */
export function defineTool<TParams extends object = Record<string, unknown>>(
  definition: ToolDefinition<TParams>,
): DefinedToolSource<TParams> {
  return { ...definition, [MAKE_TOOL]: (given, runtime) => new DefinedTool(given, runtime) };
}
