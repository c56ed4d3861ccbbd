import type { ToolRuntime } from '../runtime.js';
import type { AgentDefinition } from '../subagents/subagent-types.js';
import { toolFilter } from '../subagents/tool-filter.js';
import { builtinTools } from '../tools/builtin-tools.js';
import { ToolNames } from '../tools/tool-names.js';
import { ToolRegistry } from '../tools/tool-registry.js';

/** They change the mode of the session, or ask the person in place of the agent that talks with them. */
const NOT_FOR_SUBAGENTS: ReadonlySet<string> = new Set([
  ToolNames.EXIT_PLAN_MODE,
  ToolNames.ENTER_PLAN_MODE,
  ToolNames.ASK_USER,
]);
/** Whoever may run commands may look after those that it left running: it reaches no others. */
const WITH_THE_SHELL: ReadonlySet<string> = new Set([
  ToolNames.JOB_OUTPUT,
  ToolNames.JOB_INPUT,
  ToolNames.JOB_STOP,
  ToolNames.JOB_LIST,
]);

export interface AgentTools {
  readonly registry: ToolRegistry;
  close(): void;
}

interface ToolParts {
  readonly runtime: ToolRuntime;
  /** Of the agent above: what it has not, this one has not either. */
  readonly above: ToolRegistry;
  readonly definition: AgentDefinition;
}

/**
 * The tools of a subagent: the built-in ones made anew for it, those of servers and custom ones the same as above, as they come
 * and go there. Of all of them those that its definition lets it have.
 */
export function agentTools({ runtime, above, definition }: ToolParts): AgentTools {
  const registry = new ToolRegistry();
  const built = new Map(builtinTools(runtime).map((tool) => [tool.name, tool]));
  const mayHave = mayHaveTool(definition, runtime);
  const follow = (): void => {
    const wanted = above.getAllTools().filter(({ name }) => name !== ToolNames.TOOL_SEARCH && mayHave(name));
    const names = new Set(wanted.map(({ name }) => name));
    for (const { name } of registry.getAllTools())
      if (name !== ToolNames.TOOL_SEARCH && !names.has(name)) registry.removeTool(name);
    for (const theirs of wanted) {
      const tool = built.get(theirs.name) ?? theirs;
      if (registry.getTool(theirs.name) !== tool) registry.registerChecked(tool);
    }
  };
  follow();
  return { registry, close: above.onChange(follow) };
}

function mayHaveTool(definition: AgentDefinition, runtime: ToolRuntime): (name: string) => boolean {
  const isGranted = toolFilter(definition);
  const { tools, disallowedTools = [] } = definition;
  const isForbidden = toolFilter({ tools: disallowedTools });
  const hasShell = isGranted(ToolNames.SHELL);
  return (name) => {
    if (NOT_FOR_SUBAGENTS.has(name) && tools?.includes(name) !== true) return false;
    if (name === ToolNames.EXIT_PLAN_MODE || name === ToolNames.ENTER_PLAN_MODE) return false;
    if (name === ToolNames.TASK && runtime.getSubagents()?.refusal() !== undefined) return false;
    return isGranted(name) || (hasShell && WITH_THE_SHELL.has(name) && !isForbidden(name));
  };
}
