import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandSupervisor } from './command-supervisor.js';
import { endLeftBehind } from './end-left-behind.js';
import type { PipedProcess } from './piped-process.js';
import { readProcesses, startOfProcess } from './process-table.js';

let folder: string;
let record: string;
let supervisor: CommandSupervisor;
const children: ChildProcess[] = [];
const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'piped-'));
  record = join(folder, 'running');
  supervisor = new CommandSupervisor({ recordFolder: record });
});
afterEach(async () => {
  supervisor.endAll();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  if (existsSync(record)) await endLeftBehind(record);
  rmSync(folder, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 10_000; waited += 20) await sleep(20);
  expect(holds()).toBe(true);
}

async function connect(...argv: [string, ...string[]]): Promise<PipedProcess> {
  return supervisor.connect({ argv, cwd: folder, env: environment });
}

async function shell(script: string): Promise<PipedProcess> {
  return connect('sh', '-c', script);
}

/** Reads until the text came; what was read. */
async function readUntil(piped: PipedProcess, wanted: string): Promise<string> {
  let read = '';
  for await (const chunk of piped.stdout.iterator({ destroyOnReturn: false })) {
    read += String(chunk);
    if (read.includes(wanted)) return read;
  }
  return read;
}

function pidsIn(output: string): number[] {
  return [...output.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));
}

const recorded = (): string =>
  existsSync(record)
    ? readdirSync(record)
        .map((name) => readFileSync(join(record, name), 'utf8'))
        .join('')
    : '';

describe('a piped program', () => {
  it('has three pipes of its own, exactly its variables, and its folder', async () => {
    const script = 'pwd; echo odd >&2; read line; echo "$line"; env; exit 3';
    const argv = ['sh', '-c', script] as const;
    const piped = await supervisor.connect({ argv: [...argv], cwd: folder, env: { ...environment, OWN: 'x' } });
    piped.stdin.write('hello\n');
    const [out, err] = await Promise.all([text(piped.stdout), text(piped.stderr)]);
    expect(out).toMatch(/\/piped-\w+\nhello\n/);
    expect(err).toBe('odd\n');
    expect(await piped.exited).toEqual({ code: 3, signal: null });
    const names = [...out.matchAll(/^(\w+)=/gm)]
      .map((match) => match[1])
      .filter((name) => !/^(?:PWD|_|SHLVL)$/.test(name ?? ''));
    expect(new Set(names)).toEqual(new Set(['OWN', 'PATH', 'TENON_CALL_ID']));
    await piped.end();
  });

  it.skipIf(process.platform === 'win32')('can open its outputs by name, as scripts do', async () => {
    const piped = await shell('echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/fd/0 || true');
    piped.stdin.end();
    const [out, err] = await Promise.all([text(piped.stdout), text(piped.stderr)]);
    expect(out).toBe('out\n');
    expect(err).toMatch(/^err\n/);
    expect(readdirSync(record).filter((name) => name.startsWith('pipe-'))).toEqual([]);
  });

  it('ends when its input is closed, at once', async () => {
    const piped = await connect('cat');
    const begin = performance.now();
    await piped.end(60_000);
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(await piped.exited).toEqual({ code: 0, signal: null });
  });

  it('dies at once without harm: what was written to it goes nowhere', async () => {
    const piped = await shell('exit 7');
    const all = Buffer.alloc(1_000_000);
    piped.stdin.write(all);
    expect(await piped.exited).toEqual({ code: 7, signal: null });
    piped.stdin.write(all);
    await piped.end();
    await piped.end();
    piped.stdin.write(all);
    await sleep(20);
  });

  it('says by which signal it ended', async () => {
    const piped = await shell('kill -USR1 $$');
    expect(await piped.exited).toEqual({ code: null, signal: 'SIGUSR1' });
  });

  it('may close its stdout early and live on', async () => {
    const piped = await shell('echo last; exec >&-; read line; echo "$line" >&2');
    expect(await text(piped.stdout)).toBe('last\n');
    piped.stdin.write('still here\n');
    expect(await text(piped.stderr)).toBe('still here\n');
  });

  it('may flood stderr while its stdout is read', async () => {
    const piped = await shell('i=0; while [ $i -lt 2000 ]; do printf "%01000d\\n" $i >&2; i=$((i+1)); done; echo done');
    let bytes = 0;
    piped.stderr.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    expect(await text(piped.stdout)).toBe('done\n');
    await piped.end();
    expect(bytes).toBe(2000 * 1001);
  });
});

