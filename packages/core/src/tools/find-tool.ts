import { plainToolName, serverOf, toolNamed } from '../policy/tool-aliases.js';
import { nearestNames } from '../util/nearest-names.js';
import { ToolNames } from './tool-names.js';

const BUILT_IN: ReadonlySet<string> = new Set(Object.values(ToolNames));

interface Named {
  readonly name: string;
}

/**
 * The tool that is meant by a name that no tool has: `mcp__alias__tool` is `alias__tool`, and a server's own name for its tool
 * is the tool where one server alone has it (K19). A name that a tool has is never looked up here, and the name of a built-in
 * tool means no other, also where that one is not offered.
 */
export function findTool<T extends Named>(name: string, tools: readonly T[]): T | undefined {
  const plain = plainToolName(name);
  if (plain !== name) return tools.find((tool) => tool.name === plain);
  if (BUILT_IN.has(name)) return undefined;
  const [only, ...others] = toolsCalled(name, tools);
  return others.length === 0 ? only : undefined;
}

/** Tools of servers that are called so by their own servers. */
function toolsCalled<T extends Named>(name: string, tools: readonly T[]): readonly T[] {
  const ending = `__${name}`;
  return tools.filter(
    (tool) => tool.name.endsWith(ending) && serverOf(tool.name)?.length === tool.name.length - ending.length,
  );
}

/** Beyond that a list of names is no help. */
const MOST_NAMES = 40;

/** For the model: what it may call in place of a tool that there is not; one sentence of bounded length. */
export function otherToolsHint(name: string, tools: readonly Named[]): string {
  const same = toolsCalled(ownName(name), tools).map((tool) => tool.name);
  if (same.length > 0) return `It may be one of ${listed(same)}.`;
  // Other agents and the screens use their own names for a tool.
  const meant = toolNamed(name);
  if (meant !== name && tools.some((tool) => tool.name === meant)) return `Here it is called ${meant}.`;
  const nearest = nearestNames(
    name,
    tools.map((tool) => tool.name),
  );
  if (nearest.length > 0) return `The nearest names are ${listed(nearest)}.`;
  const builtIn = tools.map((tool) => tool.name).filter((each) => serverOf(each) === undefined);
  const others = tools.length - builtIn.length;
  const rest = others > 0 ? ` and ${others} of servers` : '';
  return `The tools are ${listed(builtIn)}${rest}.`;
}

/** Without the server that it was looked for at. */
function ownName(name: string): string {
  const plain = plainToolName(name);
  return plain.slice((serverOf(plain)?.length ?? -2) + 2);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
