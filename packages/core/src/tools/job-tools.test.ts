import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { Rule } from '../policy/rule.js';
import { childEnvironment } from '../process/child-environment.js';
import { JobRegistry } from '../process/jobs/job-registry.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { createTempConfig } from '../testing/temp-config.js';
import { JobInputTool, type JobInputToolParams } from './job-input.js';
import { JobListTool } from './job-list.js';
import { JobOutputTool, type JobOutputToolParams } from './job-output.js';
import { JobStopTool } from './job-stop.js';
import type { ShellToolParams } from './shell-params.js';
import { ShellTool } from './shell.js';
import { withSilence } from './shell-report.js';
import type { ToolResult } from './tools.js';

const { config, workspace, remove } = await createTempConfig({
  childEnvironment: childEnvironment(process.env, { roots: [], realPath: (path) => path }),
});
const { root } = workspace;
const never = new AbortController().signal;
const shell = new ShellTool(config);
afterEach(async () => {
  await config.getJobs().close();
  vi.restoreAllMocks();
});
afterAll(remove);

const start = (params: ShellToolParams, signal = never): Promise<ToolResult> => shell.invoke(params).execute(signal);
const output = (params: JobOutputToolParams): Promise<ToolResult> =>
  new JobOutputTool(config).invoke(params).execute(never);
const input = (params: JobInputToolParams): Promise<ToolResult> =>
  new JobInputTool(config).invoke(params).execute(never);
const stop = (id: string): Promise<ToolResult> => new JobStopTool(config).invoke({ id }).execute(never);
const list = async (): Promise<unknown> => (await new JobListTool(config).invoke({}).execute(never)).llmContent;

function jobOf({ data }: ToolResult): string {
  const job = typeof data === 'object' && data !== null && 'job' in data ? data.job : undefined;
  if (typeof job !== 'string') throw new Error(`no job in ${JSON.stringify(data)}`);
  return job;
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a command at its time limit', () => {
  it('goes on in the background, and says so with its output so far', async () => {
    const result = await start({ command: 'echo half; sleep 0.6; echo whole', timeout: 300 });
    const id = jobOf(result);
    expect(result.error).toBeUndefined();
    expect(result.llmContent).toMatch(
      new RegExp(
        `^half\nStill running after 0\\.\\d s: it goes on in the background as ${id}\\.\nWait for it with job_output, end it with job_stop\\.$`,
      ),
    );
    const later = await output({ id, wait_for_exit: true });
    expect(later.llmContent).toBe(`whole\n${id} has ended.\nExit code: 0`);
  });

  it('is ended when there are too many jobs', async () => {
    const supervisor = new CommandSupervisor();
    vi.spyOn(config, 'getJobs').mockReturnValue(new JobRegistry(supervisor.start, { running: 0 }));
    const result = await start({ command: 'echo x; sleep 20', timeout: 200 });
    expect(result).toMatchObject({ error: { type: 'timed_out' }, data: { ending: 'timed-out' } });
  });
});

describe('is_background', () => {
  it('returns after a short look, with the id and the first output', async () => {
    const result = await start({ command: 'echo up; sleep 30', is_background: true });
    expect(result.llmContent).toBe(
      `up\nRuns in the background as ${jobOf(result)}.\nWait for it with job_output, end it with job_stop.`,
    );
  });

  it('tells a command that dies at once, with exit code and output', async () => {
    const result = await start({ command: 'echo no config >&2; exit 3', is_background: true });
    expect(result.llmContent).toBe(
      'no config\nExit code: 3\nNothing runs in the background: the command ended at once.',
    );
    expect(result.data).toMatchObject({ exitCode: 3, ending: 'exited' });
  });

  it('waits until the port answers', async () => {
    const port = await freePort();
    const server = `setTimeout(() => require('net').createServer().listen(${port}, '127.0.0.1'), 400)`;
    const result = await start({ command: `node -e "${server}"`, is_background: true, ready: { port } });
    expect(result.llmContent).toContain(`\nPort ${port} answers.\n`);
  });

  it('starts nothing when the port answers already', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const result = await start({ command: 'touch made', is_background: true, ready: { port } });
    other.close();
    expect(result.error?.message).toContain(`Port ${port} answers already`);
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('waits for a line as a terminal shows it, and says when it does not come', async () => {
    const command = String.raw`sleep 0.2; printf '\033[32mready\033[0m on 80\n'; sleep 30`;
    const found = await start({ command, is_background: true, ready: { pattern: '^ready on \\d+$' } });
    expect(found.llmContent).toContain('Ready: "ready on 80".');
    const late = await start({ command: 'sleep 30', is_background: true, ready: { pattern: 'x' }, timeout: 1200 });
    expect(late.llmContent).toContain('It was not ready within 1.2 s.');
  });

  it('is cancelled with its call', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 300);
    const result = await start({ command: 'sleep 30', is_background: true, ready: { pattern: 'x' } }, cancel.signal);
    expect(result.error?.type).toBe('cancelled');
  });

  it.each<[Partial<ShellToolParams>, string]>([
    [{ ready: { port: 80 } }, 'only for commands in the background'],
    [{ ready: {}, is_background: true }, 'needs a port or a pattern'],
    [{ ready: { pattern: '(' }, is_background: true }, 'cannot be used'],
  ])('refuses %j', (params, problem) => {
    expect(shell.validateToolParams({ command: 'true', ...params })).toContain(problem);
  });
});

