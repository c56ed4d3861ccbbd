import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { CallContext } from '../effects/call-context.js';
import type { FileChanges } from '../files/file-changes.js';
import { FileJournal } from '../journal/file-journal.js';
import { CommandWatch } from '../journal/watch-command.js';
import { childEnvironment } from '../process/child-environment.js';
import type { CommandOutcome } from '../process/command-types.js';
import { SHELL_OPTIONS } from '../process/shell-options.js';
import { createTempConfig } from '../testing/temp-config.js';
import { describeOutcome } from './shell-report.js';
import { ShellTool } from './shell.js';
import type { ShellToolParams } from './shell-params.js';
import { ToolErrorType, type ToolResult, type ToolResultDisplay } from './tools.js';

const { config, workspace, temp, reset, remove } = await createTempConfig({
  entries: { 'sub/': '' },
  childEnvironment: childEnvironment(process.env, { roots: [], realPath: (path) => path }),
});
const { root } = workspace;
const tool = new ShellTool(config);
afterEach(reset);
afterAll(remove);

function run(params: ShellToolParams, signal = new AbortController().signal): Promise<ToolResult> {
  return tool.invoke(params).execute(signal);
}

async function told(params: ShellToolParams): Promise<string> {
  const { llmContent } = await run(params);
  return typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
}

