import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScriptedTurn } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench, type BenchOptions } from './cli-process.js';

const WATCH = fileURLToPath(new URL('watch-connections.mjs', import.meta.url));
const SECRET = 'q7-Xk2-not-a-word-93';

let bench: Bench | undefined;
let collector: Server | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
  collector?.close();
  collector = undefined;
});

/** Reading, searching, changing, a command that tells a secret, a subagent, and a fact to remember. */
const TURNS: readonly ScriptedTurn[] = [
  {
    toolCalls: [
      { name: 'read_file', arguments: { absolute_path: 'WORK/a.txt' } },
      { name: 'grep_search', arguments: { pattern: 'one' } },
      { name: 'glob', arguments: { pattern: '**/*' } },
      { name: 'run_shell_command', arguments: { command: 'node -e 0 && echo "token: $DEPLOY_TOKEN"' } },
      { name: 'save_memory', arguments: { fact: 'The project counts from one.' } },
    ],
  },
  { toolCalls: [{ name: 'edit', arguments: { file_path: 'WORK/a.txt', old_string: 'one', new_string: 'two' } }] },
  { toolCalls: [{ name: 'task', arguments: { description: 'Look', prompt: 'Look.', subagent_type: 'explore' } }] },
  { text: 'There is a file.' },
  { text: 'Done.' },
];

/** Runs the turn; what was connected to, each once. */
async function connectionsOf(options: BenchOptions, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const made = await createBench(
    TURNS.map((turn) => () => JSON.parse(JSON.stringify(turn).replaceAll('WORK', made.workspace)) as ScriptedTurn),
    { files: { 'a.txt': 'one\n' }, ...options },
  );
  bench = made;
  const file = path.join(path.dirname(made.workspace), 'connections');
  const { code, stderr, stdout } = await made.run(['-p', 'Go', '--approval-mode', 'yolo'], {
    env: { NODE_OPTIONS: `--import=${WATCH}`, CONNECTIONS_FILE: file, ...env },
  });
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Done.\n' });
  expect(made.model.requests).toHaveLength(TURNS.length);
  expect(await readFile(path.join(made.workspace, 'a.txt'), 'utf8')).toBe('two\n');
  return [...new Set((await readFile(file, 'utf8')).trimEnd().split('\n'))];
}

const hostOf = (url: string): string => `tcp ${new URL(url).host}`;

describe('what leaves the machine', () => {
  it('goes to the endpoint of the model and nowhere else, in a whole turn (S137, S142)', async () => {
    const collectors = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const connections = await connectionsOf({}, collectors);
    expect(connections).toEqual([hostOf(bench?.model.baseUrl ?? '')]);
  });

  it('goes to a collector as well, once the person names one', async () => {
    const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    collector = server;
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connections = await connectionsOf({ settings: JSON.stringify({ telemetry: { endpoint } }) });
    expect(connections.sort()).toEqual([hostOf(bench?.model.baseUrl ?? ''), hostOf(endpoint)].sort());
  });
});

describe('what is kept', () => {
  it('can be read by its owner only, and its logs have no known secret in them (S137, S142)', async () => {
    await connectionsOf({ files: { 'a.txt': 'one\n', '.env': `DEPLOY_TOKEN=${SECRET}\n` } }, { DEPLOY_TOKEN: SECRET });
    const home = bench?.tenonHome ?? '';
    const kept = readdirSync(home, { recursive: true, withFileTypes: true });
    const open = kept.filter((entry) => (statSync(path.join(entry.parentPath, entry.name)).mode & 0o077) !== 0);
    expect(open.map(({ name }) => name)).toEqual([]);
    const logs = kept
      .filter(({ name }) => name.endsWith('.jsonl'))
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(logs.some((log) => readFileSync(log, 'utf8').includes('__secret:DEPLOY_TOKEN__'))).toBe(true);
    expect(logs.filter((log) => readFileSync(log, 'utf8').includes(SECRET))).toEqual([]);
    expect(bench?.model.requests.filter(({ bodyText }) => bodyText.includes(SECRET))).toEqual([]);
  });
});
