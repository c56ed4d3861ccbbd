import type { FinishReason, TokenUsage } from '../models/model.js';
import type { Attributes } from './telemetry-acts.js';

/** A model as `label` tells it: provider and name. */
export interface NamedModel {
  readonly provider: string;
  readonly model: string;
}

const PROVIDERS: ReadonlyMap<string, string> = new Map([['gemini', 'gcp.gemini']]);
const NAME = /^[\w.:/@+-]{1,128}$/;
const CODE = /^[\w.-]{1,64}$/;

/** `openai gpt-x` in two. */
export function readModelLabel(label: string): NamedModel {
  const at = label.indexOf(' ');
  const [first, rest] = at === -1 ? ['', label] : [label.slice(0, at), label.slice(at + 1)];
  return { provider: PROVIDERS.get(first) ?? safeName(first, 'unknown'), model: safeName(rest, 'unknown') };
}

/** A name, or `otherwise` for what is none: a model may ask for a tool in any words. */
export function safeName(name: string, otherwise: string): string {
  return NAME.test(name) ? name : otherwise;
}

/** A word for a failure; of these there are few. */
export function errorType(type: string): string {
  return CODE.test(type) ? type : '_OTHER';
}

export function modelAttributes({ provider, model }: NamedModel): Attributes {
  return { 'gen_ai.provider.name': provider, 'gen_ai.request.model': model };
}

export function usageAttributes(usage: TokenUsage): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cachedInputTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
  };
}

export const FINISHES: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  'content-filter': 'content_filter',
  failed: 'error',
  pause: 'pause',
  'nothing-more': 'stop',
  other: 'other',
};

export function finishAttributes(finish: FinishReason): Attributes {
  return { 'gen_ai.response.finish_reasons': [FINISHES[finish]] };
}
