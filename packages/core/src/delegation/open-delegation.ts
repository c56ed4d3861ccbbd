import type { AgentOptions } from '../agent-types.js';
import { count } from '../util/count.js';
import { loadAgentCatalogue } from './agent-catalogue.js';
import { Delegation } from './delegation.js';

export interface OpenedDelegation {
  readonly delegation: Delegation;
  /** What was found wrong with files that describe agents, a sentence each. */
  readonly notices: readonly string[];
}

/** Those who take work from an agent: the built-in kinds, and those that files describe. */
export async function openDelegation({
  roots,
  userHome,
  tenonHome,
  agents = {},
}: Pick<AgentOptions, 'roots' | 'userHome' | 'tenonHome' | 'agents'>): Promise<OpenedDelegation> {
  const isTrusted = agents.isTrusted === true;
  const { definitions, withheld, problems } = await loadAgentCatalogue({
    roots,
    userHome,
    tenonHome,
    isTrusted,
    ...(agents.extensions !== undefined && { extensions: agents.extensions }),
  });
  const [first] = withheld;
  const held =
    first === undefined
      ? []
      : [
          `${count(withheld.length, 'agent')} of the folder cannot be used until you trust it: ${first}${withheld.length > 1 ? ' …' : ''}`,
        ];
  return {
    delegation: new Delegation({ definitions, settings: agents }),
    notices: [...problems, ...held],
  };
}
