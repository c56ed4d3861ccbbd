import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModel } from '../models/create-model.js';
import { listModels } from '../models/list-models.js';
import { ModelError } from '../models/model-error.js';
import { resolveModelChoice, type ModelChoice, type ModelSettings } from '../models/model-settings.js';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { startEventServer, type EventServer } from '../testing/event-server.js';
import { startScriptedModel, type ScriptedModel } from '../testing/scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from '../testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { withKeyCommand } from './key-command.js';

// Counts its runs, and does what `act` says.
const PROGRAM = '#!/bin/sh\nprintf x >>runs\n. ./act\n';
const KEY = 'sk-printed-0123456789';
const OTHER = 'sk-printed-9876543210';
const { signal } = new AbortController();

let home: TempWorkspace;
let model: ScriptedModel | undefined;
let server: EventServer | undefined;

beforeEach(async () => {
  home = await createTempWorkspace({ 'bin/print-key': PROGRAM, act: `echo ${KEY}` });
  chmodSync(home.path('bin/print-key'), 0o755);
});

afterEach(async () => {
  await model?.close();
  await server?.close();
  [model, server] = [undefined, undefined];
  await home.remove();
});

const act = (script: string): void => writeFileSync(home.path('act'), script);
const runs = (): number => (existsSync(home.path('runs')) ? readFileSync(home.path('runs'), 'utf8').length : 0);

async function serve(...turns: readonly (ScriptedTurn | TurnFunction)[]): Promise<string> {
  model = await startScriptedModel(turns);
  return model.baseUrl;
}

interface More {
  readonly settings?: ModelSettings;
  readonly roots?: readonly string[];
  readonly path?: string;
  readonly timeLimitMs?: number;
}

async function choose(
  baseUrl: string,
  { settings = {}, roots = [], path, timeLimitMs }: More = {},
): Promise<ModelChoice> {
  const environment = { PATH: path ?? process.env['PATH'], HOME: home.root, OPENAI_API_KEY: 'sk-of-the-environment' };
  const given = { baseUrl, model: 'm', apiKeyCommand: '~/bin/print-key', ...settings };
  const choice = resolveModelChoice({ settings: given, environment });
  if (choice === undefined) throw new Error('nothing chosen');
  const limit = timeLimitMs === undefined ? {} : { timeLimitMs };
  return withKeyCommand(choice, { environment, userHome: home.root, roots, ...limit });
}

const refused: ScriptedTurn = { error: { status: 401, message: 'token expired' } };
const sentKeys = (): (string | undefined)[] | undefined =>
  model?.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

async function failure(choice: ModelChoice): Promise<ModelError> {
  const port = await createModel(choice);
  const thrown: unknown = await collectAnswer(port).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ModelError)) throw new Error(`no ModelError: ${String(thrown)}`);
  return thrown;
}

