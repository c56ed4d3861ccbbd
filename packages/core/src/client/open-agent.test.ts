import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedModel, type ScriptedModel, type ScriptedTurn, type TurnFunction } from '../testing/index.js';
import { BaseDeclarativeTool, Kind, RunInvocation, type ToolInvocation, type ToolResult } from '../tools/tools.js';
import type { EmbeddedAgent, OpenAgentOptions } from './client-types.js';
import { openAgent } from './open-agent.js';

let folder: string;
let work: string;
const toEnd: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tenon-client-')));
  work = path.join(folder, 'work');
  mkdirSync(work);
});

afterEach(async () => {
  for (const end of toEnd.splice(0)) await end();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly agent: EmbeddedAgent;
  readonly model: ScriptedModel;
}

async function open(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  options: Partial<OpenAgentOptions> = {},
): Promise<Opened> {
  const model = await startScriptedModel(turns);
  toEnd.push(() => model.close());
  const env = { PATH: process.env['PATH'], HOME: folder, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: model.model };
  const agent = await openAgent({ host: { env, cwd: () => work }, ...options });
  toEnd.unshift(() => agent.close());
  return { agent, model };
}

const write = (name: string): ScriptedTurn => ({
  toolCalls: [{ name: 'write_file', arguments: { file_path: path.join(work, name), content: 'made\n' } }],
});
const answer = (value: object): ScriptedTurn => ({
  toolCalls: [{ name: 'structured_output', arguments: { ...value } }],
});

const COUNT = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

describe('openAgent', () => {
  it('takes workspace, home and model from where the program runs', async () => {
    const { agent, model } = await open([{ text: 'Hello.' }]);
    const reply = await agent.ask('hi');
    expect(reply).toMatchObject({ text: 'Hello.', stopReason: 'completed', turns: 1, toolCalls: 0, denials: [] });
    expect(model.requests[0]?.body.model).toBe('scripted');
    expect(agent.agent.sessionFile.startsWith(path.join(folder, '.tenon'))).toBe(true);
    expect(agent.agent.config.getTargetDir()).toBe(work);
  });

  it('streams every event of a prompt', async () => {
    const { agent } = await open([{ text: 'Hello.' }]);
    const types = new Set<string>();
    for await (const event of agent.send('hi')) types.add(event.type);
    expect([...types]).toEqual(expect.arrayContaining(['session-start', 'user-message', 'text-delta', 'prompt-end']));
  });

  it('asks the program what no rule decides: yes, no, or no with words', async () => {
    const asked: string[] = [];
    const approve = ({ details }: { details: { title: string; fileName?: string } }): boolean | string => {
      asked.push(details.fileName ?? details.title);
      return asked.length === 1 ? true : asked.length === 2 ? false : 'not in this folder';
    };
    const { agent, model } = await open([write('a'), write('b'), write('c'), { text: 'ok' }], { approve });
    const reply = await agent.ask('write');
    expect(readFileSync(path.join(work, 'a'), 'utf8')).toBe('made\n');
    expect(reply.denials).toHaveLength(2);
    expect(asked).toHaveLength(3);
    expect(model.requests[3]?.bodyText).toContain('not in this folder');
  });

  it('denies what nobody can approve, unless a rule of the program lets it through', async () => {
    const denied = await open([write('a'), { text: 'ok' }]);
    expect((await denied.agent.ask('write')).denials).toHaveLength(1);
    const allowed = await open([write('a'), { text: 'ok' }], { allow: ['WriteFile'] });
    expect((await allowed.agent.ask('write')).denials).toEqual([]);
  });

  it('obeys the settings, and leaves them alone when it is told to', async () => {
    mkdirSync(path.join(folder, '.tenon'));
    writeFileSync(path.join(folder, '.tenon/settings.json'), '{"permissions": {"deny": ["WriteFile"]}}');
    const turns = [write('a'), { text: 'ok' }];
    const obeying = await open(turns, { approvalMode: 'yolo' });
    expect((await obeying.agent.ask('write')).denials).toHaveLength(1);
    const alone = await open(turns, { approvalMode: 'yolo', settings: false });
    expect((await alone.agent.ask('write')).denials).toEqual([]);
  });

  it('asks the model as the settings say', async () => {
    mkdirSync(path.join(folder, '.tenon'));
    const asked = { maxOutputTokens: 7, reasoningEffort: 'low', extraBody: { temperature: 0.2 } };
    writeFileSync(path.join(folder, '.tenon/settings.json'), JSON.stringify({ model: asked }));
    const { agent, model } = await open([{ text: 'ok' }]);
    await agent.ask('hi');
    expect(model.requests[0]?.body).toMatchObject({ max_tokens: 7, reasoning_effort: 'low', temperature: 0.2 });
  });

  it('does not begin with settings or rules that cannot be read, or without a model', async () => {
    await expect(open([], { deny: ['Bash('] })).rejects.toMatchObject({ code: 'rule_broken' });
    const { agent } = await open([], { allow: ['Bash('] });
    expect(agent.notices.join()).toContain('The rule is left out.');
    const host = { env: { HOME: folder }, cwd: () => work };
    await expect(openAgent({ host })).rejects.toMatchObject({ code: 'no_model' });
    await expect(open([], { limits: { cost: 1 } })).rejects.toMatchObject({ code: 'no_prices' });
    await expect(openAgent({ host: { ...host, env: {} } })).rejects.toMatchObject({ code: 'no_home' });
    mkdirSync(path.join(folder, '.tenon'), { recursive: true });
    writeFileSync(path.join(folder, '.tenon/settings.json'), '{"permissions": {"deny": ');
    await expect(openAgent({ host })).rejects.toMatchObject({ code: 'settings_broken' });
  });

  it('takes the key from the command that settings or the program name, with the first request (S139)', async () => {
    writeFileSync(path.join(folder, 'print'), 'printf x >>runs; echo sk-printed-0123456789');
    mkdirSync(path.join(folder, '.tenon'));
    const settings = { model: { apiKeyCommand: 'sh print' } };
    writeFileSync(path.join(folder, '.tenon', 'settings.json'), JSON.stringify(settings));
    const { agent, model } = await open([{ text: 'a' }, { text: 'b' }]);
    await agent.ask('one');
    await agent.ask('two');
    expect(readFileSync(path.join(folder, 'runs'), 'utf8')).toBe('x');
    const other = await open([{ text: 'c' }], {
      settings: false,
      model: { apiKeyCommand: ['echo', 'sk-other-987654'] },
    });
    expect((await other.agent.ask('it is sk-other-987654')).text).toBe('c');
    const sent = [...model.requests, ...other.model.requests].map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer sk-printed-0123456789', 'Bearer sk-printed-0123456789', 'Bearer sk-other-987654']);
    expect(other.agent.agent.hideSecrets('sk-other-987654')).not.toContain('987654');
  });

  it('holds the limits that the program sets', async () => {
    const { agent } = await open([write('a'), write('b'), write('c')], { approvalMode: 'yolo', limits: { turns: 2 } });
    expect(await agent.ask('write')).toMatchObject({ stopReason: 'max-turns', turns: 2 });
    const calls = await open([write('a'), write('b')], { approvalMode: 'yolo', limits: { calls: 1 } });
    expect(await calls.agent.ask('write')).toMatchObject({ stopReason: 'max-tool-calls', toolCalls: 1 });
  });

  it('offers the tools of the program', async () => {
    const said: string[] = [];
    const turns = [{ toolCalls: [{ name: 'note', arguments: { text: 'kept' } }] }, { text: 'ok' }];
    const { agent } = await open(turns, { tools: [new NoteTool((text) => void said.push(text))] });
    expect((await agent.ask('note it')).toolCalls).toBe(1);
    expect(said).toEqual(['kept']);
  });
});

describe('ask with a schema', () => {
  it('gives the answer as data, and asks the model no further', async () => {
    const { agent, model } = await open([answer({ count: 3 }), { text: 'next' }]);
    const reply = await agent.ask<{ count: number }>('count', { schema: COUNT });
    expect(reply.json.count).toBe(3);
    expect(reply.stopReason).toBe('completed');
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.body.tools?.map((tool) => tool.function.name)).toContain('structured_output');
    expect((await agent.ask('and now?')).text).toBe('next');
    expect(model.requests[1]?.body.tools?.map((tool) => tool.function.name)).not.toContain('structured_output');
  });

  it('has the model repair what the schema or the program refuses', async () => {
    const { agent, model } = await open([answer({ count: 'three' }), answer({ count: -1 }), answer({ count: 3 })]);
    const parse = (value: unknown): number => {
      const { count } = value as { count: number };
      if (count < 0) throw new Error('count must not be negative');
      return count;
    };
    expect((await agent.ask('count', { schema: COUNT, parse })).json).toBe(3);
    expect(model.requests[1]?.bodyText).toContain('must be an integer');
    expect(model.requests[2]?.bodyText).toContain('count must not be negative');
  });

  it('takes a last message that is the answer, and reminds a model that ends with words', async () => {
    const plain = await open([{ text: '```json\n{"count": 4}\n```' }]);
    expect((await plain.agent.ask<{ count: number }>('count', { schema: COUNT })).json).toEqual({ count: 4 });
    const talker = await open([{ text: 'There are four.' }, { text: '{"count": "4"}' }, answer({ count: 4 })]);
    const reply = await talker.agent.ask<{ count: number }>('count', { schema: COUNT });
    expect(reply).toMatchObject({ json: { count: 4 }, turns: 4 });
    expect(talker.model.requests[2]?.bodyText).toContain('What you said is JSON, but not the answer');
  });

  it('fails when the model never gives one, and goes on afterwards', async () => {
    const { agent } = await open([{ text: 'no' }, { text: 'no' }, { text: 'no' }, { text: 'fine' }]);
    await expect(agent.ask('count', { schema: COUNT })).rejects.toMatchObject({ code: 'no_valid_answer' });
    expect((await agent.ask('hi')).text).toBe('fine');
  });

  it('takes answers that are no objects, with references from their root', async () => {
    const schema = {
      type: 'array',
      items: { $ref: '#/$defs/name' },
      $defs: { name: { type: 'string', minLength: 2 } },
    };
    const { agent, model } = await open([answer({ answer: ['a'] }), answer({ answer: ['ab', 'cd'] })]);
    expect((await agent.ask<string[]>('names', { schema })).json).toEqual(['ab', 'cd']);
    expect(model.requests).toHaveLength(2);
  });

  it('refuses a schema that is none before anything is asked', async () => {
    const { agent, model } = await open([]);
    const asked = agent.ask('x', { schema: { type: 'objekt' } });
    await expect(asked).rejects.toMatchObject({ code: 'schema_unusable' });
    await expect(agent.ask('x', { schema: [] })).rejects.toMatchObject({ code: 'schema_unusable' });
    expect(model.requests).toHaveLength(0);
  });
});

class NoteInvocation extends RunInvocation<{ text: string }> {
  readonly #keep: (text: string) => void;

  constructor(params: { text: string }, keep: (text: string) => void) {
    super(params);
    this.#keep = keep;
  }

  getDescription(): string {
    return this.params.text;
  }

  effects(): [] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    this.#keep(this.params.text);
    return { llmContent: 'kept', returnDisplay: 'kept' };
  }
}

class NoteTool extends BaseDeclarativeTool<{ text: string }, ToolResult> {
  readonly #keep: (text: string) => void;

  constructor(keep: (text: string) => void) {
    const properties = { text: { type: 'string' } };
    super('note', 'Note', 'Keeps a note.', Kind.Other, { type: 'object', properties, required: ['text'] });
    this.#keep = keep;
  }

  protected createInvocation(params: { text: string }): ToolInvocation<{ text: string }, ToolResult> {
    return new NoteInvocation(params, this.#keep);
  }
}
