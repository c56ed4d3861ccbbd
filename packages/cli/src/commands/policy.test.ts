import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openGrants } from '@tenon/core';
import { startScriptedModel } from '@tenon/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess, type Finished } from '../testing/run-in-process.js';

let folder: string;
let workspace: string;
let tenonHome: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-policy-')));
  workspace = path.join(folder, 'work');
  tenonHome = path.join(folder, 'home', '.tenon');
  await mkdir(workspace);
  await mkdir(tenonHome, { recursive: true });
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const policy = (...args: string[]): Promise<Finished> => tenon(['policy', ...args]);

const tenon = (args: readonly string[], env = {}): Promise<Finished> => runInProcess(folder, args, { env });

const settings = (content: object): Promise<void> =>
  writeFile(path.join(tenonHome, 'settings.json'), JSON.stringify(content));

describe('tenon policy explain', () => {
  it('shows effects, every rule that was tried, and what "always" would save', async () => {
    await settings({ permissions: { deny: ['Bash(git push *)'] } });
    const { code, stdout } = await policy('explain', 'npm test -- a; git push');
    expect(code).toBe(0);
    expect(stdout).toContain('1. run: "run npm test -- a" [workspace]');
    expect(stdout).toContain('deny Bash(git push *) (user settings');
    expect(stdout).toContain('decision: deny, because deny rule Bash(git push *)');
    const asked = await policy('explain', 'npm test');
    expect(asked.stdout).toContain('"always" would save (this very call): run_shell_command(npm test)\n');
    expect(asked.stdout).toContain('"always" would save (calls of this kind): run_shell_command(npm test *)\n');
  });

  it('says what is not certain', async () => {
    const { stdout } = await policy('explain', 'python3 -c "print(1)"');
    expect(stdout).toContain('not certain: ');
    expect(stdout).toContain(`"always" would save (this very call): run_shell_command('python3 -c "print(1)"')`);
    expect((await policy('explain', 'node x > .npmrc')).stdout).toContain('"always" is not offered');
  });

  it('takes calls as JSON, one or several, and answers in JSON', async () => {
    const call = { tool: 'write_file', args: { file_path: path.join(workspace, 'a.txt'), content: 'x' } };
    const { stdout, code } = await policy('explain', JSON.stringify([call, { ...call, tool: 'nothing' }]));
    expect([code, stdout]).toEqual([2, '']);
    const one = await policy('explain', JSON.stringify(call), '--json', '--mode', 'auto_edit');
    expect(JSON.parse(one.stdout)).toMatchObject([{ toolName: 'write_file', mode: 'auto_edit', decision: 'allow' }]);
    const asked = await policy('explain', JSON.stringify([call]), '--json');
    expect(JSON.parse(asked.stdout)).toMatchObject([
      { decision: 'ask', effects: [{ effect: { kind: 'write' } }], always: [{ kind: 'exact', rules: ['Edit(/*)'] }] },
    ]);
    expect((await policy('explain', '{"command": "ls"}')).stderr).toContain('A call is written');
    expect((await policy('explain', '[ -f x ] && ls')).stdout).toContain('decision: ');
  });

  it('judges with further rules and by another mode', async () => {
    expect((await policy('explain', 'npm test', '--allow', 'Bash(npm test)')).stdout).toContain('decision: allow');
    expect((await policy('explain', 'npm test', '--mode', 'plan')).stdout).toContain('decision: deny');
  });
});

