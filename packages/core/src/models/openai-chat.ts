import { connectionOf, effortNow, outputLimit } from './adapter-options.js';
import type { AdapterOptions } from './adapter-options.js';
import { streamAnswer } from './answer-stream.js';
import { mergeBody } from './merge-body.js';
import type { ModelPort } from './model.js';
import { createOpenAiDecoder } from './openai-decoder.js';
import { OPENAI_NAMES, openAiBody } from './openai-request.js';
import { serverFacts } from './openai-servers.js';
import type { OptionalParameter } from './optional-parameters.js';
import { endpointUrl } from './provider-url.js';
import { openAiEffort } from './reasoning-effort.js';
import { createWireNames } from './wire-names.js';

export interface OpenAiChatOptions extends AdapterOptions {
  /** Whether to ask for token counts. Default true; false for servers that refuse `stream_options`. */
  readonly includeUsage?: boolean;
}

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Parameters of a chat completion that some servers or models refuse. */
const OPTIONAL: readonly OptionalParameter[] = [
  { path: 'stream_options', names: ['stream options'] },
  { path: 'parallel_tool_calls' },
  { path: 'temperature' },
  { path: 'top_p' },
  { path: 'max_tokens', instead: 'max_completion_tokens', isWish: true },
  { path: 'max_completion_tokens', instead: 'max_tokens', isWish: true },
  { path: 'reasoning_effort', isWish: true },
];

/**
 * Any server that speaks OpenAI's chat completions: OpenAI, Qwen, DeepSeek, Ollama, LM Studio, vLLM,
 * llama.cpp and gateways. Without a key no `authorization` header is sent.
 *
 * @throws ModelError `bad-request` when the base URL is no http(s) URL
 */
export function createOpenAiChatModel(options: OpenAiChatOptions): ModelPort {
  const url = endpointUrl(options.baseUrl ?? OPENAI_BASE_URL, { version: 'v1', path: 'chat/completions' });
  const key = options.apiKey?.trim();
  const connection = connectionOf(url, options, {
    headers: { authorization: key === undefined || key === '' ? undefined : `Bearer ${key}` },
    optional: OPTIONAL,
  });
  const facts = serverFacts(new URL(url).hostname, options.model);
  return {
    label: `openai ${options.model}`,
    model: options.model,
    stream: (request, signal) => {
      const names = createWireNames(request, OPENAI_NAMES);
      const limit = outputLimit(options, request.maxOutputTokens);
      const own = {
        model: options.model,
        ...openAiBody(request, names, facts),
        stream: true,
        ...(options.includeUsage === false ? {} : { stream_options: { include_usage: true } }),
        ...(limit === undefined ? {} : { [facts.limitField]: limit }),
        ...openAiEffort(effortNow(options)),
      };
      const body = mergeBody(own, options.extraBody);
      const { fromWire } = names;
      const readsCalls = options.callsInText !== false;
      const text = facts.plainText ? undefined : { tools: request.tools, fromWire, readsCalls };
      return streamAnswer({ connection, body, signal, decoder: createOpenAiDecoder(fromWire), text });
    },
  };
}
