import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { attend, type AttendEnd, type Silence, type Wish } from './attend-command.js';
import { CommandSupervisor } from './command-supervisor.js';
import type { CommandInputKind } from './command-types.js';
import { linearPattern } from '../util/linear-pattern.js';
import type { LiveCommand } from './live-command.js';

const folder = mkdtempSync(join(tmpdir(), 'attend-'));
/** Where the optional package for terminals stands when it is not this one's. */
const { TENON_TEST_TERMINALS: terminals } = process.env;
const supervisor = new CommandSupervisor(terminals === undefined ? {} : { terminalPackage: terminals });
const started: LiveCommand[] = [];
let count = 0;
const hasTerminals = canResolve(terminals ?? '@lydell/node-pty');

function canResolve(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

afterEach(async () => {
  for (const live of started.splice(0)) await live.stop('stopped');
});
afterAll(() => {
  supervisor.endAll();
  rmSync(folder, { recursive: true, force: true });
});

async function start(shell: string, input: CommandInputKind = 'none'): Promise<LiveCommand> {
  const live = await supervisor.start({
    command: { shell },
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, GIT_TERMINAL_PROMPT: '0' },
    timeoutMs: 1,
    keepBytes: 64_000,
    spoolFile: join(folder, `spool-${(count += 1)}`),
    input,
  });
  if (typeof live === 'string') throw new Error(live);
  started.push(live);
  return live;
}

const wait = (live: LiveCommand, wish: Partial<Wish> = {}): Promise<AttendEnd> =>
  attend(live, { timeoutMs: 12_000, signal: new AbortController().signal, ...wish });