describe('tenon policy test and lint', () => {
  it('passes where the examples hold', async () => {
    await settings({
      permissions: {
        allow: [{ rule: 'Bash(npm test *)', match: ['npm test --watch'], not_match: ['npm publish', 'npm test > f'] }],
        deny: [{ rule: 'Read(.env)', match: ['sub/.env'], not_match: ['.envrc'] }, 'Bash(rm *)'],
      },
    });
    expect(await policy('test')).toMatchObject({ code: 0, stdout: '5 passed, 0 failed\n' });
    expect(await policy('lint')).toMatchObject({ code: 0, stdout: '3 rules, 0 errors, 0 warnings\n' });
  });

  it('prints each failure, also of rules that would stop a run, and ends with 1', async () => {
    await settings({ permissions: { deny: [{ rule: 'Bash(rm -rf *)', match: ['rm x'], not_match: ['rm -fr /'] }] } });
    const { code, stdout } = await policy('test');
    expect(code).toBe(1);
    expect(stdout).toContain('its example "rm x" under "match" fails: the rule says nothing about it.');
    expect(stdout).toContain('its example "rm -fr /" under "not_match" fails: the deny rule stops it.');
    expect(stdout).toContain('0 passed, 2 failed');
    expect(await policy('explain', 'ls')).toMatchObject({ code: 7 });
    expect(JSON.parse((await policy('test', '--json')).stdout)).toMatchObject({ passed: 0, failed: [{}, {}] });
  });

  it('finds rules that do not do what they say', async () => {
    await settings({
      permissions: { allow: ['Bash(git push *)', 'Bash(npx *)', 'Bash(git *)'], deny: ['Bash(git *)'] },
    });
    const { code, stdout } = await policy('lint');
    expect(code).toBe(1);
    expect(stdout).toContain('error contradicted: allow rule Bash(git push *)');
    expect(stdout).toContain('error over-broad: allow rule Bash(npx *)');
    expect(stdout).toContain('warning over-broad: allow rule Bash(git *)');
    expect(JSON.parse((await policy('lint', '--json')).stdout)).toMatchObject({ findings: expect.any(Array) });
  });
});

describe('tenon policy simulate', () => {
  const line = (sequence: number, event: object): string =>
    `${JSON.stringify({ sequence, time: '2026-01-01T00:00:00.000Z', event })}\n`;
  const call = (callId: string, toolName: string, args: unknown, decision: string): object[] => [
    {
      type: 'tool-call-start',
      callId,
      toolName,
      displayName: toolName,
      kind: 'other',
      title: callId,
      locations: [],
      args,
      repairs: [],
    },
    {
      type: 'tool-call-end',
      callId,
      toolName,
      status: 'success',
      content: [],
      verdict: { decision, reason: 'as it was', parts: [] },
    },
  ];

  it('lists the calls that would be judged otherwise, and those that cannot be judged', async () => {
    const file = path.join(folder, 'session.jsonl');
    const events = [
      { type: 'session-start', sessionId: 's', roots: [workspace], approvalMode: 'yolo', tools: [] },
      ...call('one', 'run_shell_command', { command: 'npm test' }, 'allow'),
      ...call('two', 'run_shell_command', { command: 'git push' }, 'allow'),
      ...call('three', 'gone_tool', {}, 'allow'),
    ];
    await writeFile(file, events.map((event, index) => line(index + 1, event)).join(''));
    const { code, stdout } = await policy('simulate', file, '--deny', 'Bash(git push *)');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'allow → deny: run_shell_command two',
      '   then: as it was',
      '   now:  deny rule Bash(git push *) (command line)',
      expect.stringMatching(/^could not be judged: gone_tool three: .*no tool named/),
      '3 calls in yolo mode: 1 would change, 1 would not, 1 could not be judged',
      '',
    ]);
    const json = await policy('simulate', file, '--json', '--mode', 'default');
    expect(JSON.parse(json.stdout)).toMatchObject({ mode: 'default', calls: 3, changed: [{}, {}] });
  });

  it('judges a session of this project again, found by its id', async () => {
    const model = await startScriptedModel([
      { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'echo one' } }] },
      { toolCalls: [{ name: 'write_file', arguments: { file_path: path.join(workspace, 'a.txt'), content: 'x' } }] },
      { text: 'done' },
    ]);
    const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', OPENAI_MODEL: model.model };
    const run = await tenon(['-p', 'go', '--output-format', 'json', '--approval-mode', 'auto_edit'], env);
    await model.close();
    const { sessionId } = JSON.parse(run.stdout) as { sessionId: string };
    const same = await policy('simulate', sessionId);
    expect(same.stdout).toBe('2 calls in auto_edit mode: 0 would change, 2 would not, 0 could not be judged\n');
    const other = await policy('simulate', sessionId.slice(0, 8), '--mode', 'default', '--deny', 'Bash(echo *)');
    expect(other.stdout).toContain('allow → deny: run_shell_command');
    expect(other.stdout).toContain('allow → ask: write_file');
  });

  it('says which sessions there are', async () => {
    expect((await policy('simulate', 'abcdef')).stderr).toContain('There is none of this project yet');
  });
});

