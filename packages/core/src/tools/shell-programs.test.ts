import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolSystem } from '../create-agent.js';
import type { ToolSystem, ToolSystemOptions } from '../agent-types.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { ShellProgram } from '../process/shell-program.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { ToolNames } from './tool-names.js';
import { ShellTool } from './shell.js';

/** Stands for PowerShell, which need not be here: writes down its words, runs the text by bash, without what passes the code on. */
const STUB = `#!/bin/bash
printf '%s\\0' "$@" > "$(/usr/bin/dirname "$0")/words"
exec /bin/bash -c "\${5%$'\\n\\n'if*}"
`;

let base: TempWorkspace;
let programs: string;
let root: string;
const systems: ToolSystem[] = [];

beforeEach(async () => {
  base = await createTempWorkspace({ 'work/': '', 'home/': '' });
  programs = join(base.root, 'programs');
  root = join(base.root, 'work');
  mkdirSync(programs);
});
afterEach(async () => {
  for (const system of systems.splice(0)) await system.close();
  await base.remove();
});

function putStub(folder: string): void {
  const file = join(folder, 'pwsh');
  writeFileSync(file, STUB);
  chmodSync(file, 0o755);
}

async function open(program: ShellProgram, options: Partial<ToolSystemOptions> = {}): Promise<ToolSystem> {
  const system = await createToolSystem({
    roots: [root],
    tenonHome: join(base.root, 'tenon'),
    userHome: join(base.root, 'home'),
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: { PATH: `${join(root, 'bin')}:${programs}:/usr/bin:/bin` },
    ...options,
    shell: { program, ...options.shell },
  });
  systems.push(system);
  return system;
}

async function call(system: ToolSystem, args: object, toolName: string = ToolNames.SHELL): Promise<string> {
  const request = { callId: '1', toolName, argumentsText: JSON.stringify(args) };
  let last: CallEvent | undefined;
  for await (const event of system.runCalls([request], new AbortController().signal)) last = event;
  return JSON.stringify(last);
}

function words(): string[] {
  return readFileSync(join(programs, 'words'), 'utf8').split('\0').slice(0, -1);
}

describe('with PowerShell set', () => {
  beforeEach(() => putStub(programs));

  it('runs the text in it, as it is written, and passes the exit code on', async () => {
    const system = await open('pwsh', { approvalMode: ApprovalMode.YOLO });
    const command = `echo "it's $HOME" 'a  b' # äöü 💡\necho second; exit 3`;
    const told = await call(system, { command });
    expect(words().slice(0, 4)).toEqual(['-NoLogo', '-NoProfile', '-NonInteractive', '-Command']);
    expect(words()[4]).toMatch(/^[^]*exit 3\n\nif \(\$\?\) \{ exit 0 \} elseif/);
    expect(words()[4]?.startsWith(command)).toBe(true);
    expect(told).toContain('second');
    expect(told).toContain('Exit code: 3');
  });

  it('asks before whatever it is to run but in yolo mode, and runs it where a rule is the whole text', async () => {
    const system = await open('pwsh');
    // Nobody can be asked: what asks is denied.
    expect(await call(system, { command: 'pwd' })).toContain('PowerShell 7 commands are not analysed');
    expect(() => words()).toThrow();
    const rules = [
      { list: 'allow' as const, text: 'Bash(git *)', origin: 'test' },
      { list: 'allow' as const, text: "Bash('pwd; echo seen')", origin: 'test' },
    ];
    const allowing = await open('pwsh', { rules });
    expect(await call(allowing, { command: 'git status; rm x' })).toContain('not analysed');
    expect(await call(allowing, { command: 'git status' })).toContain('not analysed');
    expect(await call(allowing, { command: 'pwd; echo seen' })).toContain('seen');
  });

  it('starts jobs in it, and judges what is typed into them by its words', async () => {
    const rules = [{ list: 'deny' as const, text: 'Bash(Remove-Item *)', origin: 'test' }];
    const system = await open('pwsh', { rules: [...rules, { list: 'allow', text: 'Bash(cat)', origin: 'test' }] });
    expect(await call(system, { command: 'cat', is_background: true, input: true })).toContain('background as job');
    const [job] = system.config.getJobs().list();
    const typed = await call(system, { id: job?.id, text: 'r`i x' }, ToolNames.JOB_INPUT);
    expect(typed).toContain('deny rule Bash(Remove-Item *)');
  });

  it('tells the model which shell it writes for, and what plan mode allows there', async () => {
    const system = await open('pwsh', { approvalMode: ApprovalMode.PLAN });
    const tool = system.config.getToolRegistry().getTool(ToolNames.SHELL);
    expect(tool?.description).toContain('Runs a command line in PowerShell 7');
    expect(JSON.stringify(tool)).not.toContain('bash command line');
    const denied = await call(system, { command: 'git status' });
    expect(denied).toContain('plan mode forbids what could not be analysed');
    expect(denied).not.toContain('such as `git status`');
  });

  it('says that folder and variables do not stay, and runs the text alone', async () => {
    const system = await open('pwsh', { approvalMode: ApprovalMode.YOLO, shell: { persistent: true } });
    expect(system.notices.join()).toContain('Folder and variables do not stay');
    await call(system, { command: 'echo a' });
    expect(words()[4]?.startsWith('echo a\n')).toBe(true);
  });
});

