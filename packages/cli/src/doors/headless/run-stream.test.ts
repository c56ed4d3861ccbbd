import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startScriptedModel, type ScriptedModel, type ScriptedTurn, type TurnFunction } from '@tenon/core/testing';
import { runInProcess, type Finished } from '../../testing/run-in-process.js';

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

let folder: string;
let model: ScriptedModel | undefined;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tenon-lines-')));
  mkdirSync(path.join(folder, 'work'));
});

afterEach(async () => {
  await model?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Session {
  /** One line of the input. */
  readonly say: (line: object | string) => void;
  readonly end: () => void;
  /** Resolves with the first event that fits, of those that came and those to come. */
  readonly event: (fits: (event: Event) => boolean) => Promise<Event>;
  readonly events: readonly Event[];
  readonly finished: Promise<Finished>;
}

async function start(turns: readonly (ScriptedTurn | TurnFunction)[], args: readonly string[] = []): Promise<Session> {
  model = await startScriptedModel(turns);
  const stdin = new PassThrough();
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  const onStdout = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line) as Event));
    for (const look of waiting) look();
  };
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: model.model };
  const finished = runInProcess(folder, ['--input-format', 'stream-json', ...args], {
    env,
    stdin: () => stdin,
    onStdout,
  });
  return {
    say: (line) => void stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    end: () => void stdin.end(),
    event: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find(fits);
          if (found === undefined) return void waiting.add(look);
          waiting.delete(look);
          resolve(found);
        };
        look();
      }),
    events,
    finished,
  };
}

const is =
  (type: string) =>
  (event: Event): boolean =>
    event.type === type;
const write = (name: string): ScriptedTurn => ({
  toolCalls: [{ name: 'write_file', arguments: { file_path: path.join(folder, 'work', name), content: 'made\n' } }],
});
const ends = ({ events }: Session): unknown[] => events.filter(is('prompt-end')).map(({ text }) => text);

