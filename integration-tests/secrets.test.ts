import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ScriptedTurn } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, MAIN, type Bench } from './cli-process.js';

/** In pieces, so that no scanner takes this file for a leak. */
const STRIPE = ['sk_', 'live_51Hq8ZrT7Wm4Xc9Vb1Nf6Tj3Hg'].join('');
const TOKEN = 'f7Kp2xQz9LmV4tRwBn3Hs6';
const FORMS = [STRIPE, TOKEN].flatMap((value) => [
  value,
  Buffer.from(value).toString('hex'),
  Buffer.from(value).toString('base64').slice(0, -4),
]);

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const turns = (workspace: string): readonly ScriptedTurn[] => [
  call('read_file', { absolute_path: path.join(workspace, '.env') }),
  call('run_shell_command', {
    command: 'cat .env; echo "$MY_TOKEN"; echo "$MY_TOKEN" | xxd -p | tr -d "\\n"; base64 .env',
  }),
  call('edit', {
    file_path: path.join(workspace, '.env'),
    old_string: 'STRIPE_KEY=__secret:STRIPE_KEY__\nPORT=3000',
    new_string: 'STRIPE_KEY=__secret:STRIPE_KEY__\nPORT=4000',
  }),
  call('run_shell_command', { command: 'test "__secret:MY_TOKEN__" = "$MY_TOKEN" && echo it is the same' }),
  { text: `The port is 4000.` },
];

async function open(): Promise<Bench> {
  const scripted: ScriptedTurn[] = [];
  bench = await createBench(
    Array.from({ length: 5 }, (_, index) => () => scripted[index] ?? { text: 'no more' }),
    {
      files: { '.env': `STRIPE_KEY=${STRIPE}\nPORT=3000\n` },
      settings: JSON.stringify({ permissions: { allow: ['Secret(MY_*)', 'Edit(.env)'] } }),
    },
  );
  scripted.push(...turns(bench.workspace));
  return bench;
}

/** All that was sent and written, but for what undo needs. */
function leaks({ model, tenonHome }: Bench, ...shown: readonly string[]): string[] {
  const files = filesBelow(path.dirname(tenonHome)).filter((file) => !/\/journal\/(?:blobs|watch)\//.test(file));
  const places = [
    ...model.requests.map(({ bodyText }, index) => [`request ${index}`, bodyText] as const),
    ...shown.map((text) => ['shown', text] as const),
    ...files.map((file) => [file, readFileSync(file, 'latin1')] as const),
  ];
  return FORMS.flatMap((form) => places.flatMap(([place, text]) => (text.includes(form) ? [`${place}: ${form}`] : [])));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    const info = statSync(file, { throwIfNoEntry: false });
    if (info?.isDirectory() === true) return filesBelow(file);
    return info?.isFile() === true ? [file] : [];
  });
}

describe('secrets, by every door', () => {
  it.each(['text', 'json', 'stream-json'])('are hidden in a headless run that prints %s', async (format) => {
    const here = await open();
    const args = ['-p', 'Change the port', '--approval-mode', 'yolo', '--output-format', format];
    const { code, stdout, stderr } = await here.run(args, { env: { MY_TOKEN: TOKEN } });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readFile(path.join(here.workspace, '.env'), 'utf8')).toBe(`STRIPE_KEY=${STRIPE}\nPORT=4000\n`);
    expect(JSON.stringify(here.model.requests.at(-1)?.body.messages)).toContain('it is the same');
    expect(leaks(here, stdout, stderr)).toEqual([]);
  });

  it('are hidden from an editor', async () => {
    const here = await open();
    const stdout = await promptByAcp(here);
    expect(await readFile(path.join(here.workspace, '.env'), 'utf8')).toBe(`STRIPE_KEY=${STRIPE}\nPORT=4000\n`);
    expect(stdout).toContain('__secret:STRIPE_KEY__');
    expect(leaks(here, stdout)).toEqual([]);
  });

  it('of environment files that no call names are hidden, and a stranger\u2019s file does not hold up a start', async () => {
    const key = 'N3sted9Qx7Zp2Lm4VtRw';
    bench = await createBench(
      [
        call('run_shell_command', { command: 'cat packages/*/.env; grep -rn TOKEN packages' }),
        call('grep_search', { pattern: 'DEEP', include: '**/.env' }),
        { text: 'done' },
      ],
      {
        files: {
          'packages/a/.env': `DEEP_TOKEN=${key}\n`,
          '.env.local': `A=x${' '.repeat(900_000)}y\n`,
          '.env.other': Array.from({ length: 30_000 }, (_, at) => `K${at}_TOKEN=v${at}aB9cD3eF5gH7`).join('\n'),
        },
      },
    );
    const began = performance.now();
    const { code, stdout, stderr } = await bench.run(['-p', 'look', '--approval-mode', 'yolo']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('DEEP_TOKEN=__secret:DEEP_TOKEN__');
    const told = [stdout, stderr, ...bench.model.requests.map(({ bodyText }) => bodyText)].join('\n');
    expect(told).not.toContain(key);
  });

  it('are hidden in a call that a person makes, and listed by name', async () => {
    const here = await open();
    const env = { MY_TOKEN: TOKEN, NOT_SO: 'plain words' };
    const made = await here.run(
      ['call', 'run_shell_command', JSON.stringify({ command: 'cat .env; echo $MY_TOKEN' })],
      { env },
    );
    const read = await here.run(
      ['call', 'read_file', JSON.stringify({ absolute_path: path.join(here.workspace, '.env') })],
      { env },
    );
    expect(read.stdout).toContain('__secret:STRIPE_KEY__');
    const listed = await here.run(['secrets'], { env });
    expect(listed.stdout).toContain('__secret:MY_TOKEN__: the environment variable MY_TOKEN');
    expect(listed.stdout).toContain(`__secret:STRIPE_KEY__: STRIPE_KEY in ${path.join(here.workspace, '.env')}`);
    const asData = await here.run(['secrets', 'list', '--json'], { env });
    expect((JSON.parse(asData.stdout) as { isEnabled: boolean }).isEnabled).toBe(true);
    const explained = await here.run(['secrets', 'explain', 'NOT_SO'], { env });
    expect(explained.stdout).toContain('its name does not say that it is a secret');
    const wrong = await here.run(['secrets', 'show'], { env });
    expect(wrong.code).toBe(2);
    expect(
      leaks(here, ...[made, read, listed, asData, explained].flatMap(({ stdout, stderr }) => [stdout, stderr])),
    ).toEqual([]);
  });
});

/** One prompt, with everything allowed that is asked about; what the program wrote. */
async function promptByAcp({ workspace, tenonHome, model }: Bench): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'acp', '--approval-mode', 'yolo'], {
    cwd: path.dirname(workspace),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: path.dirname(tenonHome),
      TENON_HOME: tenonHome,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'sk-secret-key',
      OPENAI_MODEL: model.model,
      MY_TOKEN: TOKEN,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines: string[] = [];
  const answers = new Map<unknown, (result: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message = JSON.parse(line) as { id?: unknown; method?: string; result?: Record<string, unknown> };
    if (message.method === 'session/request_permission')
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { outcome: { outcome: 'selected', optionId: 'once' } } })}\n`,
      );
    else if (message.method === undefined) answers.get(message.id)?.(message.result ?? {});
  });
  const ask = (id: number, method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await ask(2, 'session/new', { cwd: workspace, mcpServers: [] });
  await ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Change the port' }] });
  child.stdin.end();
  await ended;
  return lines.join('\n');
}
