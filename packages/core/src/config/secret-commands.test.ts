import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommandRequest } from '../process/command-types.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { Secrets } from '../secrets/secrets.js';
import { secretCommands } from './secret-commands.js';

const TOKEN = 'f7Kp2xQz9LmV4tRwBn3Hs6';
let folder: string;
let supervisor: CommandSupervisor;
let secrets: Secrets;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-commands-'));
  supervisor = new CommandSupervisor({ recordFolder: folder });
  secrets = new Secrets({ environment: { MY_TOKEN: TOKEN }, roots: [folder], key: () => Buffer.alloc(32, 1) });
});
afterEach(() => {
  supervisor.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const request = (shell: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
  command: { shell },
  cwd: folder,
  env: { PATH: process.env['PATH'] ?? '', MY_TOKEN: TOKEN },
  timeoutMs: 20_000,
  keepBytes: 4096,
  spoolFile: join(folder, 'spool.txt'),
  ...more,
});

it('keep no secret in memory, in the file or in what is told meanwhile, wherever pieces end', async () => {
  const told: string[] = [];
  const { run } = secretCommands(supervisor, secrets);
  const halves = `for i in $(seq 1 3000); do printf '%s' "\${MY_TOKEN:0:9}"; printf '%s %s\\n' "\${MY_TOKEN:9}" $i; done`;
  const slow = `printf '%s' "\${MY_TOKEN:0:9}"; sleep 0.4; printf '%s\\n' "\${MY_TOKEN:9}"`;
  const outcome = await run(
    request(`${slow}; ${halves}; ${slow}`, { onOutput: (text) => told.push(text) }),
    new AbortController().signal,
  );
  const everything = [outcome.head, outcome.tail, ...told, readFileSync(join(folder, 'spool.txt'), 'utf8')].join('\n');
  for (let at = 0; at + 8 <= TOKEN.length; at += 1) expect(everything).not.toContain(TOKEN.slice(at, at + 8));
  expect(
    readFileSync(join(folder, 'spool.txt'), 'utf8')
      .split('\n')
      .filter((line) => / \d+$/.test(line)),
  ).toHaveLength(3000);
});

it('show an unfinished line soon, as programs write it that wait for an answer', async () => {
  const { start } = secretCommands(supervisor, secrets);
  const live = await start(request(`printf 'The fine file: '; sleep 5`));
  if (typeof live === 'string') throw new Error(live);
  const end = performance.now() + 3000;
  while (live.newest(100) === '' && performance.now() < end) await sleep(10);
  expect(live.newest(100)).toBe('The fine file: ');
  await live.stop('stopped');
});

it('get what the call was lent, and no other does', async () => {
  const { run } = secretCommands(supervisor, secrets);
  const { signal } = new AbortController();
  const command = request('printf %s "__secret:MY_TOKEN__" | wc -c');
  const lent = { placeholders: new Map([['__secret:MY_TOKEN__', TOKEN]]), hasEnvironment: true };
  const [with_, without] = await Promise.all([
    secrets.lend(lent, async () => run(command, signal)),
    run(command, signal),
  ]);
  expect(with_.head.trim()).toBe(String(TOKEN.length));
  expect(without.head.trim()).toBe(String('__secret:MY_TOKEN__'.length));
});

it('leave variables that hold secrets out of what nobody approved, whatever they are called', async () => {
  const { run } = secretCommands(supervisor, secrets);
  const env = { PATH: process.env['PATH'] ?? '', MY_TOKEN: TOKEN, COPY: `x-${TOKEN}`, PLAIN: 'plain words' };
  const { head } = await secrets.lend({ placeholders: new Map(), hasEnvironment: false }, async () =>
    run(request('for v in MY_TOKEN COPY PLAIN; do echo "$v=${!v}" | rev; done', { env }), new AbortController().signal),
  );
  expect(head).toBe('=NEKOT_YM\n=YPOC\nsdrow nialp=NIALP\n');
});
