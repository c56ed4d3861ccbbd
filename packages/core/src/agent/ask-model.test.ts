import { describe, expect, it } from 'vitest';
import type { FinishReason, ModelEvent, ModelPort } from '../models/model.js';
import { modelRequest } from '../testing/collect-answer.js';
import { askModel } from './ask-model.js';
import type { Answer } from './assemble-answer.js';
import type { AgentEvent } from './events.js';

type Said = readonly [finish: FinishReason, ...events: ModelEvent[]];

const text = (words: string): ModelEvent => ({ type: 'text-delta', text: words });
const thought: ModelEvent = { type: 'thinking-delta', text: 'hm' };
const call: ModelEvent = { type: 'tool-call-delta', index: 0, id: 'a', name: 'ls', argumentsText: '{}' };

/** Asks a model that gives these answers; the last one repeats. */
async function ask(...answers: readonly Said[]): Promise<{
  readonly answer: Answer | string;
  readonly requests: number;
  readonly retries: readonly string[];
  readonly voided: number;
}> {
  let requests = 0;
  const model: ModelPort = {
    label: 'a model',
    model: 'm',
    stream: async function* () {
      const [finish = 'stop', ...events] = answers[Math.min(requests, answers.length - 1)] ?? [];
      requests += 1;
      yield* await Promise.resolve(events);
      yield { type: 'finish', reason: finish };
    },
  };
  let voided = 0;
  const events: AgentEvent[] = [];
  const asking = askModel({
    model,
    request: modelRequest(),
    takenIds: new Set(),
    signal: new AbortController().signal,
    onStart: () => undefined,
    onVoid: () => (voided += 1),
  });
  const heard = async (): Promise<Answer | string> => {
    try {
      for (;;) {
        const { done, value } = await asking.next();
        if (done === true) return value;
        events.push(value);
      }
    } catch (thrown) {
      return String(thrown);
    }
  };
  const answer = await heard();
  const retries = events.flatMap((event) => (event.type === 'model-retry' ? [event.reason] : []));
  return { answer, requests, retries, voided };
}

describe('an answer that is none', () => {
  it.each<[string, Said, RegExp]>([
    ['without anything', ['stop'], /empty answer/],
    ['of blanks', ['stop', text(' \n')], /empty answer/],
    ['of thinking alone', ['stop', thought], /thought but gave no answer/],
    ['that a filter took', ['content-filter'], /content filter/],
    ['that paused before its first word', ['pause'], /empty answer/],
    ['that ended for a reason nobody knows', ['other'], /empty answer/],
    ['that announced calls and has none', ['tool-calls'], /empty answer/],
    ['that the server gave up on', ['failed', text('half')], /gave up/],
    ['whose call could not be read', ['failed', call], /could not read the call/],
  ])('%s is asked for again, and the next one counts', async (_, said, reason) => {
    const { answer, requests, retries, voided } = await ask(said, ['stop', text('second')]);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'second' }], finish: 'stop' });
    expect(requests).toBe(2);
    expect(retries).toEqual([expect.stringMatching(reason)]);
    expect(voided).toBe(1);
  });

  it('is asked for three times in all, then it is a failure', async () => {
    const { answer, requests, voided } = await ask(['stop', thought]);
    expect(answer).toContain('The model thought but gave no answer.');
    expect([requests, voided]).toEqual([3, 3]);
  });

  it.each<[string, Said]>([
    ['words', ['stop', text('a')]],
    ['calls', ['tool-calls', call]],
    ['words that a filter ended', ['content-filter', text('a')]],
    ['nothing but thinking up to the limit of the output', ['length', thought]],
    ['words before a pause', ['pause', text('a')]],
  ])('is not one with %s', async (_, said) => {
    expect(await ask(said)).toMatchObject({ requests: 1, retries: [], voided: 0 });
  });
});
