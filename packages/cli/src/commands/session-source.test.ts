import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '@tenon/core/testing';
import { runInProcess, type Finished } from '../testing/run-in-process.js';

let folder: string;
let model: ScriptedModel;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tenon-resume-')));
  mkdirSync(path.join(folder, 'work'));
  model = await startScriptedModel(Array.from({ length: 6 }, (_value, index) => ({ text: `answer ${index + 1}` })));
});

afterEach(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Result {
  readonly sessionId: string;
  readonly result: string;
}

async function run(...args: string[]): Promise<Finished & { readonly json: Result }> {
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: model.model };
  const finished = await runInProcess(folder, ['--output-format', 'json', ...args], {
    env,
    stdin: () => Readable.from([]),
  });
  return { ...finished, json: JSON.parse(finished.stdout) as Result };
}

const sent = (index: number): string => JSON.stringify(model.requests[index]?.body.messages);

it('goes on with the newest session, and with the one that is named', async () => {
  const first = await run('-p', 'the first question');
  const other = await run('-p', 'something else');
  const third = await run('--continue', '-p', 'and then?');
  expect(third.json.sessionId).toBe(other.json.sessionId);
  expect(sent(2)).toContain('something else');
  expect(sent(2)).not.toContain('the first question');
  const fourth = await run('--resume', first.json.sessionId.slice(0, 13), 'go on');
  expect(fourth.json).toMatchObject({ sessionId: first.json.sessionId, result: 'answer 4' });
  expect(sent(3)).toContain('the first question');
});

it('goes on in a copy with --fork', async () => {
  const first = await run('-p', 'the first question');
  const fork = await run('--continue', '--fork', '-p', 'what if?');
  expect(fork.json.sessionId).not.toBe(first.json.sessionId);
  expect(sent(1)).toContain('the first question');
  const again = await run(`--resume=${first.json.sessionId}`, '-p', 'go on');
  expect(sent(2)).not.toContain('what if?');
  expect(again.code).toBe(0);
});

it('says so when there is nothing to go on with, or nobody to choose', async () => {
  expect(await run('-c', '-p', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no session') as string,
  });
  const { json } = await run('-p', 'x');
  const chosen = await run('--resume', '-p', 'x');
  expect(chosen).toMatchObject({ code: 2, stderr: expect.stringContaining(json.sessionId) as string });
  const named = await run('--resume=00000000', '-p', 'x');
  expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('00000000') as string });
  expect(model.requests).toHaveLength(1);
  expect(readdirSync(path.join(folder, 'work'))).toEqual([]);
});

it('refuses one that is open, and one that is none, with the code of what is not understood', async () => {
  let second: Finished | undefined;
  const own = await startScriptedModel([
    { text: 'answer' },
    async () => {
      second = await runInProcess(folder, ['--continue', '-p', 'me too'], options);
      return { text: 'answer' };
    },
  ]);
  const options = { env: { OPENAI_BASE_URL: own.baseUrl, OPENAI_MODEL: own.model }, stdin: () => Readable.from([]) };
  try {
    await runInProcess(folder, ['-p', 'the first question'], options);
    await runInProcess(folder, ['--continue', '-p', 'go on'], options);
  } finally {
    await own.close();
  }
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('This session is open') as string });

  const notes = path.join(folder, 'work', 'notes.txt');
  writeFileSync(notes, 'no log at all\n');
  const refused = { code: 2, stderr: expect.stringContaining('notes.txt') as string };
  expect(await run(`--resume=${notes}`, '-p', 'x')).toMatchObject(refused);
  expect(await runInProcess(folder, ['replay', notes])).toMatchObject(refused);
});

it('gives the code of a folder that cannot be used where that of the session is gone', async () => {
  const { json } = await run('-p', 'x');
  const place = path.join(folder, 'home', '.tenon', 'projects');
  const log = readdirSync(place, { recursive: true, encoding: 'utf8' }).find((name) => name.includes(json.sessionId));
  rmSync(path.join(folder, 'work'), { recursive: true });
  mkdirSync(path.join(folder, 'other'));
  const replayed = await runInProcess(folder, [
    'replay',
    path.join(place, log ?? ''),
    '--cwd',
    path.join(folder, 'other'),
  ]);
  expect(replayed).toMatchObject({ code: 8, stderr: expect.stringContaining('is not there any more') as string });
});
