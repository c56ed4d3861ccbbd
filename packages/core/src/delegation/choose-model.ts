import type { NamedModel } from '../agent-types.js';
import type { AgentDefinition } from '../subagents/subagent-types.js';
import { errorMessage } from '../util/failure.js';
import type { AgentAbove, DelegationHost } from './delegation-types.js';

export interface ChosenModel {
  /** Asked anew for every request: the person may have changed that of the agent above. */
  readonly now: () => NamedModel;
  /** Why it is not the one that was wanted, for the person. */
  readonly notice?: string;
}

/** The model that a definition names; where it cannot be had, that of the agent above. */
export async function chooseModel(
  { name, model: wanted }: AgentDefinition,
  above: AgentAbove,
  { options }: DelegationHost,
): Promise<ChosenModel> {
  const { model: same } = above.model();
  if (wanted === undefined || wanted === same.model || wanted === same.label) return { now: above.model };
  const instead = `it works with ${same.label} instead`;
  if (options.modelNamed === undefined)
    return {
      now: above.model,
      notice: `The agent ${name} asks for the model ${wanted}, which cannot be had here; ${instead}.`,
    };
  try {
    const chosen = await options.modelNamed(wanted);
    return { now: () => chosen };
  } catch (thrown) {
    const why = errorMessage(thrown).replace(/\.$/, '');
    return { now: above.model, notice: `The model ${wanted} of the agent ${name} cannot be had (${why}); ${instead}.` };
  }
}
