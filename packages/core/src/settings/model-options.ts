import type { CreateModelOptions } from '../models/create-model.js';
import type { ModelSettings } from '../models/model-settings.js';
import type { SettingValues } from './merge-layers.js';

/** Which model the settings name, and where it is, in the words of the library. Pure. */
export function modelSettingsOf(values: SettingValues): ModelSettings {
  return {
    ...entry('provider', values['model.provider']?.value),
    ...entry('model', values['model.name']?.value),
    ...entry('baseUrl', values['model.baseUrl']?.value),
    ...entry('apiKeyEnv', values['model.apiKeyEnv']?.value),
    ...entry('apiKeyCommand', values['model.apiKeyCommand']?.value),
    ...entry('headers', values['model.headers']?.value),
  };
}

/** How it is asked, as the settings have it. Pure. */
export function requestOptionsOf(values: SettingValues): CreateModelOptions {
  const seconds = values['model.idleTimeout']?.value;
  return {
    ...entry('maxOutputTokens', values['model.maxOutputTokens']?.value),
    ...entry('reasoningEffort', values['model.reasoningEffort']?.value),
    ...entry('extraBody', values['model.extraBody']?.value),
    ...entry('callsInText', values['model.callsInText']?.value),
    ...entry('idleTimeoutMs', seconds === undefined ? undefined : seconds * 1000),
  };
}

function entry<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: T });
}
