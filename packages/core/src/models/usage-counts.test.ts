import { describe, expect, it } from 'vitest';
import { createAnthropicDecoder } from './anthropic-decoder.js';
import type { AnswerDecoder } from './answer-stream.js';
import { createGeminiDecoder } from './gemini-decoder.js';
import type { TokenUsage } from './model.js';
import { createOpenAiDecoder } from './openai-decoder.js';
import type { WireObject } from './wire-json.js';

const same = (name: string): string => name;
function usageOf(decoder: AnswerDecoder, payloads: readonly WireObject[]): TokenUsage | undefined {
  for (const payload of payloads) decoder.push(payload);
  const event = decoder.end().find(({ type }) => type === 'usage');
  return event?.type === 'usage' ? event.usage : undefined;
}

describe('what the counts of all providers mean', () => {
  // 1,000 tokens of input, 600 of them from the cache, and 50 of output, of which 20 were thought.
  const counted: TokenUsage = { inputTokens: 1000, outputTokens: 50, cachedInputTokens: 600 };

  it('is the same: input holds what was cached, output what was thought', () => {
    const openAi = {
      choices: [{ finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 50,
        total_tokens: 1050,
        prompt_tokens_details: { cached_tokens: 600 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    };
    const anthropic = [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 300,
            cache_read_input_tokens: 600,
            cache_creation_input_tokens: 100,
            output_tokens: 1,
          },
        },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 50 } },
    ];
    const gemini = {
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 1000,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 20,
        cachedContentTokenCount: 600,
      },
    };
    expect(usageOf(createOpenAiDecoder(same), [openAi])).toEqual(counted);
    expect(usageOf(createAnthropicDecoder(same), anthropic)).toEqual({ ...counted, cacheWriteTokens: 100 });
    expect(usageOf(createGeminiDecoder(same), [gemini])).toEqual(counted);
  });

  it.each(['cache_creation_input_tokens', 'cache_write_tokens'])('knows what was written to the cache: %s', (name) => {
    const details = { cached_tokens: 600, [name]: 100 };
    const usage = { prompt_tokens: 1000, completion_tokens: 50, prompt_tokens_details: details };
    const answer = { choices: [{ finish_reason: 'stop' }], usage };
    expect(usageOf(createOpenAiDecoder(same), [answer])).toEqual({ ...counted, cacheWriteTokens: 100 });
  });

  it('adds reasoning that a vendor counts beside the answer', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 30,
      total_tokens: 1050,
      prompt_tokens_details: { cached_tokens: 600 },
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    expect(usageOf(createOpenAiDecoder(same), [{ choices: [{ finish_reason: 'stop' }], usage }])).toEqual(counted);
  });

  it('keeps what a gateway says at the start and takes back at the end', () => {
    const zero = { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 50 };
    const payloads = [
      { type: 'message_start', message: { usage: { input_tokens: 400, cache_read_input_tokens: 600 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: zero },
    ];
    expect(usageOf(createAnthropicDecoder(same), payloads)).toEqual(counted);
  });
});
