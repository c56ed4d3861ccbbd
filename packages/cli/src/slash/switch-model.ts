import { managedRefusal, type Agent } from '@tenon/core';
import { modelFacts, type ModelEndpoint } from '../choose-model.js';
import type { Preparation } from '../prepare-session.js';

/** What switching the model needs to know. */
export interface SwitchContext {
  readonly agent: Agent;
  readonly preparation: Preparation;
  readonly endpoint: Pick<ModelEndpoint, 'named'>;
}

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
