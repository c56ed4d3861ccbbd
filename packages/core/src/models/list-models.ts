import type { Environment } from '../network/choose-proxy.js';
import type { ModelChoice } from './model-settings.js';

/**
 * The models that the endpoint of a choice offers, as it names them and in its order; at most 2,000. It is asked once, and
 * has five seconds, and is reached through the proxy that the environment names for it.
 * @throws ModelError: `network` when it cannot be asked, else by its answer; the signal's reason
 */
export async function listModels(
  choice: ModelChoice,
  signal: AbortSignal,
  environment: Environment = {},
): Promise<readonly string[]> {
  signal.throwIfAborted();
  // Most who name a model never ask.
  const { askForModels } = await import('./ask-for-models.js');
  return askForModels(choice, signal, environment);
}
