import { errorMessage, findLocalServers, listModels, type ModelChoice } from '@tenon/core';
import { configuredChoice, missingForModel, usableChoice } from '../choose-model.js';
import type { Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import type { Check } from './check.js';

/** Whether a model is configured, and its endpoint answers and knows it. Nothing that costs is asked. */
export function modelCheck(surroundings: Surroundings, { settings, modelName, roots }: Preparation): Check {
  return {
    name: 'model',
    run: async (signal) => {
      const { values } = settings;
      const choice = configuredChoice(surroundings, values, modelName);
      if (choice === undefined) {
        const servers = await findLocalServers({ signal });
        const missing = missingForModel(values, modelName, surroundings.env).join(' ');
        const local = servers.map(({ name, baseUrl }) => `${name} at ${baseUrl}`).join(', ');
        if (local !== '') return [{ name: 'model', state: 'good', text: `on this machine: ${local}` }];
        const text = missing === '' ? 'none is configured, and no server on this machine answers' : missing;
        const advice =
          'OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL, ANTHROPIC_API_KEY or GEMINI_API_KEY name one.';
        return [{ name: 'model', state: 'problem', text, advice }];
      }
      const name = choice.model?.value;
      const label = `${choice.provider.value}${name === undefined ? '' : `/${name}`}`;
      try {
        const usable = await usableChoice(choice, surroundings, roots);
        const models = await listModels(usable, signal, surroundings.env);
        const isKnown = name === undefined || models.length === 0 || models.includes(name);
        return [
          isKnown
            ? { name: 'model', state: 'good', text: `${label}, its endpoint answers${keyText(choice)}` }
            : {
                name: 'model',
                state: 'missing',
                text: `${label}: its endpoint answers${keyText(choice)}, but does not list it`,
              },
        ];
      } catch (thrown) {
        return [{ name: 'model', state: 'problem', text: `${label}: ${errorMessage(thrown)}` }];
      }
    },
  };
}

/** Where its key is from. */
function keyText({ apiKey, apiKeyCommand }: ModelChoice): string {
  if (apiKeyCommand !== undefined) return ' (key from the command of model.apiKeyCommand)';
  return apiKey === undefined ? '' : ` (key from ${apiKey.origin.replace(/^environment /, '')})`;
}
