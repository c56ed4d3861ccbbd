import { expect, it } from 'vitest';
import { contextWindowOf } from './context-window.js';

it.each([
  ['claude-sonnet-4-5', 200_000],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 200_000],
  ['claude-sonnet-4[1m]', 1_000_000],
  ['gpt-4o-mini', 128_000],
  ['openai/gpt-4.1-mini', 1_047_576],
  ['gpt-5.1', 272_000],
  ['o3-mini', 200_000],
  ['models/gemini-2.5-pro', 1_048_576],
  ['qwen3-coder:30b', 262_144],
  ['qwen2.5-7b-instruct-1m', 1_000_000],
  ['Qwen/Qwen2.5-Coder-32B-Instruct', 131_072],
  ['deepseek-chat', 131_072],
  ['llama3.1:8b', 131_072],
  ['meta-llama/Llama-3.3-70B-Instruct', 131_072],
  ['mistral-large-latest', 131_072],
  ['moonshot-v1-32k', 32_000],
  ['gpt-4', 8_192],
  ['something-new', 128_000],
  ['smollm-135m', 128_000],
  ['', 128_000],
])('%s has a window of %i tokens', (model, tokens) => {
  expect(contextWindowOf(model)).toBe(tokens);
});
