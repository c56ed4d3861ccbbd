import type { ModelPort } from '../models/model.js';
import type { Secrets } from '../secrets/secrets.js';
import { hidingModel } from './hiding-model.js';

/** What a person says and what goes with it, but for the names of files. */
export function withoutSecrets<T extends { readonly attach?: readonly string[] }>(
  text: string,
  more: T,
  secrets: Secrets | undefined,
): { readonly text: string; readonly more: T } {
  if (secrets === undefined) return { text, more };
  secrets.refresh();
  const { attach } = more;
  return { text: secrets.hide(text), more: { ...secrets.hideIn(more), ...(attach !== undefined && { attach }) } };
}

interface Named<T extends { readonly model: ModelPort }> {
  readonly modelNamed?: (name: string) => Promise<T>;
}

/** Models that are asked for by name are told no secrets either. */
export function hidingNamed<T extends { readonly model: ModelPort }>(
  { modelNamed }: Named<T>,
  secrets: Secrets | undefined,
): Named<T> {
  if (modelNamed === undefined || secrets === undefined) return {};
  return {
    modelNamed: async (name) => {
      const named = await modelNamed(name);
      return { ...named, model: hidingModel(named.model, secrets) };
    },
  };
}