it('takes no PowerShell out of the workspace', async () => {
  mkdirSync(join(root, 'bin'));
  putStub(join(root, 'bin'));
  await expect(open('pwsh')).rejects.toThrow('Install PowerShell 7, or set shell.program to "bash"');
});

it.skipIf(process.platform === 'win32').each(['cmd', 'powershell'] as const)(
  'does not begin where %s is set and there is none',
  async (program) => {
    await expect(open(program)).rejects.toMatchObject({ code: 'shell_unusable' });
  },
);

describe('cmd.exe', () => {
  it('is given one line only, and says so before anything is asked', async () => {
    const { config, remove } = await createTempConfig({ shell: { program: 'cmd', path: '/no/cmd.exe' } });
    try {
      const tool = new ShellTool(config);
      expect(() => tool.build({ command: 'dir\ndel x' })).toThrow('cmd.exe runs the first line of a text only');
      const [effect] = (await tool.build({ command: 'dir' }).effects?.()) ?? [];
      expect(effect).toMatchObject({ kind: 'run', unread: 'cmd.exe commands are not analysed', readOnly: false });
    } finally {
      await remove();
    }
  });
});

it('keeps to the same number of characters in every shell, and speaks of bash in bash only', async () => {
  for (const program of ['bash', 'powershell', 'pwsh', 'cmd'] as const) {
    const { config, remove } = await createTempConfig({ shell: { program } });
    const { description, schema } = new ShellTool(config);
    expect(JSON.stringify({ description, schema }).length).toBeLessThan(2600);
    expect(JSON.stringify({ description, schema }).includes('Runs a command line in bash')).toBe(program === 'bash');
    expect(new ShellTool(config).description).toBe(description);
    await remove();
  }
});

it('finds out what its effects need once for a call, and looks anew what the disk says', async () => {
  const { config, workspace, remove } = await createTempConfig({ entries: { 'a.txt': '' } });
  try {
    let asked = 0;
    const environment = config.getChildEnvironment();
    config.getChildEnvironment = () => ((asked += 1), environment);
    const invocation = new ShellTool(config).build({ command: 'cat *.txt' });
    const before = await invocation.effects?.();
    await workspace.write({ 'b.txt': '' });
    const after = await invocation.effects?.();
    expect(asked).toBe(1);
    expect(after?.length).toBe((before?.length ?? 0) + 1);
  } finally {
    await remove();
  }
});
