import { loadDefinitions, type DefinitionPlaces } from '../subagents/load-definitions.js';
import type { AgentDefinition } from '../subagents/subagent-types.js';
import { BUILT_IN_AGENTS } from './built-in-agents.js';

/** All kinds of agents that work can be handed to. */
export interface AgentCatalogue {
  /** In the order in which models see them. */
  readonly definitions: readonly AgentDefinition[];
  /** Files of a folder that nobody trusts: nothing of them was read. Absolute. */
  readonly withheld: readonly string[];
  /** What was found wrong with files that describe agents, a sentence each. */
  readonly problems: readonly string[];
}

/** The built-in kinds, and those that files describe, as they are now. Never throws. */
export async function loadAgentCatalogue(places: DefinitionPlaces): Promise<AgentCatalogue> {
  const builtIn = BUILT_IN_AGENTS.map(({ name }) => name);
  const { definitions, withheld, problems } = await loadDefinitions(places, builtIn);
  return { definitions: merged(definitions), withheld, problems };
}

/** The person's own take the place of built-in ones. */
function merged(described: readonly AgentDefinition[]): readonly AgentDefinition[] {
  const own = new Map(described.map((definition) => [definition.name, definition]));
  const builtIn = BUILT_IN_AGENTS.map((definition) => own.get(definition.name) ?? definition);
  const rest = described.filter(({ name }) => !builtIn.some((other) => other.name === name));
  return [...builtIn, ...rest];
}
