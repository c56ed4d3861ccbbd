import { startScriptedModel } from '@tenon/core/testing';
import { describe, expect, it } from 'vitest';
import { modelOptions } from './agent-limits.js';
import { modelFacts, openEndpoint } from './choose-model.js';
import { ExitCode, type ExitFailure } from './exit-codes.js';
import type { Preparation } from './prepare-session.js';
import type { Surroundings } from './surroundings.js';

const at = { origin: 'user settings (/h/settings.json:1:1)' };
const prices = { input: 3, output: 15 };
const model = { label: 'openai m', model: 'm', stream: async function* () {} };
const preparation = (more: object, values: object = {}): Preparation =>
  ({ settings: { values }, ...more }) as unknown as Preparation;

function failureOf(work: () => unknown): Pick<ExitFailure, 'exitCode' | 'message'> {
  try {
    work();
  } catch (thrown) {
    return thrown as ExitFailure;
  }
  throw new Error('it went through');
}

describe('what the agent is told of the model and of limits', () => {
  it('is what settings and command line say', () => {
    const limits = {
      maxTurns: { value: 1, ...at },
      maxToolCalls: { value: 2, ...at },
      maxSeconds: { value: 3, ...at },
      maxCost: { value: 4, ...at },
    };
    const values = { 'context.compactAt': { value: 0.5, ...at } };
    const facts = { contextWindow: 9000, prices };
    expect(modelOptions(preparation(limits, values), { model, facts })).toEqual({
      model,
      contextWindow: 9000,
      prices,
      compactAt: 0.5,
      maxTurns: 1,
      maxToolCalls: 2,
      maxSeconds: 3,
      maxCost: 4,
    });
    expect(modelOptions(preparation({}), { model, facts: {} })).toEqual({ model });
  });

  it('is refused for a limit of the cost without prices, with the setting that is missing', () => {
    const option = preparation({ maxCost: { value: 1, origin: 'command line' } });
    const failure = failureOf(() => modelOptions(option, { model, facts: {} }));
    expect(failure.exitCode).toBe(ExitCode.USAGE);
    expect(failure.message).toContain('--max-cost needs the prices of m');
    expect(failure.message).toContain('model.prices');
    const setting = failureOf(() => modelOptions(preparation({ maxCost: { value: 1, ...at } }), { model, facts: {} }));
    expect(setting.exitCode).toBe(ExitCode.SETTINGS);
    expect(setting.message).toContain('"limits.maxCost" in the user settings');
  });

  it('takes window and prices for the model that the settings name, and for no other', () => {
    const own = { 'model.contextWindow': { value: 9000, ...at }, 'model.prices': { value: prices, ...at } };
    const named = { ...own, 'model.name': { value: 'a', ...at } };
    expect(modelFacts(own, 'whatever')).toEqual({ contextWindow: 9000, prices });
    expect(modelFacts(named, 'a')).toEqual({ contextWindow: 9000, prices });
    expect(modelFacts(named, 'b')).toEqual({});
  });
});

it('lists the models of the endpoint, and gives another of them with the same limit of an answer', async () => {
  const server = await startScriptedModel([{ text: 'hi' }], { model: 'one' });
  try {
    const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: 'one' };
    const values = { 'model.maxOutputTokens': { value: 77, ...at } };
    const sources = { settings: { values }, modelName: undefined, roots: [] };
    const endpoint = await openEndpoint({ env } as unknown as Surroundings, sources, undefined);
    expect(endpoint.model.model).toBe('one');
    expect(await endpoint.list(new AbortController().signal)).toEqual(['one']);
    const other = await endpoint.named('two');
    const request = { system: '', messages: [], tools: [] };
    for await (const event of other.model.stream(request, new AbortController().signal))
      expect(event.type).toBeTruthy();
    expect(server.requests[0]?.body).toMatchObject({ model: 'two', max_tokens: 77 });
  } finally {
    await server.close();
  }
});
