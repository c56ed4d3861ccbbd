import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolSystem, openUndo, type ToolSystem } from '@tenon/core';
import { childProgram } from './bundle-child.js';
import { isAlive } from './is-alive.js';
import { yoloOptions } from './yolo-options.js';

const { base, child } = childProgram('jobs-child.ts');
let root: string;
let home: string;
let running: ChildProcess | undefined;
let system: ToolSystem | undefined;
let count = 0;

beforeEach(() => {
  count += 1;
  [root, home] = [join(base, `${count}`, 'ws'), join(base, `${count}`, 'home')];
  for (const folder of [root, home]) mkdirSync(folder, { recursive: true });
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await system?.close();
  system = undefined;
});

const KILL_AFTER_MS = [0, 90, 230, 510, 1100];

interface Call {
  readonly toolName: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A Tenon of its own that makes these calls; `isDone` resolves with what it says, or when it ends. */
function begin(calls: readonly Call[]): { readonly process: ChildProcess; readonly isDone: Promise<string> } {
  const requests = calls.map(({ toolName, params }, index) => ({
    callId: `call_${index + 1}`,
    toolName,
    argumentsText: JSON.stringify(params),
  }));
  running = spawn(process.execPath, [child, root, home, JSON.stringify(requests)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tool = running;
  const isDone = new Promise<string>((resolve) => {
    tool.stdout?.once('data', (said: Buffer) => resolve(said.toString()));
    tool.once('exit', () => resolve(''));
  });
  return { process: tool, isDone };
}

/** One that has made these calls. */
async function tenon(calls: readonly Call[]): Promise<ChildProcess> {
  const { process: tool, isDone } = begin(calls);
  const said = await isDone;
  if (said !== 'done\n') throw new Error(`a call failed: ${said}`);
  return tool;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    if (waited > 10_000) throw new Error('it did not come to pass');
    await sleep(10);
  }
}

async function nextStart(): Promise<readonly string[]> {
  system = await createToolSystem(yoloOptions(root, home));
  return system.notices;
}

async function killed(process: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => process.once('exit', resolve));
  process.kill('SIGKILL');
  await exit;
}

const at = (name: string): string => join(root, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
const background = (command: string): Call => ({
  toolName: 'run_shell_command',
  params: { command, is_background: true },
});

describe.runIf(process.platform === 'linux')('a Tenon that is killed while a job writes', () => {
  it('has the job ended by the next start, which writes down what it changed, and loses nobody else’s work', async () => {
    writeFileSync(at('kept.txt'), 'first\nsecond\nthird\n');
    writeFileSync(at('mine.txt'), 'mine\n');
    const job = 'echo $$ > pid; n=0; while sleep 0.1; do n=$((n+1)); echo $n >> ticks; echo $n > now; done';
    const edit = { file_path: at('kept.txt'), old_string: 'second', new_string: 'SECOND' };
    const tool = await tenon([
      { toolName: 'read_file', params: { absolute_path: at('kept.txt') } },
      background(job),
      { toolName: 'edit', params: edit },
    ]);
    const before = read('ticks');
    await killed(tool);
    await sleep(400);
    const pid = Number(read('pid'));
    expect(isAlive(pid)).toBe(true);
    expect(read('ticks').length).toBeGreaterThan(before.length);
    const notices = await nextStart();
    expect(isAlive(pid)).toBe(false);
    const last = read('ticks');
    expect(notices.join('\n')).toMatch(/was running when Tenon was killed\. Since then 2 files changed/);
    const undo = openUndo({ roots: [root], tenonHome: home });
    const { calls } = await undo.log();
    expect(calls.map(({ toolName, background: later }) => [toolName, later === true])).toEqual([
      ['run_shell_command', true],
      ['edit', false],
      ['run_shell_command', false],
    ]);
    // Not unasked, and the edit alone.
    await undo.undo();
    expect([read('kept.txt'), read('ticks')]).toEqual(['first\nsecond\nthird\n', last]);
    const report = await undo.undo({ id: calls[0]?.id ?? '' });
    expect(report).toMatchObject({ complete: true, calls: [{ background: true }] });
    expect(read('ticks').length).toBeLessThan(last.length);
    await undo.undo({ id: 'call_2' });
    expect(readdirSync(root).sort()).toEqual(['kept.txt', 'mine.txt']);
    expect(read('mine.txt')).toBe('mine\n');
    expect((await createdAgain()).filter((line) => line.includes('killed'))).toEqual([]);
  });

  /** A start after that has nothing left to tell. */
  async function createdAgain(): Promise<readonly string[]> {
    await system?.close();
    return nextStart();
  }

  it('has written down enough at any moment to give back the first tree', async () => {
    const first = 'call 0\n-\n-\n-\njob 0\n-\n-\n-\n';
    const edits = Array.from({ length: 40 }, (_, index) => ({
      toolName: 'edit',
      params: { file_path: at('both.txt'), old_string: `call ${index}\n`, new_string: `call ${index + 1}\n` },
    }));
    const loop =
      'n=0; while sleep 0.07; do n=$((n+1)); sed -i "s/^job .*/job $n/" both.txt; echo $n > "new$((n%3)).txt"; done';
    for (const delay of KILL_AFTER_MS) {
      for (const name of readdirSync(root)) rmSync(at(name), { recursive: true });
      writeFileSync(at('both.txt'), first);
      const calls = [{ toolName: 'read_file', params: { absolute_path: at('both.txt') } }, background(loop), ...edits];
      const { process: tool, isDone } = begin(calls);
      await until(() => existsSync(at('new1.txt')));
      await sleep(delay);
      await killed(tool);
      await isDone;
      await nextStart();
      const undo = openUndo({ roots: [root], tenonHome: home });
      // What the job did, then every call.
      const { calls: all } = await undo.log();
      for (const call of all) if (call.background === true && !call.undone) await undo.undo({ id: call.id });
      const standing = (await undo.log()).calls.filter(({ number }) => number !== undefined);
      if (standing.length > 0) {
        const { files } = await undo.undo({ last: standing.length });
        expect(files.filter(({ result }) => result === 'left')).toEqual([]);
      }
      expect([read('both.txt'), readdirSync(root)]).toEqual([first, ['both.txt']]);
      await system?.close();
      system = undefined;
    }
  }, 60_000);

  it('touches no process that has the number of a job but is another', async () => {
    const tool = await tenon([background('echo $$ > pid; sleep 60')]);
    const other = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
    try {
      await killed(tool);
      const job = Number(read('pid'));
      // As if the job had ended and its number had been given to somebody else's process since.
      const folder = join(home, 'projects', readdirSync(join(home, 'projects'))[0] ?? '', 'running');
      const [name = ''] = readdirSync(folder);
      const record = readFileSync(join(folder, name), 'utf8');
      writeFileSync(join(folder, name), record.replace(`"pid":${job},`, `"pid":${other.pid ?? 0},`));
      expect(readFileSync(join(folder, name), 'utf8')).toContain(`"pid":${other.pid ?? 0},`);
      await nextStart();
      expect(isAlive(other.pid ?? 0)).toBe(true);
      // The job itself is still found, by the marker that it carries.
      await sleep(50);
      expect(isAlive(job)).toBe(false);
    } finally {
      other.kill('SIGKILL');
    }
  });
});
