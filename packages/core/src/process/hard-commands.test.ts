import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandSupervisor } from './command-supervisor.js';
import type { CommandOutcome, CommandRequest } from './command-types.js';
import type { LiveCommand } from './live-command.js';

const folder = mkdtempSync(join(tmpdir(), 'hard-'));
const supervisor = new CommandSupervisor();
let count = 0;
afterAll(() => {
  supervisor.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const request = (shell: string, change: Partial<CommandRequest> = {}): CommandRequest => ({
  command: { shell },
  cwd: folder,
  env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  timeoutMs: 20_000,
  keepBytes: 64_000,
  spoolFile: join(folder, `spool-${(count += 1)}`),
  ...change,
});
const run = (
  shell: string,
  signal = new AbortController().signal,
  change: Partial<CommandRequest> = {},
): Promise<CommandOutcome> => supervisor.run(request(shell, change), signal);

async function start(shell: string, change: Partial<CommandRequest> = {}): Promise<LiveCommand> {
  const live = await supervisor.start(request(shell, change));
  if (typeof live === 'string') throw new Error(live);
  return live;
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const pidsIn = (text: string): number[] => Array.from(text.matchAll(/pid (\d+)/g), (match) => Number(match[1]));

describe('a command that', () => {
  it('deletes its own working directory ends like any other', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    const outcome = await run('rm -rf "$PWD"; echo gone; ls; exit 2', undefined, { cwd: own });
    expect(outcome).toMatchObject({ exitCode: 2, ending: 'exited', head: 'gone\n' });
    expect(existsSync(own)).toBe(false);
  });

  it('has a writer without end behind a reader that stops', async () => {
    expect(await run('yes | head -n 3')).toMatchObject({ head: 'y\ny\ny\n', exitCode: 0, endedProcesses: 0 });
  });

  it('forks 200 children leaves none of them', async () => {
    const outcome = await run('for i in $(seq 200); do sleep 60 & echo "pid $!"; done');
    expect(outcome).toMatchObject({ exitCode: 0, endedProcesses: 200 });
    const pids = pidsIn(outcome.head);
    expect(pids).toHaveLength(200);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('makes daemons, by a double fork, by setsid, by both, leaves none of them', async () => {
    const outcome = await run(`
      ( ( sleep 60 & echo "pid $!" ) & )
      setsid sleep 60 & echo "pid $!"
      setsid bash -c '( setsid sleep 60 & echo "pid $!" ) &' > /dev/stdout
      nohup setsid sleep 60 > /dev/null 2>&1 & echo "pid $!"
      sleep 0.5`);
    const pids = pidsIn(outcome.head);
    expect(pids).toHaveLength(4);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('sleeps is gone within half a second of being cancelled, with nothing left', async () => {
    const cancel = new AbortController();
    const running = run('sleep 1000', cancel.signal);
    setTimeout(() => cancel.abort(), 200);
    const outcome = await running;
    expect(outcome).toMatchObject({ ending: 'cancelled', signal: 'SIGTERM' });
    expect(outcome.durationMs).toBeLessThan(200 + 500 + 1000);
  });

  it('reads ends at once: its input is empty', async () => {
    expect(await run('cat; echo "$?"')).toMatchObject({ head: '0\n' });
  });
});

describe('a command that is left alone', () => {
  it('writes all of its output to the file, whenever it was left alone', async () => {
    const live = await start('echo first; sleep 0.4; seq 1 100000; sleep 0.3; echo last');
    setTimeout(() => live.leaveAlone(1e9), 200);
    const all = `first\n${Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('')}last\n`;
    await live.ended;
    expect(readFileSync(live.spooled.spoolFile ?? '', 'utf8')).toBe(all);
  });

  it('can be read from the file while it runs, as often as one likes', async () => {
    const live = await start('for i in 1 2 3 4 5 6 7 8; do seq 1 40000; sleep 0.05; done; sleep 0.2');
    live.leaveAlone(1e9);
    let looks = 0;
    while (live.outcome === undefined) {
      const seen = live.totalBytes;
      await live.flush();
      if (seen > 0) expect(readFileSync(live.spooled.spoolFile ?? '').length).toBeGreaterThanOrEqual(seen);
      looks += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(looks).toBeGreaterThan(10);
    const part = Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(readFileSync(live.spooled.spoolFile ?? '', 'utf8')).toBe(part.repeat(8));
  });

  it('writes no more than it may, and goes on', async () => {
    const live = await start('head -c 3000000 /dev/zero; echo end');
    live.leaveAlone(100_000);
    const outcome = await live.ended;
    expect(outcome).toMatchObject({ totalBytes: 3_000_004, spooledBytes: 100_000, exitCode: 0 });
    expect(outcome.tail.endsWith('end\n')).toBe(true);
  });

  it('tells what is new by offset, each byte once', async () => {
    const live = await start(
      String.raw`for i in 1 2 3 4 5 6; do printf 'a\xe2\x82'; sleep 0.05; printf '\xac\n'; sleep 0.05; done`,
    );
    let text = '';
    let next = 0;
    const look = (): void => {
      const fresh = live.since(next);
      expect(fresh.omittedBytes).toBe(0);
      text += fresh.head;
      ({ next } = fresh);
    };
    const timer = setInterval(look, 10);
    await live.ended;
    clearInterval(timer);
    look();
    expect(text).toBe('a€\n'.repeat(6));
  });
});
