import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, type Bench, type BenchOptions } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const write = (file: string) => (): ScriptedTurn =>
  call('write_file', { file_path: path.join(bench?.workspace ?? '', file), content: 'made\n' });
const YOLO = ['--approval-mode', 'yolo'];

async function open(turns: readonly (ScriptedTurn | TurnFunction)[], options: BenchOptions = {}): Promise<Bench> {
  bench = await createBench(turns, options);
  return bench;
}

/** Below the home of the person, or the workspace: executable where it is a script. */
async function put(root: string, name: string, content: string): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  if (content.startsWith('#!')) await chmod(file, 0o700);
}

const told = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const sent = (from: Bench, index: number): string => from.model.requests[index]?.bodyText ?? '';
const importing = (...files: string[]): string => JSON.stringify({ hooks: { importFrom: files } });

/** As the documentation of Claude Code has them, each event once. */
const CLAUDE = {
  permissions: { allow: ['Bash(*)'] },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Edit|MultiEdit|Write',
        hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/protect.sh', timeout: 10 }],
      },
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: '~/.claude/hooks/quiet.sh', statusMessage: 'Looking' }],
      },
    ],
    PostToolUse: [
      { matcher: '*', hooks: [{ type: 'command', command: 'cat >> "$CLAUDE_PROJECT_DIR/log"; echo >> log' }] },
    ],
    UserPromptSubmit: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "It is Monday."' }] }],
    SessionStart: [
      {
        matcher: 'startup|resume',
        hooks: [
          {
            type: 'command',
            command:
              'echo \'{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"The build is red."}}\'',
          },
        ],
      },
    ],
    Stop: [{ matcher: 'ignored', hooks: [{ type: 'command', command: '~/.claude/hooks/stop.sh' }] }],
    SessionEnd: [{ hooks: [{ type: 'command', command: 'cat >> log; echo >> log' }] }],
    WorktreeCreate: [{ hooks: [{ type: 'command', command: 'exit 2' }] }],
    TaskCompleted: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }],
  },
};

const PROTECT = `#!/bin/sh
# Input as that agent gives it: the file is tool_input.file_path.
if grep -q '"tool_name":"Write".*"file_path":"[^"]*\\.env"'; then echo "$PWD keeps .env as it is" >&2; exit 2; fi
`;
const STOP = `#!/bin/sh
input=$(cat)
case "$input" in *'"stop_hook_active":true'*) exit 0;; esac
echo '{"decision":"block","reason":"Run the tests first."}'
`;

describe('a hook file of Claude Code', () => {
  it('works as it is: matchers, exit codes, context, going on and the end (S142)', async () => {
    const settings = importing('~/.claude/settings.json');
    const { workspace, tenonHome, run, model } = await open(
      [
        write('.env'),
        write('a.txt'),
        call('run_shell_command', { command: 'echo LOUD' }),
        { text: 'done' },
        { text: 'tested' },
      ],
      { settings },
    );
    const home = path.dirname(tenonHome);
    await put(home, '.claude/settings.json', JSON.stringify(CLAUDE));
    await put(
      home,
      '.claude/hooks/quiet.sh',
      '#!/bin/sh\necho \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"echo quiet"}}}\'\n',
    );
    await put(home, '.claude/hooks/stop.sh', STOP);
    await put(workspace, '.claude/hooks/protect.sh', PROTECT);
    const { code, stdout, stderr } = await run(['-p', 'go', ...YOLO]);
    expect([stdout, code]).toEqual(['tested\n', 4]);
    expect(stderr).toContain('Tenon has no hooks for "WorktreeCreate", "TaskCompleted"');
    expect(sent(bench as Bench, 0)).toContain('The build is red.');
    expect(sent(bench as Bench, 0)).toContain('It is Monday.');
    expect(sent(bench as Bench, 1)).toContain(`${workspace} keeps .env as it is`);
    expect(await readFile(path.join(workspace, 'a.txt'), 'utf8')).toBe('made\n');
    expect(sent(bench as Bench, 3)).toContain('quiet');
    expect(sent(bench as Bench, 4)).toContain('Run the tests first.');
    expect(model.requests).toHaveLength(5);
    const log = await told(path.join(workspace, 'log'));
    expect(log.map((each) => [each['hook_event_name'], each['tool_name']])).toEqual([
      ['PostToolUse', 'Write'],
      ['PostToolUse', 'Bash'],
      ['SessionEnd', undefined],
    ]);
    expect(log[0]).toMatchObject({
      cwd: workspace,
      permission_mode: 'bypassPermissions',
      tool_input: { file_path: path.join(workspace, 'a.txt') },
    });
  });
});

