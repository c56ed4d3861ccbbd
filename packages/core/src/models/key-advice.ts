import type { ModelChoice, ModelProvider } from './model-settings.js';

/** What to do where the endpoint refuses the key: which one it was. Pure. */
export function keyAdvice(choice: Omit<ModelChoice, 'auth'>): string {
  const { apiKey, apiKeyCommand, headers } = choice;
  if (apiKeyCommand !== undefined)
    return 'The key is what the command of model.apiKeyCommand printed: check it and the account.';
  if (apiKey !== undefined) {
    const variable = /^environment (.+)$/.exec(apiKey.origin)?.[1];
    return variable === undefined
      ? 'Check the API key and the account.'
      : `The key is that of ${variable}: check it and the account.`;
  }
  if (headers !== undefined) return `No key was sent but what model.headers holds. ${howToGiveKey(choice)}`;
  return `No key was sent. ${howToGiveKey(choice)}`;
}

/** Where a key that is missing belongs. Pure. */
export function howToGiveKey({ provider, unsetKey }: Pick<ModelChoice, 'provider' | 'unsetKey'>): string {
  if (unsetKey !== undefined) return `Set ${unsetKey}, which the setting model.apiKeyEnv names.`;
  return `Set ${KEY_NAMES[provider.value]}, or the setting model.apiKeyEnv or model.apiKeyCommand.`;
}

const KEY_NAMES: Readonly<Record<ModelProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
};