describe('a key that a command prints', () => {
  it('is asked for with the first request, in the home, and kept for all that follow (S139)', async () => {
    const choice = await choose(await serve({ text: 'one' }, { text: 'two' }));
    const port = await createModel(choice);
    const other = await createModel({ ...choice, model: { value: 'other', origin: 'test' } });
    expect(runs()).toBe(0);
    expect(port.heldKeys?.()).toEqual([]);
    expect(textOf(await collectAnswer(port))).toBe('one');
    expect(textOf(await collectAnswer(other))).toBe('two');
    expect(await listModels(choice, signal)).toEqual(['scripted']);
    expect(sentKeys()).toEqual([KEY, KEY]);
    expect(model?.otherRequests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(runs()).toBe(1);
    expect(other.heldKeys?.()).toEqual([KEY]);
  });

  it('is asked for once by requests that come at once, also after they were refused together', async () => {
    act(`sleep 0.2; [ $(wc -c <runs) = 1 ] && echo ${KEY} || echo ${OTHER}`);
    const turn: TurnFunction = ({ headers }) =>
      headers.authorization === `Bearer ${OTHER}` ? { text: 'yes' } : refused;
    const port = await createModel(await choose(await serve(turn, turn, turn, turn)));
    const answers = await Promise.all([collectAnswer(port), collectAnswer(port)]);
    expect(answers.map(textOf)).toEqual(['yes', 'yes']);
    expect(runs()).toBe(2);
    expect(port.heldKeys?.()).toEqual([KEY, OTHER]);
  });

  it('is asked for again once when the endpoint refuses it, and what the endpoint says is told when it stays refused', async () => {
    act(`[ $(wc -c <runs) = 1 ] && echo ${KEY} || echo ${OTHER}`);
    const choice = await choose(
      await serve(refused, { text: 'yes' }, { error: { status: 403, message: 'no' } }, refused),
    );
    const port = await createModel(choice);
    expect(textOf(await collectAnswer(port))).toBe('yes');
    expect(sentKeys()).toEqual([KEY, OTHER]);
    // The same key again: nothing is sent once more.
    await expect(collectAnswer(port)).rejects.toThrow(/answered 403: no/);
    expect(model?.requests).toHaveLength(3);
    expect(runs()).toBe(3);
    // A new one that is refused as well is not followed by a third.
    act('echo sk-printed-another-one');
    await expect(collectAnswer(port)).rejects.toThrow();
    expect(runs()).toBe(4);
  });

  it('is asked for again by a list that is refused', async () => {
    act(`[ $(wc -c <runs) = 1 ] && echo ${KEY} || echo ${OTHER}`);
    server = await startEventServer((request, response) => {
      const isGood = request.headers.authorization === `Bearer ${OTHER}`;
      response.writeHead(isGood ? 200 : 401).end(isGood ? '{"data":[{"id":"a"}]}' : '{"error":{"message":"no"}}');
    });
    expect(await listModels(await choose(server.origin), signal)).toEqual(['a']);
  });

  it('goes the way of each provider', async () => {
    const seen: unknown[] = [];
    server = await startEventServer(({ headers }, response) => {
      seen.push(headers['x-api-key'] ?? headers['x-goog-api-key']);
      response.writeHead(400).end('{}');
    });
    for (const provider of ['anthropic', 'gemini'] as const)
      await failure(await choose(server.origin, { settings: { provider } }));
    expect(seen).toEqual([KEY, KEY]);
  });

  it('is not asked for where the variable of apiKeyEnv is set', async () => {
    const choice = await choose(await serve({ text: 'hi' }), { settings: { apiKeyEnv: 'OPENAI_API_KEY' } });
    expect(choice).not.toHaveProperty('keys');
    await collectAnswer(await createModel(choice));
    expect(sentKeys()).toEqual(['sk-of-the-environment']);
    expect(runs()).toBe(0);
    const unset = await choose('http://127.0.0.1:9', { settings: { apiKeyEnv: 'NOT_SET' } });
    expect(unset.apiKeyCommand?.value).toBe('~/bin/print-key');
  });
});

describe('a command that brings no key', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      'fails',
      `echo first >&2; echo 'not in the store' >&2; exit 3`,
      /failed with exit code 3: not in the store\. Run it in a/,
    ],
    ['prints nothing', 'exit 0', /printed nothing\. Run it in a terminal/],
    ['prints more lines', `printf 'sk-one\\nuser: me\\n'`, /printed 2 lines\. It must print the key and nothing else/],
    ['prints words', `echo 'your key is x'`, /printed blanks or letters that no key has/],
    ['is ended by a signal', 'kill -KILL $$', /was ended by the signal SIGKILL/],
    ['prints too much', 'yes', /printed more than 64 kB/],
  ];
  it.each(cases)('is told: it %s', async (_name, script, message) => {
    act(script);
    const { message: told, info } = await failure(await choose('http://127.0.0.1:9'));
    expect(told).toMatch(/^No key for the model: `\S+\/bin\/print-key` \(model\.apiKeyCommand\) /);
    expect(told).toMatch(message);
    expect(info.kind).toBe('auth');
  });

  it('is ended with all that it started when it takes too long, and that is told', async () => {
    act('echo "Password:" >&2; sleep 60 & echo $! >sleeper; sleep 60');
    const { message } = await failure(await choose('http://127.0.0.1:9', { timeLimitMs: 300 }));
    expect(message).toContain('took longer than 0.3 s and was ended: Password:. It has no terminal');
    const sleeper = Number(readFileSync(home.path('sleeper'), 'utf8'));
    // Where nobody reaps it, it stays in the table.
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(sleeper)], { encoding: 'utf8' });
    expect(stdout.trim()).toMatch(/^(Z.*)?$/);
  });

  it('is run anew with the next request', async () => {
    act('exit 1');
    const choice = await choose(await serve({ text: 'hi' }));
    expect(choice.keys?.hasFailed()).toBe(false);
    await failure(choice);
    expect(choice.keys?.hasFailed()).toBe(true);
    act(`echo ${KEY}`);
    expect(textOf(await collectAnswer(await createModel(choice)))).toBe('hi');
    expect(choice.keys?.hasFailed()).toBe(false);
  });

  it('never has what it printed told', async () => {
    act(`echo ${KEY}; echo "bad: ${KEY}" >&2; exit 1`);
    const { message } = await failure(await choose('http://127.0.0.1:9'));
    expect(message).toContain('bad: ***');
  });

  it('is left to its time when a request is cancelled', async () => {
    act(`sleep 0.3; echo ${KEY}`);
    const port = await createModel(await choose(await serve({ text: 'hi' })));
    const cancelled = new AbortController();
    const request = { system: '', messages: [], tools: [] };
    const next = port.stream(request, cancelled.signal)[Symbol.asyncIterator]().next();
    cancelled.abort(new Error('the person'));
    await expect(next).rejects.toThrow('the person');
    expect(textOf(await collectAnswer(port))).toBe('hi');
    expect(runs()).toBe(1);
  });

  it('is told when its program is not there; one of the workspace is not taken', async () => {
    const folder = home.path('work');
    mkdirSync(folder);
    writeFileSync(home.path('work/give-key'), '#!/bin/sh\ntouch "$HOME/ran"; echo sk-of-the-workspace');
    chmodSync(home.path('work/give-key'), 0o755);
    const more = { settings: { apiKeyCommand: ['give-key'] }, path: `${folder}:/usr/bin:/bin` };
    const { message } = await failure(await choose('http://127.0.0.1:9', { ...more, roots: [folder] }));
    expect(message).toBe(
      'No key for the model: `give-key` (model.apiKeyCommand) was not found. Install it, or name it by its full path in the setting.',
    );
    expect(existsSync(home.path('ran'))).toBe(false);
    await failure(await choose('http://127.0.0.1:9', more));
    expect(existsSync(home.path('ran'))).toBe(true);
  });

  it('is told of a list, and of a model that is to be found by one', async () => {
    act('exit 1');
    const choice = await choose('http://127.0.0.1:9', { settings: { model: '' } });
    await expect(listModels(choice, signal)).rejects.toThrow(/exit code 1/);
    await expect(createModel(choice)).rejects.toThrow(/exit code 1/);
  });

  it('is refused where it is no command, or where nobody said how to run it', async () => {
    await expect(choose('http://127.0.0.1:9', { settings: { apiKeyCommand: 'a | b' } })).rejects.toThrow(
      /is no command/,
    );
    const apiKeyCommand = { value: 'a', origin: 'settings' };
    const { keys: _, ...bare } = await choose('http://127.0.0.1:9');
    await expect(createModel({ ...bare, apiKeyCommand })).rejects.toThrow(/withKeyCommand/);
  });
});

it('gets the environment of commands: no key of another model', async () => {
  act('env >seen; echo sk-printed-0123456789');
  await failure(await choose('http://127.0.0.1:9'));
  const seen = readFileSync(home.path('seen'), 'utf8');
  expect(seen).toContain(`HOME=${home.root}`);
  expect(seen).not.toContain('sk-of-the-environment');
});
