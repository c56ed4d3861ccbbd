import { createToolSystem, type BaseTool, type ToolSystemOptions } from '@tenon/core';
import { ExitCode } from '../exit-codes.js';
import { findTool } from '../find-tool.js';
import { jsonText } from '../ui/json-line.js';
import type { Surroundings } from '../surroundings.js';
import { safeBlock } from '../ui/safe-lines.js';

/** `tenon tools [NAME] [--json]`: what the model is offered. */
export async function toolsCommand(
  { out }: Surroundings,
  options: ToolSystemOptions,
  name: string | undefined,
  json: boolean,
): Promise<ExitCode> {
  const system = await createToolSystem(options);
  try {
    const tools = system.config.getToolRegistry().getAllTools();
    if (name !== undefined) {
      const tool = findTool(name, tools);
      await (json ? out.writeData(jsonText(describe(tool))) : out.write(safeBlock(toolText(tool))));
    } else if (json) {
      await out.writeData(jsonText(tools.map(describe)));
    } else {
      const width = Math.max(...tools.map((tool) => tool.name.length));
      const lines = tools.map((tool) => `${tool.name.padEnd(width)}  ${firstSentence(tool.description)}\n`);
      await out.write(safeBlock(lines.join('')));
    }
    return ExitCode.OK;
  } finally {
    await system.close();
  }
}

function describe(tool: BaseTool): object {
  const { name, displayName, kind, description, schema } = tool;
  return { name, displayName, kind, description, parameters: schema };
}

function toolText(tool: BaseTool): string {
  const head = `${tool.name} (${tool.displayName}, ${tool.kind})`;
  return `${head}\n\n${tool.description}\n\nParameters\n${jsonText(tool.schema)}`;
}

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
