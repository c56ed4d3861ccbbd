import { count, loadAgentCatalogue, nearestName, type AgentCatalogue, type AgentDefinition } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import type { ExitCode } from '../exit-codes.js';
import { prepareSession, toolSystemOptions, type Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { catalogueCommand } from './catalogue-command.js';

/**
 * `tenon agents [list|show NAME|check] [--json]`: the kinds of agents that work can be handed to, one of them, or what is
 * wrong with files that describe some; `check` ends with 1 when something is.
 */
export function agentsCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  return catalogueCommand<AgentCatalogue>(surroundings, words, options, {
    noun: 'agent',
    one: 'an agent',
    read: async () => agentCatalogue(surroundings, await prepareSession(surroundings, options)),
    list: (catalogue) => ({ value: catalogue, text: agentsText(catalogue) }),
    check: ({ definitions, problems }) => ({ amount: definitions.length, problems, text: lines(problems) }),
    show: (name, catalogue) => {
      const definition = agentNamed(name, catalogue);
      return typeof definition === 'string' ? definition : { value: definition, text: agentText(definition) };
    },
  });
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
    ...(tools === undefined ? [] : [`Tools: ${tools.length === 0 ? 'none' : tools.join(', ')}`]),
    ...(maxTurns === undefined ? [] : [`At most ${count(maxTurns, 'turn')}.`]),
    ...(maxSeconds === undefined ? [] : [`At most ${count(maxSeconds, 'second')}.`]),
    ...(instructions === '' ? [] : ['', instructions.trimEnd()]),
    '',
  ].join('\n');
}

function lines(problems: readonly string[]): string {
  return problems.map((problem) => `  ${problem}\n`).join('');
}
