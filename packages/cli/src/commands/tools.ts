import { createToolSystem, toolSource, type BaseTool, type ToolSystemOptions } from '@tenon/core';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { findToolOf } from '../find-tool.js';
import { warn } from '../ui/say.js';
import { jsonText } from '../ui/json-line.js';
import type { Surroundings } from '../surroundings.js';
import { safeBlock } from '../ui/safe-lines.js';

/** The origin that tools of the discovery command report. */
const DISCOVERED = 'discovered';

/**
 * `tenon tools [NAME|list|show NAME] [--json]`: lists the tools that the model gets, and their origin. Runs the discovery command. A server
 * is listed by name alone, because listing its tools would start it.
 */
export async function toolsCommand(
  { out, err, exits }: Surroundings,
  options: ToolSystemOptions,
  words: readonly string[],
  json: boolean,
): Promise<ExitCode> {
  const name = nameIn(words);
  const system = await createToolSystem(options);
  const takeOff = exits.register(system.endCommands);
  const list = async (tools: readonly BaseTool[]): Promise<void> => {
    await (json ? out.writeData(jsonText(tools.map(describe))) : out.write(safeBlock(listText(tools))));
  };
  try {
    await warn(err, system.notices);
    const registry = system.config.getToolRegistry();
    const servers = options.mcp?.servers.map(({ alias }) => alias) ?? [];
    if (name === undefined) {
      if (options.discovery !== undefined) await warn(err, await system.readyFor([DISCOVERED], out.closed));
      await list(registry.getAllTools());
      if (servers.length > 0 && !json)
        await err.write(safeBlock(`\nTools of servers: \`tenon tools NAME\` (${servers.join(', ')}).\n`));
    } else if (servers.includes(name) && registry.getTool(name) === undefined) {
      await warn(err, await system.readyFor([name], out.closed));
      await list(registry.getAllTools().filter(({ from }) => from === name));
    } else {
      const tool = await findToolOf(system, name, (notices) => warn(err, notices), out.closed);
      await (json ? out.writeData(jsonText(describe(tool))) : out.write(safeBlock(toolText(tool))));
    }
    return ExitCode.OK;
  } finally {
    await system.close();
    takeOff();
  }
}

/** Undefined: all of them. @throws ExitFailure `USAGE` */
function nameIn([first, second]: readonly string[]): string | undefined {
  if (first === 'show' && second !== undefined) return second;
  if (first === 'list' && second === undefined) return undefined;
  if (second === undefined) return first;
  throw new ExitFailure(ExitCode.USAGE, 'tenon tools takes a name, or: list, show NAME, check FILE.');
}

function listText(tools: readonly BaseTool[]): string {
  const width = Math.max(...tools.map((tool) => tool.name.length));
  return tools
    .map((tool) => `${tool.name.padEnd(width)}  ${firstSentence(tool.description)}${placeText(tool)}\n`)
    .join('');
}

function describe(tool: BaseTool): object {
  const { name, displayName, kind, description, schema } = tool;
  return { name, displayName, kind, description, parameters: schema, source: sourceOf(tool) };
}

/** Where it is from: built in, of a file, or of another program. */
function sourceOf(tool: BaseTool): object {
  const file = toolSource(tool);
  if (file !== undefined) return { kind: 'file', ...file };
  return tool.from === undefined ? { kind: 'built-in' } : { kind: 'program', from: tool.from };
}

function placeText(tool: BaseTool): string {
  const file = toolSource(tool);
  if (file !== undefined) {
    const of = file.extension === undefined ? '' : `, extension ${file.extension}`;
    return ` (${file.origin === 'user' ? 'yours' : "the project's"}${of}: ${file.file})`;
  }
  if (tool.from === undefined) return '';
  return tool.from === DISCOVERED ? ' (of the discovery command)' : ` (of ${tool.from})`;
}

function toolText(tool: BaseTool): string {
  const head = `${tool.name} (${tool.displayName}, ${tool.kind})${placeText(tool)}`;
  return `${head}\n\n${tool.description}\n\nParameters\n${jsonText(tool.schema)}`;
}

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
