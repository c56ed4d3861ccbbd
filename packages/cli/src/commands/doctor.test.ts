import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { startScriptedModel, type ScriptedModel } from '@tenon/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseArguments } from '../arguments/parse-arguments.js';
import type { Finding } from '../doctor/check.js';
import { createExits } from '../exits.js';
import { createInterrupts } from '../interrupts.js';
import { createOutput, type Output } from '../output.js';
import { doctorCommand } from './doctor.js';

let folder: string;
let model: ScriptedModel;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-doctor-')));
  for (const name of ['work', 'home', 'home/.tenon']) await mkdir(path.join(folder, name), { mode: 0o700 });
  model = await startScriptedModel([]);
});

afterEach(async () => {
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

async function doctor(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  let text = '';
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const out: Output = createOutput(stream as unknown as Parameters<typeof createOutput>[0], {}, () => undefined);
  const home = path.join(folder, 'home');
  const { options } = parseArguments(['doctor', ...args]);
  const code = await doctorCommand(
    {
      version: '1.2.3',
      args,
      cwd: path.join(folder, 'work'),
      userHome: home,
      tenonHome: path.join(home, '.tenon'),
      tempFolder: folder,
      stdin: () => new PassThrough(),
      out,
      err: out,
      screen: { output: out, stream: () => new PassThrough() },
      interrupts: createInterrupts(() => undefined),
      exits: createExits(),
      nodePath: process.execPath,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        LANG: 'C.UTF-8',
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_MODEL: model.model,
        ...env,
      },
    },
    options,
  );
  return { code, text };
}

const findings = async (env: Record<string, string> = {}): Promise<Finding[]> =>
  JSON.parse((await doctor(['--json'], env)).text) as Finding[];
const named = (all: readonly Finding[], name: string): Finding | undefined => all.find((each) => each.name === name);

it('tells what is there, side by side, and exits well', async () => {
  const { code, text } = await doctor([]);
  expect(code).toBe(0);
  expect(text).toMatch(/^· tenon +1\.2\.3$/m);
  expect(text).toMatch(new RegExp(`^✓ node +${process.versions.node.replaceAll('.', '\\.')}`, 'm'));
  expect(text).toMatch(/^✓ git +\d+\.\d+\S* \//m);
  expect(text).toMatch(/^✓ ripgrep +\d+\.\d+\S* \//m);
  expect(text).toMatch(/^✓ model +openai\/scripted, its endpoint answers$/m);
  expect(text).toMatch(/^. sandbox /m);
  expect(text).toContain(`${path.join(folder, 'work')}, not decided`);
  expect(text).toContain('Nothing is wrong');
  expect(model.requests).toEqual([]);
});

it('says what is wrong, however broken the settings are, and what helps', async () => {
  await writeFile(path.join(folder, 'home', '.tenon', 'settings.json'), '{"permissions": {"deny": 1}}');
  const { code, text } = await doctor([], { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
  expect(code).toBe(1);
  expect(text).toMatch(/^✗ settings +.*permissions\.deny/m);
  expect(text).toMatch(/^✗ model +openai\/scripted: /m);
  expect(text).toMatch(/\d problems\.$/m);
});

it('names the model that its endpoint does not have', async () => {
  const all = await findings({ OPENAI_MODEL: 'unknown-model' });
  expect(named(all, 'model')).toEqual({
    name: 'model',
    state: 'missing',
    text: 'openai/unknown-model: its endpoint answers, but does not list it',
  });
});

it('names proxies without their passwords', async () => {
  const text = JSON.stringify(
    await findings({ https_proxy: 'http://me:secret@proxy.example:3128', no_proxy: '127.0.0.1' }),
  );
  expect(text).toContain('https_proxy: proxy.example:3128');
  expect(text).not.toContain('secret');
});

it.runIf(process.getuid?.() !== undefined)('sees a home that others can change', async () => {
  await chmod(path.join(folder, 'home', '.tenon'), 0o777);
  const home = named(await findings(), 'home');
  expect(home).toMatchObject({ state: 'problem', advice: expect.stringContaining('chmod go-w') as string });
});

it('starts no program of the workspace', async () => {
  const trap = path.join(folder, 'work', 'git');
  await writeFile(trap, `#!/bin/sh\n: > ${path.join(folder, 'ran')}\n`, { mode: 0o755 });
  const all = await findings({ PATH: `${path.join(folder, 'work')}:${process.env['PATH'] ?? ''}` });
  expect(named(all, 'git')?.text).not.toContain(folder);
  await expect(realpath(path.join(folder, 'ran'))).rejects.toThrow();
});

it('tries the collector where telemetry is on, and says nothing of it where it is off', async () => {
  expect(named(await findings(), 'telemetry')).toBeUndefined();
  const file = path.join(folder, 'home', '.tenon', 'settings.json');
  await writeFile(file, JSON.stringify({ telemetry: { endpoint: 'http://me:hunter2@127.0.0.1:9' } }));
  const found = named(await findings(), 'telemetry');
  expect(found).toMatchObject({ state: 'problem' });
  expect(found?.text).toMatch(/^http:\/\/127\.0\.0\.1:9: /);
  expect(JSON.stringify(found)).not.toContain('hunter2');
  const taking = createServer((_request, response) => response.writeHead(200).end('{}'));
  await new Promise<void>((resolve) => taking.listen(0, '127.0.0.1', resolve));
  try {
    const endpoint = `http://127.0.0.1:${(taking.address() as AddressInfo).port}`;
    await writeFile(file, JSON.stringify({ telemetry: { endpoint } }));
    const text = `${endpoint} takes traces and metrics`;
    expect(named(await findings(), 'telemetry')).toEqual({ name: 'telemetry', state: 'good', text });
  } finally {
    taking.closeAllConnections();
    taking.close();
  }
});
