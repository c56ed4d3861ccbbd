import { describe, expect, it } from 'vitest';
import { serverFacts } from './openai-servers.js';

describe('serverFacts', () => {
  it.each([
    ['dashscope.aliyuncs.com', 'qwen3-coder-plus', true],
    ['dashscope-intl.aliyuncs.com', 'qwen3-max', true],
    ['coding-intl.dashscope.aliyuncs.com', 'qwen3-coder-plus', true],
    ['abc.ap-southeast-1.maas.aliyuncs.com', 'qwen4', true],
    ['dashscope.aliyuncs.com', 'glm-5', false],
    ['dashscope.aliyuncs.com.example.org', 'qwen3-max', false],
    ['openrouter.ai', 'anthropic/claude-sonnet-5', true],
    ['openrouter.ai', 'qwen/qwen3-coder', true],
    ['openrouter.ai', 'openai/gpt-5', false],
    ['api.openai.com', 'qwen', false],
    ['127.0.0.1', 'qwen3-coder', false],
  ])('%s takes cache points for %s: %j', (hostname, model, takes) => {
    expect(serverFacts(hostname, model).cachePoints).toBe(takes);
  });

  it.each([
    ['api.openai.com', 'gpt-5', { limitField: 'max_completion_tokens', documents: true, plainText: true }],
    ['mine.openai.azure.com', 'gpt-5', { limitField: 'max_tokens', documents: true, plainText: true }],
    ['api.moonshot.ai', 'kimi-k2.6', { blankReasoning: ' ' }],
    ['api.kimi.com', 'other', { blankReasoning: ' ' }],
    ['openrouter.ai', 'moonshotai/kimi-k2-thinking', { blankReasoning: ' ', documents: true }],
    ['notmoonshot.ai.example.org', 'x', { blankReasoning: '' }],
    ['api.minimax.io', 'MiniMax-M2', { thinkTags: true }],
    ['127.0.0.1', 'm', { limitField: 'max_tokens', documents: false, thinkTags: false, plainText: false }],
  ])('knows of %s with %s %j', (hostname, model, facts) => {
    expect(serverFacts(hostname, model)).toMatchObject(facts);
  });
});
