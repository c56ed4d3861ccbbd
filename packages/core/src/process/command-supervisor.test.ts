import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandSupervisor } from './command-supervisor.js';
import type { CommandOutcome, CommandRequest } from './command-types.js';

let folder: string;
const supervisor = new CommandSupervisor();
const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function request(shell: string, change: Partial<CommandRequest> = {}): CommandRequest {
  const spoolFile = join(folder, 'spool.txt');
  return {
    command: { shell },
    cwd: folder,
    env: environment,
    timeoutMs: 15_000,
    keepBytes: 64_000,
    spoolFile,
    ...change,
  };
}

function run(
  shell: string,
  change: Partial<CommandRequest> = {},
  signal = new AbortController().signal,
): Promise<CommandOutcome> {
  return supervisor.run(request(shell, change), signal);
}

/** Runs a command and cancels it once it has printed `ready`. */
async function runUntilReady(
  shell: string,
  change: Partial<CommandRequest> = {},
): Promise<CommandOutcome & { stopMs: number }> {
  const cancel = new AbortController();
  let cancelled = 0;
  const onOutput = (tail: string): void => {
    if (!tail.includes('ready') || cancel.signal.aborted) return;
    cancelled = performance.now();
    cancel.abort();
  };
  const outcome = await run(shell, { onOutput, ...change }, cancel.signal);
  return { ...outcome, stopMs: performance.now() - cancelled };
}

function isAlive(pid: number): boolean {
  try {
    // A zombie that nobody reaps is dead enough.
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function pidsIn(text: string): number[] {
  return [...text.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));
}

describe('the outcome', () => {
  it('has output and exit code (S119)', async () => {
    expect(await run('echo hello; exit 3')).toMatchObject({
      exitCode: 3,
      signal: null,
      ending: 'exited',
      head: 'hello\n',
      tail: '',
      totalBytes: 6,
      omittedBytes: 0,
      endedProcesses: 0,
    });
  });

  it('names the signal that ended the command', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', ending: 'exited' });
  });

  it('starts a program directly, without a shell to read its words', async () => {
    const outcome = await run('', { command: { argv: ['printf', '%s|', '$HOME', 'a b', ';'] } });
    expect(outcome.head).toBe('$HOME|a b|;|');
  });

  it('gives the command the variables of the request and no others', async () => {
    const outcome = await run('', { command: { argv: ['env'] }, env: { PATH: environment.PATH, ONE: '1' } });
    const names = outcome.head
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(new Set(names.filter((name) => name !== 'NODE_V8_COVERAGE'))).toEqual(
      new Set(['ONE', 'PATH', 'TENON_CALL_ID']),
    );
  });
});

