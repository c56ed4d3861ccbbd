import { count, loadAgentCatalogue, nearestName, type AgentCatalogue, type AgentDefinition } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import { prepareSession, toolSystemOptions, type Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

/**
 * `tenon agents [list|show NAME|check] [--json]`: the kinds of agents that work can be handed to, one of them, or what is
 * wrong with files that describe some; `check` ends with 1 when something is.
 */
export async function agentsCommand(
  surroundings: Surroundings,
  [action = 'list', name, ...rest]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const takesName = action === 'show';
  const isKnown = action === 'list' || action === 'check' || takesName;
  if (!isKnown || rest.length > 0 || (name === undefined) === takesName)
    throw usage('"tenon agents" takes list, show with the name of an agent, or check.');
  const catalogue = await agentCatalogue(surroundings, await prepareSession(surroundings, options));
  const { out } = surroundings;
  const say = (value: unknown, text: string): Promise<unknown> =>
    options.json ? out.writeData(jsonText(value)) : out.write(safeBlock(text));
  if (action === 'check') {
    const { problems, definitions } = catalogue;
    await say(
      problems,
      problems.length === 0 ? `${count(definitions.length, 'agent')}: nothing is wrong.\n` : lines(problems),
    );
    return problems.length === 0 ? ExitCode.OK : ExitCode.UNEXPECTED;
  }
  if (name === undefined) {
    await say(catalogue, agentsText(catalogue));
    return ExitCode.OK;
  }
  const definition = agentNamed(name, catalogue);
  if (typeof definition === 'string') throw usage(definition);
  await say(definition, agentText(definition));
  return ExitCode.OK;
}

/** As files describe them now. */
export function agentCatalogue(surroundings: Surroundings, preparation: Preparation): Promise<AgentCatalogue> {
  const { roots, userHome, tenonHome, agents } = toolSystemOptions(surroundings, preparation);
  const { isTrusted = false, extensions = [] } = agents ?? {};
  return loadAgentCatalogue({ roots, userHome, tenonHome, isTrusted, extensions });
}

/** The kind of that name, or a sentence where there is none. Pure. */
export function agentNamed(
  name: string,
  { definitions, withheld }: Pick<AgentCatalogue, 'definitions' | 'withheld'>,
): AgentDefinition | string {
  const wanted = name.toLowerCase();
  const found = definitions.find((each) => each.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const held = withheld.find((file) => file.toLowerCase().endsWith(`/${wanted}.md`));
  if (held !== undefined) return `${held} came with this folder, which is not trusted: nothing of it is read.`;
  const meant = nearestName(
    wanted,
    definitions.map((each) => each.name),
  );
  return `There is no agent ${JSON.stringify(name)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

const LONGEST_DESCRIPTION = 160;

/** All of them for people, also for a session's `/agents`; lines end with a line feed. Untrusted text. Pure. */
export function agentsText({ definitions, withheld, problems }: AgentCatalogue): string {
  return [
    'Work can be handed to:',
    ...definitions.map((definition) => `  ${lineOf(definition)}`),
    ...(withheld.length === 0 ? [] : ['Withheld, for this folder is not trusted (`tenon trust`):']),
    ...withheld.map((file) => `  ${file}`),
    ...(problems.length === 0 ? [] : ['Problems:', lines(problems).trimEnd()]),
    '',
  ].join('\n');
}

function lineOf(definition: AgentDefinition): string {
  const { name } = definition;
  const description = definition.description.replaceAll(/\s+/g, ' ').trim();
  const short =
    description.length > LONGEST_DESCRIPTION ? `${description.slice(0, LONGEST_DESCRIPTION - 1)}…` : description;
  return `${name}: ${short} (${factsOf(definition).join(', ')})`;
}

function factsOf({
  origin,
  extension,
  file,
  tools,
  disallowedTools,
  model,
  approvalMode,
  isBackground,
  isolation,
}: AgentDefinition): string[] {
  const who = { 'built-in': 'built in', user: 'yours', project: 'of the project' }[origin];
  const whose = extension === undefined ? who : `${who}, extension ${extension}`;
  return [
    file === undefined ? whose : `${whose}, ${file}`,
    tools === undefined ? 'all tools' : count(tools.length, 'tool'),
    ...(disallowedTools === undefined ? [] : [`without ${disallowedTools.join(', ')}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(approvalMode === undefined ? [] : [`${approvalMode} mode at most`]),
    ...(isBackground === true ? ['in the background'] : []),
    ...(isolation === undefined ? [] : ['in a worktree of its own']),
  ];
}

/** One of them with all that it is told. Pure. */
export function agentText(definition: AgentDefinition): string {
  const { name, description, tools, maxTurns, maxSeconds, instructions } = definition;
  return [
    `${name}: ${description}`,
    factsOf(definition).join(', '),
    ...(tools === undefined ? [] : [`Tools: ${tools.join(', ')}`]),
    ...(maxTurns === undefined ? [] : [`At most ${count(maxTurns, 'turn')}.`]),
    ...(maxSeconds === undefined ? [] : [`At most ${count(maxSeconds, 'second')}.`]),
    ...(instructions === '' ? [] : ['', instructions.trimEnd()]),
    '',
  ].join('\n');
}

function lines(problems: readonly string[]): string {
  return problems.map((problem) => `  ${problem}\n`).join('');
}
