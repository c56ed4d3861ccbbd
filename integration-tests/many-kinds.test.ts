import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { RecordedRequest, ScriptedTurn } from '@tenon/core/testing';
import { afterEach, expect, it } from 'vitest';
import { createBench, eventsIn, type Bench } from './cli-process.js';

let bench: Bench | undefined;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  await bench?.end();
  for (const end of ends.splice(0)) await end();
});

const call = (name: string, args: object): ScriptedTurn => ({ toolCalls: [{ name, arguments: { ...args } }] });

it('looks things up, counts, writes, runs, remembers and hands work on, in one session and with no code about (S1, S9)', async () => {
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Frost</h1><p>The last frost comes in May.</p>');
  });
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
  ends.push(async () => new Promise((resolve) => void site.close(() => resolve())));
  const { port } = site.address() as AddressInfo;
  const seen: string[] = [];
  let turn = 0;
  const main: ScriptedTurn[] = [];
  bench = await createBench(
    Array.from({ length: 20 }, () => ({ body }: RecordedRequest) => {
      if (JSON.stringify(body.messages).includes('You are the subagent')) return { text: 'Beans need warmth.' };
      return main[turn++] ?? { text: 'The plan stands in plan.md.' };
    }),
    {
      files: { 'beds.csv': 'bed,crop\nnorth,beans\nsouth,peas\nwest,beans\n', 'letters/aunt.txt': 'Sow beans late.\n' },
      settings: JSON.stringify({ web: { allowPrivateHosts: [`localhost:${port}`], askAfterUntrusted: false } }),
    },
  );
  const { workspace } = bench;
  main.push(
    call('grep_search', { pattern: 'beans', output_mode: 'count' }),
    call('read_many_files', { paths: ['letters/*.txt'] }),
    call('web_fetch', { url: `http://localhost:${port}/frost` }),
    call('task', { description: 'ask', prompt: 'What do beans need?', subagent_type: 'explore' }),
    call('run_shell_command', { command: 'tail -n +2 beds.csv | cut -d, -f2 | sort | uniq -c' }),
    call('write_file', {
      file_path: path.join(workspace, 'plan.md'),
      content: '# Beans\n\nSow after the last frost.\n',
    }),
    call('save_memory', { fact: 'The last frost comes in May.' }),
  );
  const run = await bench.run(['-p', 'Plan the beans.', '--approval-mode', 'yolo', '--output-format', 'stream-json']);
  for (const event of eventsIn(run.stdout))
    if (event.type === 'tool-call-end') seen.push(`${event.toolName} ${event.status}`);
  expect(run.code).toBe(0);
  expect(seen).toEqual(main.map(({ toolCalls }) => `${toolCalls?.[0]?.name ?? ''} success`));
  expect(await readFile(path.join(workspace, 'plan.md'), 'utf8')).toContain('last frost');
  const told = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  for (const words of ['The last frost comes in May', 'Beans need warmth', '2 beans', 'Sow beans late'])
    expect(told).toContain(words);
});
