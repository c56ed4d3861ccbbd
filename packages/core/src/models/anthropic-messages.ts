import { connectionOf, effortNow, outputLimit } from './adapter-options.js';
import type { AdapterOptions } from './adapter-options.js';
import { createAnthropicDecoder } from './anthropic-decoder.js';
import { ANTHROPIC_NAMES, anthropicBody } from './anthropic-request.js';
import { streamAnswer } from './answer-stream.js';
import { mergeBody } from './merge-body.js';
import type { ModelPort } from './model.js';
import type { OptionalParameter } from './optional-parameters.js';
import { endpointUrl } from './provider-url.js';
import { anthropicEffort } from './reasoning-effort.js';
import { createWireNames } from './wire-names.js';

export interface AnthropicMessagesOptions extends AdapterOptions {
  /** How `apiKey` is sent: `key` as `x-api-key` (default), `bearer` as `authorization`, as gateways want it. */
  readonly auth?: 'key' | 'bearer';
}

const ANTHROPIC_BASE_URL = 'https://api.anthropic.com';
const API_VERSION = '2023-06-01';

/** Parameters of a Messages request that some models, or servers other than Anthropic's, refuse. */
const OPTIONAL: readonly OptionalParameter[] = [
  { path: 'temperature' },
  { path: 'top_p' },
  { path: 'output_config', names: ['output_config.effort', 'effort'], isWish: true },
  { path: 'thinking', names: ['thinking.type', 'thinking.adaptive', 'thinking.enabled'], isWish: true },
];

/**
 * Anthropic's Messages API and servers that speak it.
 *
 * @throws ModelError `bad-request` when the base URL is no http(s) URL
 */
export function createAnthropicMessagesModel(options: AnthropicMessagesOptions): ModelPort {
  const url = endpointUrl(options.baseUrl ?? ANTHROPIC_BASE_URL, { version: 'v1', path: 'messages' });
  const key = options.apiKey?.trim();
  const hasKey = key !== undefined && key !== '';
  const connection = connectionOf(url, options, {
    headers: {
      'anthropic-version': API_VERSION,
      'x-api-key': hasKey && options.auth !== 'bearer' ? key : undefined,
      authorization: hasKey && options.auth === 'bearer' ? `Bearer ${key}` : undefined,
    },
    optional: OPTIONAL,
  });
  const isOwnServer = new URL(url).hostname === 'api.anthropic.com';
  return {
    label: `anthropic ${options.model}`,
    model: options.model,
    stream: (request, signal) => {
      const names = createWireNames(request, ANTHROPIC_NAMES);
      const limit = outputLimit(options, request.maxOutputTokens) ?? defaultLimit(options.model);
      const own = {
        model: options.model,
        max_tokens: limit,
        ...anthropicBody(request, names),
        stream: true,
        ...anthropicEffort(effortNow(options), options.model, limit),
      };
      const body = mergeBody(own, options.extraBody);
      const { fromWire } = names;
      const readsCalls = options.callsInText !== false;
      // Anthropic's own server never sends calls or thinking as text.
      const text = isOwnServer ? undefined : { tools: request.tools, fromWire, readsCalls };
      return streamAnswer({ connection, body, signal, decoder: createAnthropicDecoder(fromWire), text });
    },
  };
}

/** The API wants a limit and refuses one above the model's own. */
function defaultLimit(model: string): number {
  if (/claude-3-(opus|sonnet|haiku)/.test(model)) return 4_096;
  return /claude-3-5/.test(model) ? 8_192 : 32_000;
}
