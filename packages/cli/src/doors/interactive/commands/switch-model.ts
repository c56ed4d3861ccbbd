import { managedRefusal } from '@tenon/core';
import { modelFacts } from '../../../choose-model.js';
import type { CommandContext } from './command.js';

export type SwitchContext = Pick<CommandContext, 'agent' | 'preparation' | 'endpoint'>;

export interface SwitchedModel {
  readonly told: string;
  /** The model that there was before answers again. Undefined: nothing was switched. */
  readonly back?: () => void;
}

/** From the next request on another model of the same endpoint answers. @throws ModelError, Failure */
export async function switchModel(
  name: string,
  { agent, preparation, endpoint }: SwitchContext,
): Promise<SwitchedModel> {
  const before = agent.model;
  if (name === before.model) return { told: `The model is ${before.label} already.` };
  const { managed, values } = preparation.settings;
  const refusal = managedRefusal('model.name', name, managed);
  if (refusal !== undefined) return { told: `The model stays ${before.label}: ${refusal}` };
  const { model, facts } = await endpoint.named(name);
  const { window } = agent.context();
  agent.setModel(model, facts);
  const back = (): void => agent.setModel(before, { ...modelFacts(values, before.model), contextWindow: window });
  return { told: `The model is now ${model.label}.`, back };
}