describe('prompts as lines', () => {
  it('answers them in order, each with its own end, and finishes when the input ends', async () => {
    const session = await start([{ text: 'one' }, { text: 'two' }, { text: 'three' }], ['-p', 'first']);
    session.say({ type: 'user', text: 'second', id: 'b' });
    session.say({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'third' }] } });
    session.end();
    expect(await session.finished).toMatchObject({ code: 0, stderr: '' });
    expect(ends(session)).toEqual(['one', 'two', 'three']);
    expect(session.events.filter(is('prompt-start'))).toEqual([
      { type: 'prompt-start', line: 0 },
      { type: 'prompt-start', line: 1, id: 'b' },
      { type: 'prompt-start', line: 2 },
    ]);
    expect(model?.requests[2]?.body.messages.map(({ role }) => role)).toHaveLength(6);
    expect(session.events.some(is('text-delta'))).toBe(false);
  });

  it('waits for the next line as long as the input is open, and stops at "end"', async () => {
    const session = await start([{ text: 'one' }, { text: 'two' }], ['--include-partial']);
    session.say({ type: 'user', text: 'x' });
    await session.event(is('prompt-end'));
    session.say({ type: 'user', text: 'y' });
    session.say({ type: 'end' });
    session.say({ type: 'user', text: 'never read' });
    expect((await session.finished).code).toBe(0);
    expect(ends(session)).toEqual(['one', 'two']);
    expect(session.events.some(is('text-delta'))).toBe(true);
  });

  it('tells of a line that it does not understand, and loses none beside it', async () => {
    const session = await start([{ text: 'one' }, { text: 'two' }]);
    session.say({ type: 'user', text: 'x' });
    session.say('{"type": "user", "text": ');
    session.say({ type: 'approval', callId: 'none', outcome: 'cancel' });
    session.say({ type: 'user', text: 'y' });
    session.end();
    expect((await session.finished).code).toBe(2);
    expect(ends(session)).toEqual(['one', 'two']);
    const wrong = session.events.filter(is('input-error'));
    expect(wrong.map(({ line }) => line)).toEqual([2, 3]);
    expect(wrong[0]?.['message']).toContain('not JSON');
    expect(wrong[1]?.['message']).toContain('Nothing is asked about a call "none"');
  });

  it('cancels the prompt that runs, and goes on with the next', async () => {
    let wasAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    const hanging = (): ScriptedTurn => {
      wasAsked();
      return { text: 'a long answer', hangAfterChunks: 1 };
    };
    const session = await start([hanging, { text: 'two' }]);
    session.say({ type: 'cancel' });
    await session.event(is('notice'));
    session.say({ type: 'user', text: 'x' });
    session.say({ type: 'user', text: 'y' });
    await asked;
    session.say({ type: 'cancel' });
    session.end();
    expect((await session.finished).code).toBe(0);
    expect(session.events.filter(is('prompt-end')).map(({ stopReason }) => stopReason)).toEqual([
      'cancelled',
      'completed',
    ]);
  });

  it('steers the prompt that runs', async () => {
    let wasAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    let goOn = (): void => undefined;
    const steered = new Promise<void>((resolve) => (goOn = resolve));
    const slow = async (): Promise<ScriptedTurn> => {
      wasAsked();
      await steered;
      return { toolCalls: [{ name: 'list_directory', arguments: { path: path.join(folder, 'work') } }] };
    };
    const session = await start([slow, { text: 'one' }]);
    session.say({ type: 'user', text: 'x' });
    await asked;
    session.say({ type: 'steer', text: 'look closer' });
    session.say({ type: 'cancel-nothing' });
    await session.event(is('input-error'));
    goOn();
    session.end();
    await session.finished;
    expect(ends(session)).toEqual(['one']);
    expect(model?.requests[1]?.bodyText).toContain('look closer');
    expect(session.events.filter(is('user-message')).map(({ text }) => text)).toEqual(['x', 'look closer']);
  });

  it('takes what would steer for a prompt when none runs', async () => {
    const session = await start([{ text: 'one' }]);
    session.say({ type: 'steer', text: 'begin' });
    session.end();
    expect((await session.finished).code).toBe(0);
    expect(ends(session)).toEqual(['one']);
  });

  it('asks by lines when that is wanted', async () => {
    const session = await start([write('a'), write('b'), { text: 'done' }], ['--approvals', 'stdin']);
    session.say({ type: 'user', text: 'write' });
    const first = await session.event(is('approval-request'));
    session.say({ type: 'approval', callId: first['callId'], outcome: 'proceed_once' });
    const second = await session.event((event) => is('approval-request')(event) && event['callId'] !== first['callId']);
    session.say({ type: 'approval', callId: second['callId'], outcome: 'cancel', feedback: 'one is enough' });
    session.end();
    expect((await session.finished).code).toBe(4);
    expect(readFileSync(path.join(folder, 'work/a'), 'utf8')).toBe('made\n');
    expect(model?.requests[2]?.bodyText).toContain('one is enough');
  });

  const ask: ScriptedTurn = {
    toolCalls: [
      {
        name: 'ask_user',
        arguments: { questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }] },
      },
    ],
  };

  it('answers questions of the model by lines, and says what is wrong with such a line', async () => {
    const session = await start([ask, { text: 'done' }], ['--approvals', 'stdin', '--approval-mode', 'yolo']);
    session.say({ type: 'user', text: 'go' });
    const { callId, request } = await session.event(is('approval-request'));
    expect(request).toMatchObject({
      toolName: 'ask_user',
      details: { type: 'question', questions: [{ question: 'Which?', multiSelect: false }] },
    });
    session.say({ type: 'approval', callId, outcome: 'proceed_once', answers: [{ selected: 'b' }] });
    expect((await session.event(is('input-error')))['message']).toContain('"answers" must be a list');
    session.say({
      type: 'approval',
      callId,
      outcome: 'proceed_once',
      answers: [{ selected: ['b'], words: 'for now' }],
    });
    session.end();
    await session.finished;
    const end = session.events.find(is('tool-call-end'));
    expect(end).toMatchObject({
      status: 'success',
      data: { answers: [{ question: 'Which?', selected: ['b'], words: 'for now' }] },
    });
    expect(model?.requests[1]?.bodyText).toContain('b; in their own words: for now');
  });

  it('tells the questions of agents in the background, and takes their answers', async () => {
    const background = (description: string) => ({
      name: 'task',
      arguments: { description, prompt: 'do it', run_in_background: true },
    });
    const touch = (name: string): ScriptedTurn => ({
      toolCalls: [{ id: 'same', name: 'run_shell_command', arguments: { command: `touch ${name}`, description: 'x' } }],
    });
    const play: TurnFunction = ({ body }) => {
      const who = /You are the subagent \S+ \((a\d)\)/.exec(JSON.stringify(body.messages[0]))?.[1] ?? 'main';
      if (body.messages.some(({ role }) => role === 'tool')) return { text: 'done' };
      return who === 'main' ? { toolCalls: [background('one'), background('two')] } : touch(who);
    };
    const session = await start(
      Array.from({ length: 20 }, () => play),
      ['--approvals', 'stdin'],
    );
    session.say({ type: 'user', text: 'go' });
    const asked = async (agentId: string): Promise<unknown> => {
      const { event } = await session.event(
        (told) =>
          told.type === 'subagent-event' &&
          told['agentId'] === agentId &&
          is('approval-request')(told['event'] as Event),
      );
      return (event as Event)['callId'];
    };
    const [first, second] = [await asked('a1'), await asked('a2')];
    expect(second).not.toBe(first);
    session.say({ type: 'approval', callId: second, outcome: 'proceed_once' });
    session.say({ type: 'approval', callId: first, outcome: 'cancel' });
    await vi.waitFor(() => expect(existsSync(path.join(folder, 'work', 'a2'))).toBe(true));
    // Both have had their answer.
    await vi.waitFor(() => expect(model?.requests.length).toBe(6));
    session.end();
    await session.finished;
    expect(existsSync(path.join(folder, 'work', 'a1'))).toBe(false);
  });

  it('ends questions of the model with the input, and asks nobody without --approvals', async () => {
    const asked = await start([ask, { text: 'done' }], ['--approvals', 'stdin']);
    asked.say({ type: 'user', text: 'go' });
    await asked.event(is('approval-request'));
    asked.end();
    await asked.finished;
    expect(ends(asked)).toEqual(['done']);
    expect(model?.requests[1]?.bodyText).toContain('did not want to answer');
    await model?.close();
    const unasked = await start([ask, { text: 'done' }], ['--approval-mode', 'yolo']);
    unasked.say({ type: 'user', text: 'go' });
    unasked.end();
    expect((await unasked.finished).code).toBe(0);
    expect(unasked.events.some(is('approval-request'))).toBe(false);
    expect(model?.requests[1]?.bodyText).toContain('Nobody can be asked here');
  });

  it('takes a plan as the program made it, and the mode that it chose', async () => {
    const plan: ScriptedTurn = { toolCalls: [{ name: 'exit_plan_mode', arguments: { plan: 'x' } }] };
    const session = await start(
      [plan, write('a'), { text: 'done' }],
      ['--approvals', 'stdin', '--approval-mode', 'plan'],
    );
    session.say({ type: 'user', text: 'go' });
    const { callId } = await session.event(is('approval-request'));
    session.say({ type: 'approval', callId, outcome: 'proceed_always', newContent: 'x, then a' });
    session.end();
    expect((await session.finished).code).toBe(0);
    expect(model?.requests[1]?.bodyText).toContain('x, then a');
    expect(readFileSync(path.join(folder, 'work/a'), 'utf8')).toBe('made\n');
  });

  it('denies what waits for an answer when the input ends', async () => {
    const session = await start([write('a'), { text: 'done' }], ['--approvals', 'stdin']);
    session.say({ type: 'user', text: 'write' });
    await session.event(is('approval-request'));
    session.end();
    expect((await session.finished).code).toBe(4);
    expect(ends(session)).toEqual(['done']);
  });

  it('changes the mode between two calls', async () => {
    const session = await start([{ text: 'one' }, write('a'), { text: 'done' }]);
    session.say({ type: 'user', text: 'x' });
    await session.event(is('prompt-end'));
    session.say({ type: 'set-mode', mode: 'auto_edit' });
    await session.event(is('notice'));
    session.say({ type: 'user', text: 'y' });
    session.end();
    expect((await session.finished).code).toBe(0);
    expect(readFileSync(path.join(folder, 'work/a'), 'utf8')).toBe('made\n');
  });

  it('checks every answer against --json-schema', async () => {
    const schema = JSON.stringify({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
    const given = (n: unknown): ScriptedTurn => ({ toolCalls: [{ name: 'structured_output', arguments: { n } }] });
    const no = { text: 'no' };
    const session = await start([given('x'), given(1), no, no, no], ['--json-schema', schema]);
    session.say({ type: 'user', text: 'x' });
    session.say({ type: 'user', text: 'y' });
    session.end();
    expect((await session.finished).code).toBe(11);
    expect(session.events.filter(is('answer'))).toEqual([{ type: 'answer', value: { n: 1 } }]);
    expect(session.events.at(-1)?.type).toBe('answer-missing');
  });
});

describe('options that say nothing', () => {
  it.each([
    [['--input-format', 'stream-json', '--output-format', 'json'], 'is answered in --output-format stream-json'],
    [['-p', 'x', '--approvals', 'stdin'], 'goes with --input-format stream-json'],
    [['-p', 'x', '--include-partial'], 'goes with --output-format stream-json'],
    [['-p', 'x', '--json-schema', '{"type": "objekt"}'], 'not valid JSON Schema'],
    [['-p', 'x', '--json-schema', 'nowhere.json'], 'nowhere.json cannot be used'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runInProcess(folder, args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  });
});