const QWEN = {
  hooks: {
    PreToolUse: [
      {
        matcher: '^(write_file|edit)$',
        sequential: true,
        hooks: [
          {
            type: 'command',
            name: 'guard',
            description: 'Looks at what is written.',
            command: '$QWEN_PROJECT_DIR/.qwen/hooks/guard.sh',
            env: { KEPT: 'secrets.txt' },
            timeout: 10_000,
          },
        ],
      },
    ],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'node', args: ['.qwen/hooks/check.cjs'], timeout: 10 }] }],
  },
};

const GUARD = `#!/bin/sh
input=$(cat)
case "$input" in
  *'"tool_name":"write_file"'*"$KEPT"*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"kept"}}';;
  *) echo '{}';;
esac
`;
const CHECK =
  "let t='';process.stdin.on('data',c=>t+=c).on('end',()=>{const e=JSON.parse(t);process.stdout.write(JSON.stringify({systemMessage:'saw '+e.prompt}))})";

describe('a hook file of Qwen Code', () => {
  it('works as it is once the folder is trusted with it, and runs nothing before', async () => {
    const { workspace, run, model } = await open(
      [
        write('a.txt'),
        { text: 'untrusted' },
        write('secrets.txt'),
        { text: 'done' },
        write('secrets.txt'),
        { text: 'off' },
      ],
      { settings: importing('.qwen/settings.json') },
    );
    await put(workspace, '.qwen/settings.json', JSON.stringify(QWEN));
    await put(workspace, '.qwen/hooks/guard.sh', GUARD);
    await put(workspace, '.qwen/hooks/check.cjs', CHECK);
    const before = await run(['-p', 'one', ...YOLO]);
    expect(before.stderr).toContain('hooks do not run');
    expect(before.stderr).not.toContain('saw one');
    expect((await run(['trust', '--yes'])).code).toBe(0);
    const { code, stderr } = await run(['-p', 'two', ...YOLO]);
    expect(code).toBe(4);
    expect(stderr).toContain('saw two');
    expect(sent(bench as Bench, 3)).toContain('the hook \\"guard\\": kept');
    await put(workspace, '.qwen/hooks/guard.sh', GUARD.replace('deny', 'allow'));
    const changed = await run(['-p', 'three', ...YOLO]);
    expect(changed.stderr).toContain('hooks do not run');
    expect(changed.stderr).not.toContain('saw three');
    expect(model.requests).toHaveLength(6);
  });
});

describe('hooks that hang, crash and lie', () => {
  const of = (hook: object): string =>
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', name: 'h', ...hook }] }] } });

  it.each([
    ['hangs', { command: 'sleep 600 & sleep 600', timeout: 0.5 }, 'did not end within 0.5 s'],
    ['crashes', { command: 'echo oh >&2; exit 1' }, 'ended with exit code 1: oh'],
    ['is none', { command: '/nowhere/hook' }, 'exit code 127'],
    ['kills itself', { command: 'kill -9 $$' }, 'was ended by a signal'],
    ['says half an object', { command: 'echo "{\\"decision\\":"' }, 'JSON that cannot be read'],
    [
      'answers to another event',
      { command: 'echo \'{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"allow"}}\'' },
      'it answers to \\"Stop\\"',
    ],
    ['prints without an end', { command: 'yes' }, 'printed more than 1 MB'],
    ['closes its input', { command: 'exec 0<&-; sleep 0.2; exit 7' }, 'exit code 7'],
  ])(
    'one that %s is told and stops nothing; where it fails closed, the call does not run',
    async (_, hook, problem) => {
      const open_ = await open([write('a.txt'), { text: 'done' }], { settings: of(hook) });
      const { code, stdout } = await open_.run(['-p', 'go', ...YOLO, '--output-format', 'stream-json']);
      expect([code, stdout.includes(problem)]).toEqual([0, true]);
      expect(await readFile(path.join(open_.workspace, 'a.txt'), 'utf8')).toBe('made\n');
      await open_.end();
      const closed = await open([write('a.txt'), { text: 'done' }], { settings: of({ ...hook, failClosed: true }) });
      expect((await closed.run(['-p', 'go', ...YOLO])).code).toBe(4);
      expect(sent(closed, 1)).toContain('Denied by a hook of the user; it did not run');
      await expect(readFile(path.join(closed.workspace, 'a.txt'), 'utf8')).rejects.toThrow('ENOENT');
    },
  );
});
