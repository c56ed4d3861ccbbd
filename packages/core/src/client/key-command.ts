import type { ModelChoice } from '../models/model-settings.js';
import type { KeyCommandPlace } from './ask-for-key.js';

/**
 * The choice with what asks for its key, where a command prints it; else as it is. Nothing is run yet. All that is made of one
 * such choice shares what was printed. @throws ModelError `auth` for what is no command
 */
export async function withKeyCommand(choice: ModelChoice, place: KeyCommandPlace): Promise<ModelChoice> {
  if (choice.apiKeyCommand === undefined) return choice;
  const { printedKeys } = await import('./printed-keys.js');
  return { ...choice, keys: printedKeys(choice.apiKeyCommand.value, place) };
}