describe.skipIf(process.platform === 'win32')('ending one', () => {
  it('kills what ignores the end of its input and SIGTERM, as often as it is asked', async () => {
    const piped = await shell(`trap '' TERM; echo ready; while :; do sleep 0.05; done`);
    await readUntil(piped, 'ready');
    await Promise.all([piped.end(60_000), piped.end(50), piped.end(50)]);
    expect(await piped.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await piped.end();
  });

  it('lets it put things in order on SIGTERM', async () => {
    const piped = await shell(`trap 'echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done`);
    const output = text(piped.stdout);
    await sleep(200);
    await piped.end(10);
    expect(await output).toBe('ready\nsaved\n');
    expect(await piped.exited).toEqual({ code: 0, signal: null });
  });

  it.skipIf(process.platform !== 'linux')('takes along what left its group and session', async () => {
    const piped = await shell(
      `setsid sh -c 'trap "" TERM; sleep 60' & echo "pid $!"; sleep 60 & echo "pid $!"; sleep 0.3; echo ready; cat`,
    );
    const pids = pidsIn(await readUntil(piped, 'ready'));
    expect(pids.map(isAlive)).toEqual([true, true]);
    await piped.end(1000);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it.skipIf(process.platform !== 'linux')('takes along what outlives a program that ends by itself', async () => {
    const piped = await shell('setsid sleep 60 & echo "pid $!"; sleep 0.3; echo ready');
    const pids = pidsIn(await text(piped.stdout));
    expect(pids).toHaveLength(1);
    await until(() => !pids.some(isAlive));
  });
});

describe('what cannot be started', () => {
  const refused = async (change: { argv?: [string]; cwd?: string }): Promise<unknown> =>
    supervisor.connect({ argv: ['tool'], cwd: folder, env: environment, ...change }).catch((thrown: unknown) => thrown);

  it('says which program it is, why, and what to do', async () => {
    const code = 'program_not_started';
    expect(await refused({ argv: ['no-such-program'] })).toMatchObject({
      code,
      message:
        'no-such-program was not started. Program not found: no-such-program. Check the name, or give its absolute path.',
    });
    expect(await refused({ argv: ['./tool'] })).toMatchObject({
      code,
      message: expect.stringContaining('Program not found'),
    });
    writeFileSync(join(folder, 'tool'), '#!/nowhere/interpreter\n');
    expect(await refused({ argv: ['./tool'] })).toMatchObject({ code, message: expect.stringContaining('executable') });
    chmodSync(join(folder, 'tool'), 0o755);
    expect(await refused({ argv: ['./tool'] })).toMatchObject({
      code,
      message: expect.stringContaining('interpreter'),
    });
    expect(await refused({ argv: ['sh'], cwd: join(folder, 'none') })).toMatchObject({
      code,
      message: expect.stringMatching(/^sh was not started\. The working directory does not exist/),
    });
    // The four that the system refused were announced, and no process of them.
    const [, ...lines] = recorded().trimEnd().split('\n');
    const announced = { marker: expect.any(String), started: startOfProcess(process.pid) };
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(Array.from({ length: 4 }, () => announced));
  });

  it('is never found in the working directory', async () => {
    writeFileSync(join(folder, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `:.:${environment.PATH}` };
    await expect(supervisor.connect({ argv: ['tool'], cwd: folder, env })).rejects.toThrow(/not found: tool/);
  });
});

describe.skipIf(process.platform !== 'linux')('what lives', () => {
  it('is written down, and no longer once it ended', async () => {
    const one = await connect('cat');
    const two = await connect('cat');
    for (const { pid } of [one, two]) expect(recorded()).toContain(`"pid":${pid},`);
    await one.end();
    supervisor.endAll();
    await two.exited;
    expect(readdirSync(record)).toEqual([]);
  });

  it('is killed by endAll, with all that it started', async () => {
    const piped = await shell(`trap '' TERM; setsid sleep 60 & echo "pid $!"; sleep 0.3; echo ready; cat; sleep 60`);
    const pids = pidsIn(await readUntil(piped, 'ready'));
    supervisor.endAll();
    expect(await piped.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await until(() => !pids.some(isAlive));
  });
});

/** Another process that connects to programs, which print the numbers of what they started. */
async function otherTenon(
  scripts: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly pids: number[] }> {
  const { build } = await import('esbuild');
  const bundle = join(folder, 'other.mjs');
  const module = fileURLToPath(new URL('./command-supervisor.ts', import.meta.url));
  const contents = `
    import { CommandSupervisor } from ${JSON.stringify(module)};
    const supervisor = new CommandSupervisor({ recordFolder: ${JSON.stringify(record)} });
    for (const script of ${JSON.stringify(scripts)}) {
      const piped = await supervisor.connect({ argv: ['sh', '-c', script], cwd: ${JSON.stringify(folder)}, env: process.env });
      console.log('pid ' + piped.pid);
      piped.stdout.pipe(process.stdout);
    }
    setInterval(() => undefined, 1000);`;
  await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  });
  const child = spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.split('ready').length > scripts.length) break;
  }
  return { child, pids: [...new Set(pidsIn(output))] };
}

/** The watcher is a child of the other process that carries no marker: the only one in a session of its own that is a shell with nothing to run. */
function watchersOf(parent: number): number[] {
  return readProcesses()
    .filter((row) => row.parent === parent && row.session === row.pid)
    .map(({ pid }) => pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('is_same'));
}

describe.skipIf(process.platform !== 'linux')('when this process is killed', () => {
  const stubborn = `trap '' TERM; setsid sh -c "trap '' TERM; sleep 60" & echo "pid $!"; sleep 60 & echo "pid $!"; sleep 0.3; echo ready; cat; sleep 60`;

  it('everything that it was connected to ends within seconds, by one watcher', async () => {
    const { child, pids } = await otherTenon([stubborn, 'echo ready; cat']);
    expect(pids).toHaveLength(4);
    const watchers = watchersOf(child.pid ?? 0);
    expect(watchers).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until(() => ![...pids, ...watchers].some(isAlive));
    expect(await endLeftBehind(record)).toEqual([]);
  });

  it('what outlives the watcher is ended at the next start', async () => {
    const { child, pids } = await otherTenon([stubborn]);
    for (const watcher of watchersOf(child.pid ?? 0)) process.kill(watcher, 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    expect(await endLeftBehind(record)).toEqual([expect.stringContaining('They were ended.')]);
    expect(pids.some(isAlive)).toBe(false);
  });

  it('a number that belongs to another process by now is left alone', async () => {
    const { child, pids } = await otherTenon(['sleep 0.2; echo ready', 'echo ready; cat']);
    expect(pids).toHaveLength(2);
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
    children.push(bystander);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until(() => !pids.some(isAlive));
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')('the watcher', () => {
  it('goes away with the last one that it watches over, once all are ended', async () => {
    const piped = await connect('cat');
    const [watcher = 0] = watchersOf(process.pid);
    expect(isAlive(watcher)).toBe(true);
    await piped.end();
    supervisor.endAll();
    await until(() => !isAlive(watcher));
  });

  it('is started anew when somebody ended it', async () => {
    await connect('cat');
    const [first = 0] = watchersOf(process.pid);
    process.kill(first, 'SIGKILL');
    await until(() => watchersOf(process.pid).some((pid) => pid !== first));
    await connect('cat');
    expect(watchersOf(process.pid).filter((pid) => pid !== first)).toHaveLength(1);
  });
});

describe('what a program wrote that ended at once', () => {
  it('is there for who begins to read a moment later', async () => {
    const piped = await shell('echo out; echo boom >&2; exit 3');
    expect(await piped.exited).toEqual({ code: 3, signal: null });
    await sleep(300);
    expect(await Promise.all([text(piped.stdout), text(piped.stderr)])).toEqual(['out\n', 'boom\n']);
  });
});
