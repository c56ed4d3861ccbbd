import { connectionOf, outputLimit } from './adapter-options.js';
import type { AdapterOptions } from './adapter-options.js';
import { streamAnswer } from './answer-stream.js';
import { createGeminiDecoder } from './gemini-decoder.js';
import { GEMINI_NAMES, geminiBody } from './gemini-request.js';
import type { ModelPort } from './model.js';
import { endpointUrl } from './provider-url.js';
import { createWireNames } from './wire-names.js';

export interface GeminiOptions extends AdapterOptions {
  /** Whether to ask for the thinking. Default: for models from Gemini 2.5 on; older ones refuse the wish. */
  readonly includeThoughts?: boolean;
}

const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com';

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
  const connection = connectionOf(url.href, options, { 'x-goog-api-key': key === '' ? undefined : key });
  const includeThoughts = options.includeThoughts ?? /gemini-(2\.5|[3-9]|.*-latest)/.test(model);
  const needsSignatures = /gemini-([3-9]|.*-latest)/.test(model);
  return {
    label: `gemini ${model}`,
    model,
    stream: (request, signal) => {
      const names = createWireNames(request, GEMINI_NAMES);
      const limit = outputLimit(options, request.maxOutputTokens);
      const generationConfig = {
        ...(limit === undefined ? {} : { maxOutputTokens: limit }),
        ...(includeThoughts ? { thinkingConfig: { includeThoughts: true } } : {}),
      };
      const body = { ...geminiBody(request, names, { needsSignatures }), generationConfig, ...options.extraBody };
      return streamAnswer({ connection, body, signal, decoder: createGeminiDecoder(names.fromWire) });
    },
  };
}
