import { describe, expect, it } from 'vitest';
import type { QuestionAnswer } from '../mcp/mcp-types.js';
import type { PersonQuestion } from '../mcp/questions/asker.js';
import { readSample } from '../mcp/questions/sample.js';
import type { ModelEvent, ModelPort, ModelRequest } from '../models/model.js';
import { createSampler } from './sampling.js';

const signal = new AbortController().signal;
const says = (text: string, role = 'user'): object => ({ role, content: { type: 'text', text } });

function setUp(answers: readonly QuestionAnswer['action'][], events: readonly ModelEvent[] = []) {
  const requests: ModelRequest[] = [];
  const questions: PersonQuestion[] = [];
  const left = [...answers];
  const model: ModelPort = {
    label: 'scripted model',
    model: 'scripted-1',
    async *stream(request) {
      requests.push(request);
      yield* events.length > 0
        ? events
        : ([
            { type: 'text-delta', text: 'Forty' },
            { type: 'text-delta', text: '-two.' },
            { type: 'finish', reason: 'stop' },
          ] as const);
    },
  };
  const sample = createSampler({
    model,
    perSession: 2,
    asker: async (question) => {
      questions.push(question);
      return { action: left.shift() ?? 'cancel' };
    },
  });
  return { sample, requests, questions };
}

describe('the model for a server', () => {
  it('answers when the person agrees to the question and to the answer', async () => {
    const { sample, requests, questions } = setUp(['accept', 'accept']);
    const params = {
      messages: [says('What is\u001b[2J it?'), says('Wait.', 'assistant')],
      systemPrompt: 'Be brief.',
      maxTokens: 100_000,
      includeContext: 'allServers',
    };
    expect(await sample('oracle', params, signal)).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Forty-two.' },
      model: 'scripted-1',
      stopReason: 'endTurn',
    });
    expect(requests).toEqual([
      {
        system: expect.stringMatching(/"oracle", asks you.*not the user's.*\n\nBe brief\.$/s) as string,
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'What is it?' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Wait.' }] },
        ],
        maxOutputTokens: 4096,
        tools: [],
      },
    ]);
    expect(questions).toEqual([
      {
        kind: 'sampling',
        server: 'oracle',
        stage: 'request',
        model: 'scripted model',
        text: 'Its instructions: Be brief.\nIt says: What is it?\nIt has the model have said: Wait.',
      },
      { kind: 'sampling', server: 'oracle', stage: 'answer', model: 'scripted model', text: 'Forty-two.' },
    ]);
  });

  it('is not asked when the person says no, and its answer is not sent when they say no then', async () => {
    const params = { messages: [says('x')], maxTokens: 5 };
    const first = setUp(['decline']);
    await expect(first.sample('a', params, signal)).rejects.toThrow('did not allow it');
    expect(first.requests).toEqual([]);
    const second = setUp(['accept', 'cancel']);
    await expect(second.sample('a', params, signal)).rejects.toThrow('did not allow the answer');
    expect(second.requests[0]?.maxOutputTokens).toBe(5);
  });

  it('is asked so many times only, and tells where an answer was cut', async () => {
    const cut = [{ type: 'text-delta', text: 'x' } as const, { type: 'finish', reason: 'length' } as const];
    const { sample } = setUp(['accept', 'accept', 'decline'], cut);
    const params = { messages: [says('x')], maxTokens: 5 };
    expect(await sample('a', params, signal)).toMatchObject({ stopReason: 'maxTokens' });
    await expect(sample('a', params, signal)).rejects.toThrow('did not allow it');
    await expect(sample('a', params, signal)).rejects.toThrow('more than 2 times');
    await expect(sample('b', params, signal)).rejects.toThrow('did not allow it');
  });

  it.each([
    ['tools', { messages: [says('x')], tools: [] }, 'tools'],
    ['no messages', { messages: [] }, 'no messages'],
    ['too many', { messages: Array.from({ length: 51 }, () => says('x')) }, 'more than 50'],
    ['too much', { messages: [says('x'.repeat(100_001))] }, 'characters'],
    ['a system message', { messages: [says('x', 'system')] }, 'of nobody'],
    ['a tool result', { messages: [{ role: 'user', content: { type: 'tool_result' } }] }, 'other than text'],
    [
      'a bad image',
      { messages: [{ role: 'user', content: { type: 'image', data: '?', mimeType: 'image/png' } }] },
      'other',
    ],
    ['nothing', {}, 'no messages'],
  ])('is not asked with %s', (_name, params, problem) => {
    expect(readSample('a', params)).toEqual({ problem: expect.stringContaining(problem) as string });
  });

  it('is asked with images and lists of blocks, of which the person sees the kind', () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    const read = readSample('a', { messages: [{ role: 'user', content: [image, { type: 'text', text: 'This?' }] }] });
    expect(read).toMatchObject({
      shown: 'It says: [image/png]\nThis?',
      request: { messages: [{ content: [{ type: 'media', mimeType: 'image/png', data: 'aGk=' }, { type: 'text' }] }] },
    });
  });
});
