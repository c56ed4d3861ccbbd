import { Failure, managedRefusal, type AgentOptions } from '@tenon/core';
import type { ModelEndpoint } from './choose-model.js';
import { ExitCode, ExitFailure } from './exit-codes.js';
import type { Preparation } from './prepare-session.js';

/** What of the agent's options comes of the model, and of what one prompt may use. */
export type ModelOptions = Pick<
  AgentOptions,
  | 'model'
  | 'modelNamed'
  | 'contextWindow'
  | 'prices'
  | 'compactAt'
  | 'maxTurns'
  | 'maxToolCalls'
  | 'maxSeconds'
  | 'maxCost'
>;

/**
 * The model with its limits, as settings and command line have them.
 * @throws ExitFailure `USAGE` or `SETTINGS` for a limit of the cost where no prices are known
 */
export function modelOptions(
  { maxTurns, maxToolCalls, maxSeconds, maxCost, settings }: Preparation,
  { model, facts, named }: Pick<ModelEndpoint, 'model' | 'facts'> & Partial<Pick<ModelEndpoint, 'named'>>,
): ModelOptions {
  if (maxCost !== undefined && facts.prices === undefined) {
    const isOption = maxCost.origin === 'command line';
    const asked = isOption ? '--max-cost' : `"limits.maxCost" in the ${maxCost.origin}`;
    const message = `${asked} needs the prices of ${model.model} for a million tokens. Give the setting model.prices: {"model": {"name": ${JSON.stringify(model.model)}, "prices": {"input": 3, "output": 15}}}.`;
    throw new ExitFailure(isOption ? ExitCode.USAGE : ExitCode.SETTINGS, message);
  }
  const compactAt = settings.values['context.compactAt']?.value;
  return {
    model,
    ...facts,
    ...(named !== undefined && {
      modelNamed: async (name) => {
        const refusal = managedRefusal('model.name', name, settings.managed);
        if (refusal !== undefined) throw new Failure('not_permitted', refusal);
        return named(name);
      },
    }),
    ...(compactAt !== undefined && { compactAt }),
    ...(maxTurns !== undefined && { maxTurns: maxTurns.value }),
    ...(maxToolCalls !== undefined && { maxToolCalls: maxToolCalls.value }),
    ...(maxSeconds !== undefined && { maxSeconds: maxSeconds.value }),
    ...(maxCost !== undefined && { maxCost: maxCost.value }),
  };
}
