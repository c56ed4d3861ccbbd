import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandSupervisor } from './command-supervisor.js';
import { endLeftBehind } from './end-left-behind.js';
import { findLeftBehind, startOfProcess, type ProcessRow } from './process-table.js';
import { numberSpace, ownerOfRecord, readRecord, RunningRecord } from './running-record.js';

let folder: string;
let record: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-'));
  record = join(folder, 'running');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const MARKER = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A process of its own, with or without the marker. */
function stranger(marker?: string): number {
  const env = { PATH: process.env['PATH'] ?? '', ...(marker === undefined ? {} : { TENON_CALL_ID: marker }) };
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true, env });
  children.push(child);
  return child.pid ?? 0;
}

/** The record of an owner that is gone. */
function writeRecord(lines: readonly unknown[], name = '999999999-1.jsonl'): string {
  const path = join(record, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** Another process that supervises a command. */
async function startOther(shell: string): Promise<ChildProcess> {
  const { build } = await import('esbuild');
  const bundle = join(folder, 'other.mjs');
  const supervisor = fileURLToPath(new URL('./command-supervisor.ts', import.meta.url));
  const contents = `
    import { CommandSupervisor } from ${JSON.stringify(supervisor)};
    const supervisor = new CommandSupervisor({ recordFolder: ${JSON.stringify(record)} });
    const request = { command: { shell: ${JSON.stringify(shell)} }, cwd: ${JSON.stringify(folder)}, env: process.env,
      timeoutMs: 60000, keepBytes: 1000, spoolFile: ${JSON.stringify(join(folder, 'spool'))}, onOutput: (text) => process.stdout.write(text) };
    await supervisor.run(request, new AbortController().signal);`;
  await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  });
  const child = spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** The same; the command prints the numbers of what it started. */
async function otherTenon(shell: string): Promise<{ readonly child: ChildProcess; readonly pids: readonly number[] }> {
  const child = await startOther(shell);
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('ready')) break;
  }
  return { child, pids: [...new Set(Array.from(text.matchAll(/pid (\d+)/g), (match) => Number(match[1])))] };
}