describe('run_shell_command', () => {
  it('runs a command in the workspace root and returns its output (S119)', async () => {
    const result = await run({ command: 'pwd; echo out; echo err >&2' });
    expect(result).toMatchObject({
      llmContent: `${root}\nout\nerr`,
      returnDisplay: `${root}\nout\nerr`,
      data: { exitCode: 0, signal: null, ending: 'exited', omittedBytes: 0, directory: root },
    });
    expect(result.error).toBeUndefined();
  });

  it('runs in the directory that is asked for', async () => {
    expect(await told({ command: 'pwd -P', directory: join(root, 'sub') })).toBe(join(root, 'sub'));
  });

  it('tells the exit code, and does not call it a failure of the tool', async () => {
    const result = await run({ command: 'echo x; exit 3' });
    expect(result).toMatchObject({ llmContent: 'x\nExit code: 3', data: { exitCode: 3 } });
    expect(result.error).toBeUndefined();
  });

  it('says what an exit code means where it is an answer', async () => {
    writeFileSync(join(root, 'a'), 'one\n');
    writeFileSync(join(root, 'b'), 'two\n');
    expect(await told({ command: 'grep zebra a' })).toBe('(no output)\nExit code: 1 (no match)');
    expect(await told({ command: 'diff -q a b' })).toContain('Exit code: 1 (the inputs differ)');
    expect(await told({ command: 'grep zebra a; exit 1' })).toBe('(no output)\nExit code: 1');
    expect(await told({ command: 'no-such-program-here' })).toContain('Exit code: 127 (a program was not found)');
    expect(await told({ command: '(kill -SEGV $BASHPID); exit $?' })).toContain('Exit code: 139 (SIGSEGV)');
  });

  it('tells the signal that ended a command', async () => {
    expect(await told({ command: 'kill -ABRT $$' })).toBe('(no output)\nEnded by: signal SIGABRT, it aborted itself');
  });

  it('shows what a terminal would show, without colours and overwritten progress', async () => {
    const command = String.raw`printf '\033[31mred\033[0m\a\n10%%\r50%%\r100%%\ndone\n'`;
    expect(await told({ command })).toBe('red\n100%\ndone');
  });

  it('keeps the beginning and the end of a long output and names the file with all of it', async () => {
    const text = await told({ command: 'seq 1 100000' });
    const file = /all of it is in (\S+), which read_file and grep_search can open …\]/.exec(text)?.[1] ?? '';
    expect(text.startsWith('1\n2\n')).toBe(true);
    expect(text.endsWith('\n99999\n100000')).toBe(true);
    expect(text).toMatch(/\d\n\[… 5\d\d,\d{3} bytes omitted; /);
    expect(text.length).toBeLessThan(50_000);
    expect(file.startsWith(temp.root)).toBe(true);
    expect(readFileSync(file, 'utf8').length).toBe(588_895);
  });

  it('does not show binary output', async () => {
    expect(await told({ command: 'head -c 5000 /dev/zero' })).toBe('[binary output of 5,000 bytes, not shown]');
  });

  it('is not held up by explaining the exit code of a very long command', async () => {
    const outcome: CommandOutcome = {
      exitCode: 1,
      signal: null,
      ending: 'exited',
      head: '',
      tail: '',
      totalBytes: 0,
      omittedBytes: 0,
      endedProcesses: 0,
      durationMs: 1,
    };
    const begin = performance.now();
    const report = describeOutcome(outcome, { command: `${'a'.repeat(300_000)};`, timeoutMs: 1, openWith: [] });
    expect(report).toBe('(no output)\nExit code: 1');
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('ends what the command left running, and says so', async () => {
    const begin = performance.now();
    expect(await told({ command: 'sleep 30 & echo started' })).toBe(
      'started\n1 process that the command left running was ended',
    );
    expect(performance.now() - begin).toBeLessThan(15_000);
  });

  it('keeps the output of a command that ran out of time and is ended then', async () => {
    vi.spyOn(config, 'getShellOptions').mockReturnValue({ ...SHELL_OPTIONS, onTimeout: 'end' });
    const result = await run({ command: 'echo half; sleep 20', timeout: 1000 });
    vi.restoreAllMocks();
    expect(result.error).toEqual({ message: 'The command did not end within 1 s.', type: 'timed_out' });
    expect(result.llmContent).toBe('half\nEnded by: time limit after 1 s (SIGTERM). A longer `timeout` may help.');
  });

  it('keeps the output of a cancelled command (S42)', async () => {
    const cancel = new AbortController();
    const updates: ToolResultDisplay[] = [];
    const result = await tool.invoke({ command: 'echo half; sleep 20' }).execute(cancel.signal, (display) => {
      updates.push(display);
      cancel.abort();
    });
    expect(updates).toEqual(['half\n']);
    expect(result).toMatchObject({ llmContent: 'half\nEnded by: cancelled (SIGTERM)', error: { type: 'cancelled' } });
  });

  it('cannot be started in a folder that is not there', async () => {
    const result = await run({ command: 'true', directory: join(root, 'gone') });
    expect(result.error?.type).toBe('file_not_found');
    expect(result.llmContent).toContain(join(root, 'gone'));
  });

  it('keeps prompts, pagers and editors from waiting', async () => {
    const command = 'git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty; git log | cat';
    const text = await told({ command });
    expect(text).toContain('Please supply the message using either -m or -F option.');
  });
});

describe('what a command changed', () => {
  /** The tool, with a journal of its own; what came of the context is in `calls`. */
  function watched(): { readonly shell: ShellTool; readonly calls: (CallContext | undefined)[] } {
    const gate = config.getWorkspaceGate();
    const journal = new FileJournal({ gate, folder: join(temp.root, 'journal') });
    const watch = new CommandWatch({ gate, journal, folder: join(temp.root, 'watch') });
    const calls: (CallContext | undefined)[] = [];
    const changes: FileChanges = {
      apply: async () => [],
      watch: (command, context) => {
        calls.push(context);
        return watch.watch(command, context);
      },
      catchUp: async () => undefined,
    };
    vi.spyOn(config, 'getFileChanges').mockReturnValue(changes);
    return { shell: new ShellTool(config), calls };
  }
  const never = new AbortController().signal;
  afterEach(() => vi.restoreAllMocks());

  it('is not waited for when the call is cancelled during the look before it', async () => {
    const { shell } = watched();
    const changes = config.getFileChanges();
    let goOn: () => void = () => undefined;
    const look = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let whole: Promise<unknown> = Promise.resolve();
    const slow: FileChanges = {
      ...changes,
      watch: (command, context) => {
        const watching = look.then(() => changes.watch(command, context));
        whole = watching;
        return watching;
      },
    };
    vi.spyOn(config, 'getFileChanges').mockReturnValue(slow);
    const controller = new AbortController();
    const call = shell.build({ command: 'echo x > made' }).execute(controller.signal);
    setTimeout(() => controller.abort(), 20);
    const result = await call;
    expect(result.error?.type).toBe(ToolErrorType.CANCELLED);
    goOn();
    await whole;
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('is named after its output, relative to the workspace', async () => {
    await workspace.write({ 'a.txt': '1', 'sub/old': '2' });
    const { shell, calls } = watched();
    const command = 'echo x >> ../a.txt; rm old; echo new > fresh; echo done; exit 2';
    const context = { callId: '1', toolName: 'shell', title: 'x', stillShown: () => true };
    const result = await shell.build({ command, directory: join(root, 'sub') }).execute(never, undefined, context);
    expect(result.llmContent).toBe('done\nExit code: 2\nChanged files: M a.txt, A sub/fresh, D sub/old');
    expect(result.data).toMatchObject({
      changes: {
        created: [join(root, 'sub/fresh')],
        modified: [join(root, 'a.txt')],
        deleted: [join(root, 'sub/old')],
      },
    });
    expect(calls).toEqual([context]);
  });

  it('is told of a command that was cancelled or ran out of time too', async () => {
    const { shell } = watched();
    vi.spyOn(config, 'getShellOptions').mockReturnValue({ ...SHELL_OPTIONS, onTimeout: 'end' });
    const late = await shell.build({ command: 'echo x > late; sleep 20', timeout: 1000 }).execute(never);
    expect(late.llmContent).toMatch(/^\(no output\)\nEnded by: time limit .*\nChanged files: A late$/);
    const cancel = new AbortController();
    const running = shell
      .build({ command: 'echo x > half; echo .; sleep 20' })
      .execute(cancel.signal, () => cancel.abort());
    expect((await running).llmContent).toMatch(/\nEnded by: cancelled .*\nChanged files: A half$/);
  });

  it('is not looked for where nothing can have changed', async () => {
    const { shell, calls } = watched();
    for (const command of ['pwd', 'ls && cat nothing'])
      expect((await shell.build({ command }).execute(never)).data).not.toHaveProperty('changes');
    const cancelled = await shell.build({ command: 'touch x' }).execute(AbortSignal.abort());
    expect([cancelled.error?.type, calls]).toEqual(['cancelled', []]);
  });

  it('is counted when it is much, and what undo does not cover is said', async () => {
    const { shell } = watched();
    const result = await shell
      .build({ command: 'for i in $(seq 10 99); do echo > f$i; done; ln -s a b' })
      .execute(never);
    expect(result.llmContent).toMatch(
      /^\(no output\)\nChanged files: A f10, .*A f29 and 70 more \(in all 0 M, 90 A, 0 D\)\nNote: Undo does not cover symbolic links \(b\)\.$/,
    );
  });

  it('cannot pass for another line of the report', async () => {
    const { shell } = watched();
    const result = await shell.build({ command: String.raw`touch $'x\nExit code: 0'` }).execute(never);
    expect(result.llmContent).toBe('(no output)\nChanged files: A x\ufffdExit code: 0');
  });
});

describe('validation', () => {
  const problem = (params: ShellToolParams): string | null => tool.validateToolParams(params);

  it('refuses an empty command, a NUL and a text that no system takes', () => {
    expect(problem({ command: ' \n' })).toContain('command must not be empty');
    expect(problem({ command: 'echo \0' })).toContain('NUL');
    expect(problem({ command: 'x'.repeat(70_000) })).toContain('65536');
    expect(problem({ command: 'ls' })).toBeNull();
  });

  it('refuses a directory that is relative, outside, or reached through a link (S60, S61)', () => {
    expect(problem({ command: 'ls', directory: 'sub' })).toContain('Path must be absolute');
    expect(problem({ command: 'ls', directory: `${root}-evil` })).toContain('Path must be within workspace');
    symlinkSync('/usr', join(root, 'link'));
    expect(problem({ command: 'ls', directory: join(root, 'link') })).toContain('Path must be within workspace');
    expect(problem({ command: 'ls', directory: join(root, 'sub') })).toBeNull();
  });

  it('refuses a time limit beyond ten minutes', () => {
    expect(problem({ command: 'ls', timeout: 600_001 })).toContain('timeout');
    expect(problem({ command: 'ls', timeout: 600_000 })).toBeNull();
  });
});

describe('before it runs', () => {
  it('asks with the exact command (S52, S59)', async () => {
    const params = { command: 'rm  -rf "a b"', directory: join(root, 'sub') };
    const details = await tool.shouldConfirmExecute(params, new AbortController().signal);
    expect(details).toEqual({ type: 'exec', title: 'Confirm Shell Command', ...params });
  });

  it('says when it is to go on in the background or can be typed to', async () => {
    const params = { command: 'bash', is_background: true, tty: true };
    const details = await tool.shouldConfirmExecute(params, new AbortController().signal);
    expect(details).toMatchObject({ title: 'Confirm Shell Command [in the background, with a terminal]' });
    expect(tool.getDescription({ command: 'cat', input: true })).toBe('cat [with input]');
  });

  it('describes itself in one line (S32)', () => {
    const description = tool.getDescription({ command: 'npm\n  test', description: 'Run the tests', directory: root });
    expect(description).toBe(`npm test [in ${root}] (Run the tests)`);
    expect(tool.getDescription({ command: 'npm test', directory: `${root}/lib` })).toBe('npm test [in lib]');
    expect(tool.getDescription({ command: 'x'.repeat(500) }).length).toBeLessThan(250);
  });

  it('states one run for each command and an unknown for each doubt', async () => {
    expect(await tool.build({ command: 'pwd && rm a' }).effects?.()).toMatchObject([
      { kind: 'run', command: 'pwd', argv: ['pwd'], directory: root, zone: 'workspace', readOnly: true },
      { kind: 'run', command: 'rm a', argv: ['rm', 'a'], directory: root, zone: 'workspace', readOnly: false },
      { kind: 'delete', path: join(root, 'a') },
    ]);
    expect(await tool.build({ command: 'eval "$x"' }).effects?.()).toContainEqual(
      expect.objectContaining({ kind: 'unknown' }),
    );
  });

  it('states where it runs, and that it looks into a folder other than the first root', async () => {
    const effects = async (params: ShellToolParams): Promise<unknown> => tool.build(params).effects?.();
    const sub = join(root, 'sub');
    symlinkSync(sub, join(root, 'link'));
    const make = { kind: 'run', command: 'make', argv: ['make'], readOnly: false };
    expect(await effects({ command: 'make', directory: root })).toEqual([
      { ...make, directory: root, zone: 'workspace' },
    ]);
    expect(await effects({ command: 'make', directory: join(root, 'link') })).toEqual([
      { kind: 'read', path: sub, requested: join(root, 'link'), zone: 'workspace' },
      { ...make, directory: sub, zone: 'workspace' },
    ]);
    expect(await effects({ command: 'make', directory: temp.root })).toEqual([
      { kind: 'read', path: temp.root, requested: temp.root, zone: 'temp' },
      { ...make, directory: temp.root, zone: 'temp' },
    ]);
  });

  it('follows a cd of the command itself, through links and out of the workspace', async () => {
    const second = async (command: string): Promise<unknown> => (await tool.build({ command }).effects?.())?.[1];
    symlinkSync(temp.root, join(root, 'elsewhere'));
    symlinkSync('/usr', join(root, 'out'));
    expect(await second('cd sub && make')).toMatchObject({ directory: join(root, 'sub'), zone: 'workspace' });
    expect(await second('cd elsewhere && make')).toMatchObject({ directory: temp.root, zone: 'temp' });
    expect(await second('cd out && make')).toMatchObject({ zone: 'outside' });
    expect(await second('cd .. && make')).toMatchObject({ zone: 'outside' });
  });

  it('is told to models in at most 2,100 characters', () => {
    expect(tool.description.length + JSON.stringify(tool.schema).length).toBeLessThanOrEqual(2100);
  });
});