describe('the order of stdout and stderr', () => {
  const script = 'for i in 1 2 3 4 5 6 7 8; do echo "out $i"; echo "err $i" >&2; done';
  const expected = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `out ${i}\nerr ${i}\n`).join('');

  it('is kept', async () => {
    expect((await run(script)).head).toBe(expected);
  });

  it('is kept where no FIFO can be made', async () => {
    const spoolFile = join(folder, 'missing', 'spool.txt');
    expect((await run(script, { spoolFile })).head).toBe(expected);
    const direct = supervisor.run(
      { command: { argv: ['bash', '-c', script] }, cwd: folder, env: environment, timeoutMs: 9000, keepBytes: 9000 },
      new AbortController().signal,
    );
    expect((await direct).head).toBe(expected);
  });

  it('is kept through a file name of the output, which a socket could not open', async () => {
    const outcome = await run(
      'echo a; echo b > /dev/stderr; echo c | tee /dev/stderr > /dev/null; echo d > /dev/stdout',
    );
    expect(outcome.head).toBe('a\nb\nc\nd\n');
  });

  it('leaves no name of a pipe behind', async () => {
    await run('true');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('stdin', () => {
  it('is empty: a bare `cat` ends at once', async () => {
    const outcome = await run('cat; read line; echo "read said $?"');
    expect(outcome.head).toBe('read said 1\n');
    expect(outcome.durationMs).toBeLessThan(2000);
  });

  it('is no terminal, and neither is there one behind it', async () => {
    const outcome = await run('test -t 0 || echo no; (: < /dev/tty) 2> /dev/null || echo none');
    expect(outcome.head).toBe('no\nnone\n');
  });
});

describe('bounded output', () => {
  it('keeps head, tail and an exact count, and all of it in an owner-only file', async () => {
    const outcome = await run('seq 1 200000', { keepBytes: 2000 });
    const all = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(all.startsWith(outcome.head)).toBe(true);
    expect(all.endsWith(outcome.tail)).toBe(true);
    expect(outcome.head.length + outcome.tail.length).toBe(2000);
    expect(outcome).toMatchObject({
      totalBytes: all.length,
      omittedBytes: all.length - 2000,
      spooledBytes: all.length,
    });
    expect(readFileSync(outcome.spoolFile ?? '', 'utf8')).toBe(all);
    expect(statSync(outcome.spoolFile ?? '').mode & 0o777).toBe(0o600);
  });

  it('writes no file when everything was kept', async () => {
    const outcome = await run('seq 1 100');
    expect(outcome.spoolFile).toBeUndefined();
    expect(existsSync(join(folder, 'spool.txt'))).toBe(false);
  });

  it('never writes through a file or link that is there already, and runs on without the spool', async () => {
    writeFileSync(join(folder, 'spool.txt'), 'mine');
    const outcome = await run('seq 1 100000', { keepBytes: 100 });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome).not.toHaveProperty('spoolFile');
    expect(outcome.tail).toContain('100000');
    expect(readFileSync(join(folder, 'spool.txt'), 'utf8')).toBe('mine');
  });

  it('holds 200 MB without growing', async () => {
    const script = `
      import { CommandSupervisor } from ${JSON.stringify(fileURLToPath(new URL('./command-supervisor.ts', import.meta.url)))};
      const request = (shell) => ({ command: { shell }, cwd: ${JSON.stringify(folder)}, env: process.env, timeoutMs: 60000,
        keepBytes: 48000, spoolFile: ${JSON.stringify(folder)} + '/spool-' + Math.random() });
      const supervisor = new CommandSupervisor();
      const signal = new AbortController().signal;
      await supervisor.run(request('head -c 1000000 /dev/zero'), signal);
      const before = process.memoryUsage().rss;
      let peak = 0;
      const watch = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 5);
      const outcome = await supervisor.run(request('head -c 200000000 /dev/zero'), signal);
      clearInterval(watch);
      console.log(JSON.stringify({ grown: peak - before, total: outcome.totalBytes, spooled: outcome.spooledBytes }));
    `;
    const bundle = join(folder, 'flood.mjs');
    const { build } = await import('esbuild');
    await build({
      stdin: { contents: script, resolveDir: folder, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
    });
    const { stdout } = await promisify(execFile)(process.execPath, [bundle]);
    const result: unknown = JSON.parse(stdout);
    expect(result).toMatchObject({ total: 200_000_000, spooled: 200_000_000 });
    expect((result as { grown: number }).grown).toBeLessThan(24 * 1024 * 1024);
  });

  it('leaves the neighbours of an invalid byte alone', async () => {
    const outcome = await run(String.raw`printf 'a\xffb\xe2\x82c € 🙂\n'`);
    expect(outcome.head).toBe('a\ufffdb\ufffdc € 🙂\n');
  });

  it('tells the newest output while it runs, at most ten times a second', async () => {
    const told: { at: number; tail: string }[] = [];
    const onOutput = (tail: string): void => void told.push({ at: performance.now(), tail });
    await run('for i in 1 2 3 4 5 6; do echo "step $i"; sleep 0.1; done', { onOutput });
    expect(told[0]?.tail).toContain('step 1');
    expect(told.at(-1)?.tail).toContain('step 5');
    expect(told.length).toBeLessThanOrEqual(9);
    for (const [index, { at }] of told.entries())
      if (index > 0) expect(at - (told[index - 1]?.at ?? 0)).toBeGreaterThan(95);
  });

  it('goes on when the listener fails', async () => {
    const onOutput = (): void => {
      throw new Error('door closed');
    };
    expect(await run('echo a; sleep 0.2; echo b', { onOutput })).toMatchObject({ exitCode: 0, head: 'a\nb\n' });
  });
});

describe('what a command leaves running', () => {
  it('does not delay the answer, is ended and counted', async () => {
    const outcome = await run('sleep 8 & echo "pid $!"');
    expect(outcome).toMatchObject({ exitCode: 0, ending: 'exited', endedProcesses: 1 });
    expect(outcome.durationMs).toBeLessThan(1000);
    expect(pidsIn(outcome.head).map(isAlive)).toEqual([false]);
  });

  it('is found in another session, and when TERM does not impress it', async () => {
    const outcome = await run(`setsid bash -c 'trap "" TERM; echo "pid $$"; while :; do sleep 1; done' & sleep 0.3`);
    expect(pidsIn(outcome.head)).toHaveLength(1);
    expect(pidsIn(outcome.head).map(isAlive)).toEqual([false]);
    expect(outcome.endedProcesses).toBe(2);
  });

  it('may finish its last line first', async () => {
    const outcome = await run('echo text > >(sleep 0.02; tee copy)');
    expect(outcome).toMatchObject({ head: 'text\n', endedProcesses: 0 });
  });

  it.skipIf(process.platform !== 'linux')(
    'has its time for that also where a processor is long in coming',
    async () => {
      const outcome = await run(`echo text > >(timeout 0.12 sh -c 'while :; do :; done'; tee copy)`);
      expect(outcome).toMatchObject({ head: 'text\n', endedProcesses: 0 });
    },
  );

  it('is ended however much it does', async () => {
    const outcome = await run('while :; do :; done & echo "pid $!"');
    expect(outcome).toMatchObject({ exitCode: 0, endedProcesses: 1 });
    expect(pidsIn(outcome.head).map(isAlive)).toEqual([false]);
    expect(outcome.durationMs).toBeLessThan(3000);
  });
});

describe('cancelling', () => {
  it('ends the command within a second and a half, with what it printed', async () => {
    const outcome = await runUntilReady('trap "" TERM; echo ready; while :; do sleep 0.1; done');
    expect(outcome).toMatchObject({ ending: 'cancelled', signal: 'SIGKILL', exitCode: null, head: 'ready\n' });
    expect(outcome.stopMs).toBeLessThan(1500);
  });

  it('lets the command clean up on TERM', async () => {
    const outcome = await runUntilReady('trap "echo cleaned; exit 7" TERM; echo ready; while :; do sleep 0.05; done');
    expect(outcome).toMatchObject({ ending: 'cancelled', exitCode: 7 });
    expect(outcome.head).toContain('cleaned');
  });

  it('reaches children in a session of their own, also without the marker in their environment', async () => {
    const outcome = await runUntilReady(`
      setsid sleep 30 & echo "pid $!"
      env -i setsid sleep 30 & echo "pid $!"
      (setsid bash -c 'echo "pid $$"; sleep 30' &)
      sleep 0.3; echo ready; wait; sleep 30`);
    expect(outcome.ending).toBe('cancelled');
    expect(pidsIn(outcome.head)).toHaveLength(3);
    expect(pidsIn(outcome.head).map(isAlive)).toEqual([false, false, false]);
  });

  it('ends a stopped command', async () => {
    const outcome = await runUntilReady('echo ready; kill -STOP $$');
    expect(outcome.ending).toBe('cancelled');
    expect(outcome.stopMs).toBeLessThan(1500);
  });

  it('starts nothing when the call was cancelled before', async () => {
    const outcome = await run('touch made', {}, AbortSignal.abort());
    expect(outcome).toMatchObject({ ending: 'cancelled', totalBytes: 0 });
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  it('touches no process of anybody else', async () => {
    const stranger = spawn('sleep', ['20'], { stdio: 'ignore' });
    try {
      await runUntilReady('echo ready; sleep 20');
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
    }
  });
});

describe('the time limit', () => {
  it('ends the command and keeps its output', async () => {
    const outcome = await run('echo before; sleep 30', { timeoutMs: 300 });
    expect(outcome).toMatchObject({ ending: 'timed-out', head: 'before\n' });
    expect(outcome.durationMs).toBeLessThan(1500);
  });

  it('may be longer than a timer can be', async () => {
    for (const timeoutMs of [2 ** 31, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      expect(await run('sleep 0.05', { timeoutMs })).toMatchObject({ ending: 'exited', exitCode: 0 });
    }
  });

  it('that is no number or not positive ends the command at once', async () => {
    for (const timeoutMs of [0, -5, Number.NaN]) {
      expect(await run('sleep 5', { timeoutMs })).toMatchObject({ ending: 'timed-out' });
    }
  });
});

describe('a command that cannot start', () => {
  it('tells a missing folder from a missing program', async () => {
    const lost = await run('true', { cwd: join(folder, 'gone') });
    expect(lost).toMatchObject({ ending: 'not-started', exitCode: null, signal: null });
    expect(lost.startError).toBe(
      `The working directory does not exist: ${join(folder, 'gone')}. Choose a folder that exists.`,
    );
    const unknown = await run('', { command: { argv: ['no-such-program-here'] } });
    expect(unknown).toMatchObject({ ending: 'not-started' });
    expect(unknown.startError).toContain('Program not found: no-such-program-here');
  });

  it('says why: a folder that is a file, a file that is no program, a NUL, a text beyond the limit of the system', async () => {
    writeFileSync(join(folder, 'plain'), 'x');
    expect((await run('true', { cwd: join(folder, 'plain') })).startError).toContain('is not a directory');
    expect((await run('', { command: { argv: [join(folder, 'plain')] } })).startError).toContain('executable');
    expect((await run('echo \0')).ending).toBe('not-started');
    expect((await run(`: ${'x'.repeat(3_000_000)}`)).startError).toContain('too long');
  });
});

describe('endAll', () => {
  it('kills every live command with all it started', async () => {
    const own = new CommandSupervisor();
    let tellReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      tellReady = resolve;
    });
    const onOutput = (tail: string): void => {
      if (tail.includes('ready')) tellReady();
    };
    const running = own.run(
      request('setsid sleep 30 & echo "pid $!"; sleep 0.2; echo ready; wait', { onOutput }),
      new AbortController().signal,
    );
    await ready;
    own.endAll();
    const outcome = await running;
    expect(outcome).toMatchObject({ ending: 'exited', signal: 'SIGKILL' });
    await sleep(20);
    expect(pidsIn(outcome.head).map(isAlive)).toEqual([false]);
  });
});
