import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startScriptedModel, type ScriptedModel, type ScriptedTurn } from '@tenon/core/testing';

let folder: string;
let model: ScriptedModel | undefined;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tenon-embed-')));
});

afterEach(async () => {
  await model?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example as a program of its own, in the folder. */
async function run(example: string, turns: readonly ScriptedTurn[]): Promise<{ code: number | null; stdout: string }> {
  model = await startScriptedModel(turns);
  const file = fileURLToPath(new URL(example, import.meta.url));
  const env = { PATH: process.env['PATH'], HOME: folder, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: model.model };
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout };
}

const call = (name: string, args: object): ScriptedTurn => ({ toolCalls: [{ name, arguments: { ...args } }] });

it('an answer comes as data, and the program decides what is approved', async () => {
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\nthree\n');
  const finished = await run('count-lines.mjs', [
    call('read_file', { absolute_path: path.join(folder, 'notes.txt') }),
    call('run_shell_command', { command: 'touch made', description: 'for the test' }),
    call('structured_output', { lines: 3 }),
  ]);
  expect(finished).toEqual({ code: 0, stdout: '3 lines; 1 calls were refused\n' });
  expect(model?.requests[2]?.bodyText).toContain('is not needed for counting.');
});

it('a tool of the program is called, and the program sees what happens', async () => {
  const turns = [call('stock', { article: 'screws' }), { text: 'No: there are 1200.' }];
  const finished = await run('with-a-tool.mjs', turns);
  expect(finished).toEqual({ code: 0, stdout: 'stock screws: success\nNo: there are 1200.\n' });
});