describe('job_output', () => {
  it('tells each byte once', async () => {
    const id = jobOf(await start({ command: 'echo a; sleep 1.3; echo b; sleep 30', is_background: true }));
    expect((await output({ id })).llmContent).toMatch(
      new RegExp(`^\\(no new output\\)\n${id} is still running \\(\\d s\\)\\.$`),
    );
    expect((await output({ id, wait_for_pattern: 'b' })).llmContent).toMatch(/^b\nFound: "b"\.\n/);
    expect((await output({ id })).llmContent).toMatch(/^\(no new output\)\n/);
  });

  it('says what did not happen in time', async () => {
    const id = jobOf(await start({ command: 'sleep 30', is_background: true }));
    const result = await output({ id, wait_for_pattern: 'x', wait_for_exit: true, timeout: 100 });
    expect(result.llmContent).toContain('No line matched, it did not end within 0.1 s.');
    expect(result.data).toMatchObject({ event: 'time', state: 'running' });
  });

  it('keeps the beginning and the end of much, in a file all of it', async () => {
    const id = jobOf(
      await start({ command: 'seq 1 100000; sleep 30', is_background: true, ready: { pattern: '^100000$' } }),
    );
    const { data } = await output({ id });
    const file = typeof data === 'object' && data !== null && 'outputFile' in data ? String(data.outputFile) : '';
    expect(readFileSync(file, 'utf8')).toHaveLength(588_895);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('knows no other jobs', async () => {
    expect((await output({ id: 'job-999' })).error).toMatchObject({ type: 'job_not_found' });
  });
});

describe('job_input', () => {
  it('types into a program that waits, which is noticed with its question', async () => {
    const first = await start({
      command: 'read -p "Name: " name; echo "hello $name"; read -p "Sure? [y/N] " sure; echo "$sure"',
      input: true,
    });
    const id = jobOf(first);
    expect(first.llmContent).toContain('It waits for input.\nAnswer with job_input');
    const second = await input({ id, text: 'Ada' });
    expect(second.llmContent).toContain('hello Ada');
    expect((await input({ id, text: 'y' })).llmContent).toBe(`y\n${id} has ended.\nExit code: 0`);
  });

  it('cannot answer somebody else’s terminal: the command is ended, with its question', async () => {
    const other = await start({
      command: 'python3 -c "import os, pty, time; print(os.ttyname(pty.openpty()[1]), flush=True); time.sleep(30)"',
      is_background: true,
      ready: { pattern: 'pts' },
    });
    const [path = ''] = /\/dev\/pts\/\d+/.exec(JSON.stringify(other.llmContent)) ?? [];
    const result = await start({ command: `read -p "Go on? [y/N] " x < ${path} 2>&1` });
    expect(result.llmContent).toMatch(
      /Ended because it waits for input.*\nUse an option such as -y, or start it with tty or input\.$/,
    );
    expect(result.error?.message).toMatch(/^The command waited for input.* and was ended\.$/);
  });

  it('leaves alone a command that talks to a terminal of its own making', async () => {
    const script = 'import os, pty, time; pid, end = pty.fork(); pid or os.execlp(\\"cat\\", \\"cat\\"); time.sleep(4)';
    const result = await start({ command: `python3 -c "${script}"; echo done` });
    expect(result.llmContent).toMatch(/^done(?:\n|$)/);
  });

  it('can end the input', async () => {
    const id = jobOf(await start({ command: 'cat; echo end', input: true, is_background: true }));
    expect((await input({ id, text: 'x', newline: false, close: true })).llmContent).toContain('xend');
  });

  it('is not for a job without input, nor for one that ended', async () => {
    const deaf = jobOf(await start({ command: 'sleep 30', is_background: true }));
    expect((await input({ id: deaf, text: 'x' })).error?.message).toContain('was started without input or tty');
    await stop(deaf);
    expect((await input({ id: deaf, text: 'x' })).error?.message).toContain('has ended');
    expect(new JobInputTool(config).validateToolParams({ id: deaf })).toContain('Give text');
  });

  it('is judged like a command, and never known whole', async () => {
    const effects = await new JobInputTool(config).build({ id: 'job-0', text: 'rm -rf x' }).effects?.();
    expect(effects).toMatchObject([
      { kind: 'run', argv: ['rm', '-rf', 'x'], readOnly: false },
      { kind: 'unknown', reason: 'what a job does with its input' },
    ]);
    expect(effects).not.toMatchObject([{ isStated: true }, {}]);
  });

  it('asks in every mode but yolo, is forbidden while planning, and allowed by a rule on the tool alone', async () => {
    const effects = (await new JobInputTool(config).build({ id: 'job-0', text: 'ls' }).effects?.()) as Effect[];
    const decided = (mode: ApprovalMode, ...rules: Rule[]): string =>
      decide({ toolName: JobInputTool.Name, effects }, { mode, rules, roots: [root], home: '/home/x' }).decision;
    const rule = (which: Rule['list'], text: string): Rule => ({ list: which, text, origin: 'user' });
    const { DEFAULT, AUTO_EDIT, PLAN, YOLO } = ApprovalMode;
    expect([DEFAULT, AUTO_EDIT, PLAN, YOLO].map((mode) => decided(mode))).toEqual(['ask', 'ask', 'deny', 'allow']);
    expect(decided(DEFAULT, rule('allow', 'Bash(ls)'))).toBe('ask');
    expect(decided(DEFAULT, rule('allow', 'job_input'))).toBe('allow');
    expect(decided(YOLO, rule('deny', 'Bash(ls)'))).toBe('deny');
  });

  it('does not hang when nothing reads', async () => {
    const id = jobOf(await start({ command: 'sleep 30', input: true, is_background: true }));
    await input({ id, text: 'x'.repeat(60_000) });
    expect((await input({ id, text: 'x'.repeat(60_000) })).error?.type).toBe('input_not_taken');
  });
});

describe('job_stop', () => {
  it('ends all of it, in other sessions too, and says what', async () => {
    const command = `setsid bash -c 'trap "" TERM; echo "pid $$"; while :; do sleep 1; done' & sleep 0.3; echo "pid $$"; wait`;
    const first = await start({ command, is_background: true, ready: { pattern: 'pid.*' } });
    const id = jobOf(first);
    await sleep(500);
    const result = await stop(id);
    expect(result.llmContent).toMatch(/Ended processes: bash, .*\n.* has ended\.\nEnded by: stopped \(SIGTERM\)$/);
    const pids = [...JSON.stringify([first.llmContent, result.llmContent]).matchAll(/pid (\d+)/g)].map((match) =>
      Number(match[1]),
    );
    expect(new Set(pids).size).toBe(2);
    expect(pids.some(isAlive)).toBe(false);
    expect((await stop(id)).llmContent).toMatch(/^It had ended before\./);
  });
});

describe('job_list', () => {
  it('tells id, state, output and command', async () => {
    const running = jobOf(await start({ command: 'echo abc;\n sleep 30', is_background: true }));
    const ended = jobOf(await start({ command: 'exit 4', is_background: true }));
    const text = String(await list());
    expect(text).toMatch(new RegExp(`^${running}  running 1 s  4 bytes  echo abc; sleep 30$`, 'm'));
    expect(text).toMatch(new RegExp(`^${ended}  ended, exit code 4, 0 s  0 bytes  exit 4$`, 'm'));
  });
});

describe('the tools for jobs', () => {
  it('have no effects but input, so that plan mode may look and stop', () => {
    expect(new JobOutputTool(config).build({ id: 'job-1' }).effects?.()).toEqual([]);
    expect(new JobListTool(config).build({}).effects?.()).toEqual([]);
    expect(new JobStopTool(config).build({ id: 'job-1' }).effects?.()).toEqual([]);
  });
});

describe('silence', () => {
  it('is told behind the newest output', () => {
    expect(withSilence('x', { seconds: 30, isBusy: false })).toBe('x\n[no output for 30 s, still running, idle]');
    expect(withSilence('', { seconds: 40, isBusy: true })).toBe('[no output for 40 s, still running, busy]');
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
