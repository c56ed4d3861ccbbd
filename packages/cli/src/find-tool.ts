import { compileRules, nearestName, ToolDisplayNames, ToolNames, type BaseTool, type ToolSystem } from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';

/**
 * The tool that a person means: by the name that models use, the one on screens, or one that rules take (`Bash`,
 * `Read`, `LS`). @throws ExitFailure `USAGE` with the nearest name
 */
export function findTool(name: string, tools: readonly BaseTool[]): BaseTool {
  const found = lookUp(name, tools);
  if (found === undefined) throw unknownTool(name, tools);
  return found;
}

/**
 * The same, of servers and of the discovery command as well: what the name needs is started, and nothing else. `tell` gets
 * what went wrong with that.
 */
export async function findToolOf(
  { config, readyFor }: Pick<ToolSystem, 'config' | 'readyFor'>,
  name: string,
  tell: (notices: readonly string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<BaseTool> {
  const registry = config.getToolRegistry();
  const known = lookUp(name, registry.getAllTools());
  if (known !== undefined) return known;
  await tell(await readyFor([name], signal));
  const found = registry.findTool(name);
  if (found === undefined && registry.whyHeld(name) !== undefined)
    throw new ExitFailure(
      ExitCode.USAGE,
      `The tool "${name}" is held back until you accept what its server says now: \`tenon mcp accept\` shows it.`,
    );
  return found ?? findTool(name, registry.getAllTools());
}

function lookUp(name: string, tools: readonly BaseTool[]): BaseTool | undefined {
  const lower = name.toLowerCase();
  const wireName = nameInRules(name);
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.displayName.toLowerCase() === lower) ??
    tools.find((tool) => tool.name === wireName)
  );
}

/** What a rule of that name alone is about, as one tool. */
function nameInRules(name: string): string | undefined {
  const [rule] = compileRules([{ list: 'deny', text: name, origin: 'command line' }], { roots: [], home: '' }).rules;
  // With a specifier it is a rule, and no name.
  if (rule === undefined || rule.parsed.specifier !== undefined || rule.parsed.name !== name) return undefined;
  const { subject } = rule.parsed;
  if (subject.by === 'tool') return subject.prefix ? undefined : subject.name;
  switch (subject.effect) {
    case 'run':
      return ToolNames.SHELL;
    case 'read':
      return ToolNames.READ_FILE;
    case 'change':
      return name.toLowerCase() === 'write' ? ToolNames.WRITE_FILE : ToolNames.EDIT;
    case 'fetch':
    case 'delegate':
    case 'secret':
      return undefined;
    default:
      return subject.effect satisfies never;
  }
}

/** Names that rules take and screens do not show. */
const NAMES_IN_RULES = ['Bash', 'Read', 'Write', 'LS'];

/** Why one of Tenon's own, by either name, is not there; undefined for any other. */
function whyAbsent(name: string): string | undefined {
  const lower = name.toLowerCase();
  const shown = new Map(Object.entries(ToolDisplayNames));
  const own = Object.entries(ToolNames).find(
    ([key, known]) => known === lower || shown.get(key)?.toLowerCase() === lower,
  )?.[1];
  if (own === undefined) return undefined;
  if (own === ToolNames.MCP_RESOURCE)
    return 'It comes with a server that offers resources; `tenon mcp list` shows the servers.';
  return own === ToolNames.TOOL_SEARCH
    ? 'It comes when servers and programs bring more tools than fit into a request.'
    : 'It is not offered here; `tenon tools` lists those that are.';
}

function unknownTool(name: string, tools: readonly BaseTool[]): ExitFailure {
  const absent = whyAbsent(name);
  if (absent !== undefined) return new ExitFailure(ExitCode.USAGE, `There is no tool "${name}" here. ${absent}`);
  const meant = nearestName(name, [...tools.flatMap((tool) => [tool.name, tool.displayName]), ...NAMES_IN_RULES]);
  const hint = meant === undefined ? '`tenon tools` lists them.' : `Did you mean ${meant}?`;
  return new ExitFailure(ExitCode.USAGE, `There is no tool "${name}". ${hint}`);
}
