import type { CreateModelOptions } from '../models/create-model.js';
import type { ModelSettings } from '../models/model-settings.js';
import type { SettingValues } from './merge-layers.js';

/** Returns the model that the settings name, and its endpoint, under the library's option names. Pure. */
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

/** Returns the request options that the settings have. Pure. */
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