describe('tenon policy grants and revoke', () => {
  it('lists what was granted with when and for what, and takes it back', async () => {
    const { grants } = await openGrants({ root: workspace, tenonHome });
    await grants.addProject(['Bash(npm test)'], 'npm test');
    await grants.addProject(['Edit(src/**)']);
    const { stdout } = await policy('grants');
    expect(stdout).toMatch(/^ {2}1 {2}Bash\(npm test\) {2}\d{4}-\d\d-\d\d \d\d:\d\d, for npm test$/m);
    expect(stdout).toMatch(/^ {2}2 {2}Edit\(src\/\*\*\) +\d{4}-/m);
    expect(await policy('revoke', '1')).toMatchObject({ code: 0 });
    expect(JSON.parse((await policy('grants', '--json')).stdout)).toMatchObject([{ number: 1, rule: 'Edit(src/**)' }]);
    expect(await policy('revoke', 'Bash(npm test)')).toMatchObject({ code: 2 });
    expect(await policy('revoke', '--all')).toMatchObject({ code: 0 });
    expect((await policy('grants')).stdout).toContain('Nothing was granted');
    expect(await policy('revoke')).toMatchObject({ code: 2 });
  });

  it('reads what earlier versions saved', async () => {
    const { grants } = await openGrants({ root: workspace, tenonHome });
    await grants.addProject(['Read']);
    const projects = path.join(tenonHome, 'projects');
    const [name = ''] = await import('node:fs/promises').then(({ readdir }) => readdir(projects));
    const file = path.join(projects, name, 'grants.json');
    await writeFile(file, '{"version":1,"allow":["Bash(ls)"]}');
    expect((await policy('grants')).stdout).toContain('Bash(ls)  by an earlier version');
    await policy('revoke', 'Bash(ls)');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, allow: [], given: [] });
  });
});

it('names the nearest action', async () => {
  const { code, stderr } = await policy('explian', 'x');
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean "explain"?');
});

describe('with PowerShell set', () => {
  it('explains the text as that shell gets it, offers it whole, and tries examples on it', async () => {
    const programs = path.join(folder, 'programs');
    await mkdir(programs);
    await writeFile(path.join(programs, 'pwsh'), '#!/bin/sh\n', { mode: 0o755 });
    const found = { PATH: `${programs}:${process.env['PATH'] ?? ''}` };
    const rule = "Bash('dir | ft')";
    const allow = ['Bash(git *)', { rule, match: ['dir | ft'], not_match: ['dir'] }];
    await settings({ shell: { program: 'pwsh' }, permissions: { allow } });
    const { stdout } = await tenon(['policy', 'explain', 'git status; Remove-Item x'], found);
    expect(stdout).toContain('not certain: PowerShell 7 commands are not analysed');
    expect(stdout).toContain('decision: ask, because default mode asks before what could not be analysed');
    const always = await tenon(['policy', 'explain', 'git status'], found);
    expect(always.stdout).toContain('"always" would save (this very call): run_shell_command(\'git status\')\n');
    expect((await tenon(['policy', 'explain', 'dir | ft'], found)).stdout).toContain('decision: allow');
    expect(await tenon(['policy', 'test'], found)).toMatchObject({ code: 0, stdout: '2 passed, 0 failed\n' });
    expect((await tenon(['policy', 'lint'], found)).stdout).not.toContain('dir | ft');
  });

  it('ends as with any wrong setting where there is none, with a next step', async () => {
    await settings({ shell: { program: 'cmd' } });
    const { code, stderr } = await policy('explain', 'dir');
    expect(code).toBe(7);
    expect(stderr).toContain('The setting shell.program is "cmd", which exists on Windows only. Set it to "bash".');
    await settings({ shell: { program: 'powershel' } });
    expect((await policy('explain', 'ls')).stderr).toContain('did you mean "powershell"?');
  });

  it('is not obeyed by a folder that nobody trusts', async () => {
    await mkdir(path.join(workspace, '.tenon'));
    await writeFile(path.join(workspace, '.tenon', 'settings.json'), '{"shell": {"program": "cmd"}}');
    expect((await policy('explain', 'ls')).stdout).toContain('decision: allow');
  });
});