describe('waiting for a command', () => {
  it('ends with its exit', async () => {
    expect(await wait(await start('exit 3'))).toMatchObject({ kind: 'exit', outcome: { exitCode: 3 } });
  });

  it('ends with the time and with the call, and leaves the command alone', async () => {
    const live = await start('sleep 30');
    expect(await wait(live, { timeoutMs: 50 })).toEqual({ kind: 'time' });
    expect(await wait(live, { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' });
    expect(live.outcome).toBeUndefined();
  });

  it('ends with a line, whole or not, in pieces or not, printed already or not', async () => {
    const pattern = { pattern: linearPattern('b €'), from: 0 };
    const live = await start(String.raw`printf 'a\nb \xe2\x82'; sleep 0.3; printf '\xac c'; sleep 30`);
    expect(await wait(live, { pattern })).toMatchObject({ kind: 'pattern', line: expect.stringMatching(/^b €/) });
    expect(await wait(live, { pattern })).toMatchObject({ kind: 'pattern' });
    expect(await wait(live, { pattern: { ...pattern, from: live.totalBytes }, timeoutMs: 50 })).toEqual({
      kind: 'time',
    });
  });

  it('tells silence while it lasts, and whether the command works', async () => {
    const told: Silence[] = [];
    const wish = { timeoutMs: 5000, silentAfterMs: 2000, onSilence: (silence: Silence) => void told.push(silence) };
    const [idle, busy] = [await start('sleep 30'), await start('while :; do :; done')];
    await Promise.all([wait(idle, wish), wait(busy, wish)]);
    expect(new Set(told.map(({ isBusy }) => isBusy))).toEqual(new Set([false, true]));
    expect(told.every(({ seconds }) => seconds >= 2 && seconds <= 5)).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')('a program that waits for input', () => {
  it('is noticed within seconds, whatever it is', async () => {
    const begin = performance.now();
    const commands = [
      'read line; echo $line',
      `python3 -c "input('Name: ')"`,
      'cat',
      '(sleep 0.1; exec head -n 1)',
      `node -e "require('readline').createInterface({input: process.stdin, output: process.stdout}).question('Go on? ', () => {})"`,
    ];
    const kinds = commands.map(async (command) => [command, (await wait(await start(command, 'pipe'))).kind]);
    expect(await Promise.all(kinds)).toEqual(commands.map((command) => [command, 'input']));
    expect(performance.now() - begin).toBeLessThan(12_000);
  });

  it('is not taken for one that sleeps, works, waits for its own first part, prints or serves', async () => {
    const commands = [
      'sleep 30',
      'while :; do :; done',
      'sleep 30 | cat',
      'while sleep 1; do echo .; done',
      `echo "listening at :80"; node -e "process.stdin.resume(); setInterval(() => {}, 1e6)"`,
    ];
    const kinds = commands.map(async (command) => [
      command,
      (await wait(await start(command, 'pipe'), { timeoutMs: 4000 })).kind,
    ]);
    expect(await Promise.all(kinds)).toEqual(commands.map((command) => [command, 'time']));
  });

  it('ends by itself where there is nothing to read', async () => {
    for (const command of [
      'ssh-keygen -q -t ed25519 -N secret -f locked; ssh-keygen -y -f locked',
      String.raw`printf 'protocol=https\nhost=x\n' | git credential fill`,
      'cat',
      'read -p "Name: " x',
      'python3 -c "input()"',
      'npm init',
      'ssh -o BatchMode=no nobody@127.0.0.1 -p 1',
    ])
      expect((await wait(await start(command))).kind).toBe('exit');
  });
});

describe('a terminal', () => {
  it.skipIf(hasTerminals)('that cannot be had is replaced by pipes, and it is said', async () => {
    const live = await start('test -t 0 || echo none', 'terminal');
    expect(await live.ended).toMatchObject({ head: 'none\n', notes: [expect.stringContaining('no terminal')] });
  });

  it.runIf(hasTerminals)(
    'is one for the program, whose question is told',
    async () => {
      const live = await start(
        'test -t 0 && test -t 1 && tty > /dev/tty; read -sp "Password: " x; echo; echo "got $x"; exit 3',
        'terminal',
      );
      expect(await wait(live)).toEqual({ kind: 'input', prompt: 'Password:' });
      await live.stdin?.write('secret\n');
      const outcome = await live.ended;
      expect(outcome).toMatchObject({ exitCode: 3, ending: 'exited' });
      expect(outcome.head).toMatch(/^\/dev\/pts\/\d+\r\nPassword: \r\ngot secret\r\n$/);
    },
    20_000,
  );

  it.runIf(hasTerminals)(
    'is noticed with what ssh-keygen and node ask there',
    async () => {
      const keys = await start('ssh-keygen -f key', 'terminal');
      expect(await wait(keys)).toMatchObject({ kind: 'input', prompt: expect.stringContaining('passphrase') });
      const git = await start(String.raw`printf 'protocol=https\nhost=x\n' | git credential fill`, 'terminal');
      expect(await wait(git)).toMatchObject({ kind: 'input', prompt: expect.stringContaining('Username') });
      const node = await start('npm init', 'terminal');
      expect(await wait(node)).toMatchObject({ kind: 'input', prompt: expect.stringContaining('package name') });
    },
    30_000,
  );

  it.runIf(hasTerminals)(
    'belongs to nobody else: commands that start meanwhile do not inherit it',
    async () => {
      await start('sleep 30', 'terminal');
      const list = 'ls -l /proc/self/fd; exit 7';
      for (const { ended } of [await start(list), await start(list, 'terminal')]) {
        const { head, exitCode } = await ended;
        expect(head).toContain('->');
        expect(head).not.toContain('ptmx');
        expect(exitCode).toBe(7);
      }
    },
    20_000,
  );

  it.runIf(hasTerminals)(
    'ends with all that runs in it, and takes much output in little memory',
    async () => {
      const live = await start('(setsid sleep 30 &); seq 1 200000; echo done; sleep 30', 'terminal');
      const pattern = { pattern: linearPattern('^done$'), from: 0 };
      expect(await wait(live, { pattern })).toMatchObject({ kind: 'pattern' });
      const outcome = await live.stop('stopped');
      expect(outcome).toMatchObject({ ending: 'stopped', totalBytes: 1_288_895 + 200_000 + 6 });
      expect(live.tree.living()).toEqual([]);
    },
    20_000,
  );
});
