import { describe, expect, it } from 'vitest';
import { providerError } from './provider-error.js';

const infoOf = (status: number | undefined, body: object): object =>
  providerError({
    ...(status !== undefined && { status }),
    body: JSON.stringify(body),
    url: 'http://host/v1',
    secrets: [],
  }).info;

const message = (text: string, more: object = {}): object => ({ error: { message: text, ...more } });

describe('a request that is longer than the window', () => {
  it.each([
    [
      'OpenAI',
      400,
      message(
        "This model's maximum context length is 128,000 tokens. However, your messages resulted in 140000 tokens.",
        { code: 'context_length_exceeded' },
      ),
      128_000,
    ],
    [
      'OpenAI, newer',
      400,
      message('Your input exceeds the context window of this model. Please adjust your input and try again.'),
      undefined,
    ],
    [
      'OpenAI, one long text',
      400,
      message("Invalid 'messages[1].content': string too long.", { code: 'string_above_max_length' }),
      undefined,
    ],
    ['Azure in an event', undefined, message('x', { code: 'context_length_exceeded' }), undefined],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        ...message('prompt is too long: 208310 tokens > 200000 maximum', { type: 'invalid_request_error' }),
      },
      200_000,
    ],
    [
      'Anthropic with max_tokens',
      400,
      message(
        'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
      ),
      200_000,
    ],
    ['Anthropic, bytes', 413, message('Request exceeds the maximum size', { type: 'request_too_large' }), undefined],
    [
      'Gemini',
      400,
      message('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', {
        status: 'INVALID_ARGUMENT',
      }),
      1_048_575,
    ],
    [
      'Vertex',
      400,
      message('Unable to submit request because the input token count is 32825 but model only supports up to 32768.'),
      32_768,
    ],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }, undefined],
    [
      'Bedrock, other words',
      400,
      {
        message:
          'The model returned the following errors: Input tokens exceeded: number of input tokens exceeds maximum length',
      },
      undefined,
    ],
    [
      'DashScope',
      400,
      message('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]', {
        code: 'invalid_parameter_error',
      }),
      30_720,
    ],
    ['Zhipu', 400, message('Prompt exceeds max length', { code: '1261' }), undefined],
    ['Zhipu in Chinese', 400, message('Prompt 超长', { code: '1261' }), undefined],
    [
      'Moonshot',
      400,
      message('Invalid request: Your request exceeded model token limit: 131072 (requested: 200000)', {
        type: 'invalid_request_error',
      }),
      131_072,
    ],
    [
      'DeepSeek',
      400,
      message(
        "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (62000 in the messages, 8000 in the completion).",
      ),
      65_536,
    ],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
      131_072,
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_error',
        code: '3051',
      },
      32_768,
    ],
    [
      'Groq',
      400,
      message('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
      undefined,
    ],
    [
      'Cerebras',
      400,
      message('Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192'),
      undefined,
    ],
    [
      'OpenRouter',
      400,
      message(
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
      ),
      32_768,
    ],
    [
      'Poolside',
      400,
      message('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
      131_040,
    ],
    [
      'Copilot',
      400,
      message('prompt token count of 131250 exceeds the limit of 128000', { code: 'model_max_prompt_tokens_exceeded' }),
      128_000,
    ],
    [
      'GitHub Models',
      413,
      message('Request body too large for gpt-4o model. Max size: 8000 tokens.', { code: 'tokens_limit_reached' }),
      undefined,
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 0 output tokens and your prompt contains at least 4097 input tokens.",
      },
      4096,
    ],
    [
      'vLLM, newer',
      400,
      message(
        "You passed 5001 input tokens and requested 0 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4096 tokens.",
      ),
      4096,
    ],
    [
      'vLLM, decoder',
      400,
      message('The decoder prompt (length 5000) is longer than the maximum model length of 4096.'),
      4096,
    ],
    [
      'SGLang',
      400,
      { object: 'error', message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
      4096,
    ],
    [
      'SGLang, all tokens',
      400,
      { message: "Requested token count exceeds the model's maximum context length of 4096 tokens." },
      4096,
    ],
    [
      'llama.cpp',
      400,
      message('request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it', {
        type: 'exceed_context_size_error',
        n_ctx: 8192,
      }),
      8192,
    ],
    [
      'llama.cpp, older',
      500,
      message('Context size has been exceeded.', { code: 500, type: 'server_error' }),
      undefined,
    ],
    ['Ollama', 400, { error: 'prompt too long; exceeded max context length by 512 tokens' }, undefined],
    ['Ollama, older', 500, { error: 'the input length exceeds the context length' }, undefined],
    [
      'LM Studio',
      400,
      {
        error:
          'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 15000>= n_ctx: 4096). Try to load the model with a larger context length',
      },
      4096,
    ],
    [
      'LM Studio in an event',
      undefined,
      message(
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      ),
      4096,
    ],
    [
      'LiteLLM',
      400,
      message('litellm.ContextWindowExceededError: prompt is too long', { type: 'ContextWindowExceededError' }),
      undefined,
    ],
    [
      'TGI',
      422,
      {
        error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000',
        error_type: 'validation',
      },
      undefined,
    ],
    ['MiniMax', 400, message('invalid params, context window exceeds limit (2013)'), undefined],
  ])('is known in the words of %s', (_, status, body, contextWindow) => {
    expect(infoOf(status, body)).toMatchObject({
      kind: 'context-length',
      ...(contextWindow !== undefined && { contextWindow }),
    });
    if (contextWindow === undefined) expect(infoOf(status, body)).not.toHaveProperty('contextWindow');
  });

  it.each([
    [
      'OpenAI',
      429,
      message('Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000.', {
        code: 'rate_limit_exceeded',
      }),
    ],
    [
      'OpenAI, one request over it',
      429,
      message('Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000.', {
        code: 'rate_limit_exceeded',
      }),
    ],
    [
      'Groq',
      413,
      message('Request too large for model on tokens per minute (TPM): Limit 6000, Requested 8000', {
        type: 'tokens',
        code: 'rate_limit_exceeded',
      }),
    ],
    [
      'Anthropic',
      429,
      message("This request would exceed your organization's rate limit of 40,000 input tokens per minute.", {
        type: 'rate_limit_error',
      }),
    ],
    [
      'Gemini',
      429,
      message(
        'You exceeded your current quota. Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000',
        { status: 'RESOURCE_EXHAUSTED' },
      ),
    ],
    ['Bedrock', 429, { message: 'Too many tokens, please wait before trying again.' }],
    ['Moonshot', 429, message('Your account request reached max TPM: 32000', { type: 'rate_limit_reached_error' })],
    [
      'DashScope in an event',
      undefined,
      message('Requests rate limit exceeded, please try again later.', { code: 'Throttling.RateQuota' }),
    ],
  ])('is not seen in a rate limit of %s', (_, status, body) => {
    expect(infoOf(status, body)).toMatchObject({ kind: 'rate-limit' });
  });

  it.each([
    [400, message('Range of max_tokens should be [1, 8192]')],
    [400, message('max_tokens is too large: 200000. This model supports at most 16384 completion tokens')],
    [400, message("Invalid 'tools[0].function.name': string does not match pattern.")],
    [500, message('context window cache failed')],
    [500, message('the KV cache of the context is broken')],
  ])('is not seen in %s %j', (status, body) => {
    expect(infoOf(status, body)).not.toMatchObject({ kind: 'context-length' });
  });
});