describe.skipIf(process.platform !== 'linux')('after a Tenon was killed', () => {
  const command =
    'sleep 60 & echo "pid $!"; setsid sleep 60 & echo "pid $!"; (env -i setsid sleep 60 & echo "pid $!"; wait) & sleep 0.4; echo ready; wait';

  it('what it left running is ended at the next start, and said', async () => {
    const { child, pids } = await otherTenon(command);
    expect(pids).toHaveLength(3);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    const notices = await endLeftBehind(record);
    expect(notices).toEqual([
      expect.stringMatching(/^An earlier Tenon .* left running: \d processes \(.*sleep.*\)\. They were ended\.$/),
    ]);
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(readdirSync(record)).toEqual([]);
    expect(await endLeftBehind(record)).toEqual([]);
  });

  it('what it had only just started is ended as well, even what killed it with its first breath', async () => {
    const own = join(folder, 'own');
    const child = await startOther(`kill -9 $PPID; echo $$ >${own}.new; mv ${own}.new ${own}; exec sleep 60`);
    await once(child, 'exit');
    await vi.waitFor(() => expect(existsSync(own)).toBe(true), 5000);
    const pid = Number(readFileSync(own, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    expect(await endLeftBehind(record)).toHaveLength(1);
    expect(isAlive(pid)).toBe(false);
    expect(readdirSync(record)).toEqual([]);
  });

  it('a living Tenon keeps what it runs', async () => {
    const { child, pids } = await otherTenon(command);
    expect(await endLeftBehind(record)).toEqual([]);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    const owner = { pid: child.pid, started: startOfProcess(child.pid ?? 0) };
    expect(readdirSync(record).map(ownerOfRecord)).toEqual([owner]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await endLeftBehind(record);
  });
});

describe.skipIf(process.platform !== 'linux')('a record', () => {
  it('is the owner’s only, holds no command, and goes away with the last command', async () => {
    const supervisor = new CommandSupervisor({ recordFolder: record });
    const running = supervisor.start({
      command: { shell: 'sleep 60 # secret' },
      cwd: folder,
      env: {},
      timeoutMs: 1,
      keepBytes: 100,
    });
    const live = await running;
    const [name = ''] = readdirSync(record);
    const path = join(record, name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(record).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).not.toContain('secret');
    expect(readRecord(path)?.commands).toHaveLength(1);
    supervisor.endAll();
    expect(existsSync(path)).toBe(false);
    if (typeof live !== 'string') await live.ended;
  });

  it('stays small over thousands of commands', () => {
    const own = new RunningRecord(record);
    const root = (index: number) => ({
      pid: 5,
      started: 7,
      marker: `${MARKER.slice(0, -4)}${String(index).padStart(4, '0')}`,
    });
    own.add(root(0));
    for (let index = 1; index < 3000; index += 1) {
      own.add(root(index));
      own.remove(root(index).marker);
    }
    const [name = ''] = readdirSync(record);
    expect(statSync(join(record, name)).size).toBeLessThan(64 * 1024);
    expect(readRecord(join(record, name))?.commands).toContainEqual(root(0));
    own.close();
    expect(readdirSync(record)).toEqual([]);
  });

  it('is kept for each that one process has', () => {
    const [one, other] = [new RunningRecord(record), new RunningRecord(record)];
    one.announce(MARKER);
    other.announce(MARKER);
    one.close();
    expect(readdirSync(record).map((name) => readRecord(join(record, name))?.commands)).toEqual([
      [{ marker: MARKER, started: startOfProcess(process.pid) }],
    ]);
  });

  it('that was not finished is deleted', async () => {
    new RunningRecord(record).announce(MARKER);
    const draft = writeRecord([numberSpace()], '999999999-1-01234567.new');
    expect(await endLeftBehind(record)).toEqual([]);
    expect(existsSync(draft)).toBe(false);
    expect(readdirSync(record)).toHaveLength(1);
  });

  it('of another boot or without a head ends nobody, and is deleted; one of another container is kept', async () => {
    new RunningRecord(record).add({ pid: process.pid, started: 1, marker: MARKER });
    const pid = stranger(MARKER);
    const root = { pid, started: startOfProcess(pid), marker: MARKER };
    const old = writeRecord([{ ...numberSpace(), boot: 'other' }, root], '999999998-1.jsonl');
    const torn = writeRecord([root], '999999997-1.jsonl');
    const elsewhere = writeRecord([{ ...numberSpace(), pids: 'pid:[1]' }, root], '999999996-1.jsonl');
    expect(await endLeftBehind(record)).toEqual([]);
    expect([old, torn, elsewhere].map(existsSync)).toEqual([false, false, true]);
    expect(isAlive(pid)).toBe(true);
  });

  it('never ends a process that only has the number', async () => {
    new RunningRecord(record).add({ pid: process.pid, started: 1, marker: MARKER });
    const [other, marked] = [stranger(), stranger(MARKER)];
    const started = startOfProcess(other) ?? 0;
    writeRecord([
      numberSpace(),
      { pid: other, started: started - 1, marker: MARKER },
      'torn',
      { pid: 1, started: 1, marker: MARKER },
    ]);
    expect(await endLeftBehind(record)).toHaveLength(1);
    expect([other, marked].map(isAlive)).toEqual([true, false]);
  });
});

describe('findLeftBehind', () => {
  const row = (pid: number, parent: number, started: number, rest: Partial<ProcessRow> = {}): ProcessRow => ({
    pid,
    parent,
    group: pid,
    session: pid,
    started,
    ...rest,
  });
  const roots = [{ pid: 1000, started: 50, marker: 'm' }];
  const pids = (rows: readonly ProcessRow[], markerOf = (_pid: number): string | undefined => undefined): number[] =>
    findLeftBehind(roots, rows, markerOf)
      .map(({ pid }) => pid)
      .sort((one, two) => one - two);

  it('takes group and session of a leader that lives, the marked, and their children', () => {
    const rows = [
      row(1000, 1, 50),
      row(1001, 1, 51, { group: 1000 }),
      row(1002, 1, 52, { session: 1000 }),
      row(1003, 1, 53),
      row(1004, 1003, 54),
      row(1005, 1, 55),
    ];
    expect(pids(rows, (pid) => (pid === 1003 ? 'm' : 'other'))).toEqual([1000, 1001, 1002, 1003, 1004]);
  });

  it('takes no group whose leader is gone or another', () => {
    expect(pids([row(1001, 1, 51, { group: 1000 })])).toEqual([]);
    expect(pids([row(1000, 1, 60), row(1001, 1, 61, { group: 1000 })])).toEqual([]);
  });

  it('never takes this process or those above it', () => {
    expect(
      pids([row(1000, 1, 50), row(1001, 1000, 51), row(process.pid, 1001, 52), row(1002, 1000, 53, { session: 1000 })]),
    ).toEqual([1002]);
  });
});
