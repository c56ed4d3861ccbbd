import { connectionOf, effortNow, outputLimit } from './adapter-options.js';
import type { AdapterOptions } from './adapter-options.js';
import { streamAnswer } from './answer-stream.js';
import { createGeminiDecoder } from './gemini-decoder.js';
import { GEMINI_NAMES, geminiBody } from './gemini-request.js';
import { mergeBody } from './merge-body.js';
import type { ModelPort } from './model.js';
import type { OptionalParameter } from './optional-parameters.js';
import { endpointUrl } from './provider-url.js';
import { geminiEffort } from './reasoning-effort.js';
import { createWireNames } from './wire-names.js';

export interface GeminiOptions extends AdapterOptions {
  /** Whether to ask for the thinking. Default: for models from Gemini 2.5 on; older ones refuse the wish. */
  readonly includeThoughts?: boolean;
}

const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com';

/** Parameters that models without thinking refuse. */
const OPTIONAL: readonly OptionalParameter[] = [
  {
    path: 'generationConfig.thinkingConfig',
    names: ['thinking', 'thinking_config', 'thinkingLevel', 'thinkingBudget', 'includeThoughts'],
    isWish: true,
  },
  { path: 'generationConfig.temperature', names: ['temperature'] },
];

/**
 * Google's Gemini API.
 *
 * @throws ModelError `bad-request` when the base URL is no http(s) URL
 */
export function createGeminiModel(options: GeminiOptions): ModelPort {
  const model = options.model.replace(/^models\//, '');
  const path = `models/${encodeURIComponent(model)}:streamGenerateContent`;
  const url = new URL(endpointUrl(options.baseUrl ?? GEMINI_BASE_URL, { version: 'v1beta', path }));
  url.searchParams.set('alt', 'sse');
  const key = options.apiKey?.trim();
  const connection = connectionOf(url.href, options, {
    headers: { 'x-goog-api-key': key === '' ? undefined : key },
    optional: OPTIONAL,
  });
  const includeThoughts = options.includeThoughts ?? /gemini-(2\.5|[3-9]|.*-latest)/.test(model);
  const needsSignatures = /gemini-([3-9]|.*-latest)/.test(model);
  return {
    label: `gemini ${model}`,
    model,
    stream: (request, signal) => {
      const names = createWireNames(request, GEMINI_NAMES);
      const limit = outputLimit(options, request.maxOutputTokens);
      const thinkingConfig = {
        ...(includeThoughts && { includeThoughts }),
        ...geminiEffort(effortNow(options), model),
      };
      const generationConfig = {
        ...(limit === undefined ? {} : { maxOutputTokens: limit }),
        ...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }),
      };
      const own = { ...geminiBody(request, names, { needsSignatures }), generationConfig };
      const body = mergeBody(own, options.extraBody);
      return streamAnswer({ connection, body, signal, decoder: createGeminiDecoder(names.fromWire) });
    },
  };
}
