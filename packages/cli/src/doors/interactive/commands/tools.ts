import { joinSafe, nearestName, safeText, type Agent, type BaseTool, type Safe } from '@tenon/core';
import { safeBlock, safeLine } from '../../../ui/safe-lines.js';
import { jsonText } from '../../../ui/json-line.js';
import type { CommandBody } from './command-row.js';
import { block, completionsOf, say } from './lines.js';

/** `/tools [NAME]`: what the model may call, and what telling it of each costs in its window. */
export const toolsCommand: CommandBody = {
  run: async (typed, { agent }) => {
    const tools = agent.config.getToolRegistry().getAllTools();
    if (typed === '') return { shown: listOf(tools, costsOf(agent)) };
    const lower = typed.toLowerCase();
    const tool =
      tools.find(({ name }) => name === typed) ??
      tools.find(({ displayName }) => displayName.toLowerCase() === lower) ??
      agent.config.getToolRegistry().findTool(typed);
    if (tool !== undefined) return { shown: detailOf(tool, costsOf(agent)) };
    const held = agent.config.getToolRegistry().whyHeld(typed);
    if (held !== undefined) return say(held);
    const meant = nearestName(
      typed,
      tools.flatMap(({ name, displayName }) => [name, displayName]),
    );
    return say(`There is no tool "${typed}". ${meant === undefined ? '/tools lists them.' : `Did you mean ${meant}?`}`);
  },
  complete: async (typed, { agent }) =>
    completionsOf(
      agent.config
        .getToolRegistry()
        .getAllTools()
        .map(({ name, description }) => ({ word: name, detail: firstSentence(description) })),
      typed,
    ),
};

type Costs = ReadonlyMap<string, number>;

/** Estimated tokens by the tool's name; what is found by search only has none. */
function costsOf(agent: Pick<Agent, 'context'>): Costs {
  const parts = agent.context().parts.filter(({ kind, name }) => kind === 'tools' && name !== '');
  return new Map(parts.map(({ name, tokens }) => [name, tokens]));
}

function listOf(tools: readonly BaseTool[], costs: Costs): Safe {
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  const lines = tools.map(({ name, description }) => {
    const cost = costs.get(name);
    const told = cost === undefined ? 'by search' : `${cost} tokens`;
    return safeLine(`${name.padEnd(width)}  ${told.padStart(12)}  ${firstSentence(description)}`);
  });
  const sum = tools.reduce((all, { name }) => all + (costs.get(name) ?? 0), 0);
  const end = safeText`${tools.length} tools, about ${sum} tokens of the model's window with every request. /tools NAME shows one.`;
  return block([...lines, end]);
}

function detailOf(tool: BaseTool, costs: Costs): Safe {
  const cost = costs.get(tool.name);
  const told =
    cost === undefined
      ? 'Not in the window: the model finds it by search.'
      : `About ${cost} tokens of the model's window with every request.`;
  return joinSafe(
    [
      safeLine(`${tool.name} (${tool.displayName}, ${tool.kind})`),
      safeLine(told),
      safeText``,
      safeBlock(tool.description.trimEnd()),
      safeText``,
      safeText`Parameters`,
      safeBlock(jsonText(tool.schema)),
    ],
    safeText`\n`,
  );
}

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
