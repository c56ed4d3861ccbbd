import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { childEnvironment } from '../process/child-environment.js';
import { createTempConfig } from '../testing/temp-config.js';
import { readShellState, rememberingCommand } from './shell-memory.js';
import type { ShellToolParams } from './shell-params.js';
import { ShellTool } from './shell.js';

const { config, workspace, temp, reset, remove } = await createTempConfig({
  entries: { 'sub/': '' },
  childEnvironment: childEnvironment(process.env, { roots: [], realPath: (path) => path }),
  shell: { persistent: true },
});
const { root } = workspace;
const sub = join(root, 'sub');
afterEach(reset);
afterAll(remove);

function shellOf(): (params: ShellToolParams | string) => Promise<string> {
  const tool = new ShellTool(config);
  return async (params) => {
    const result = await tool
      .invoke(typeof params === 'string' ? { command: params } : params)
      .execute(new AbortController().signal);
    return typeof result.llmContent === 'string' ? result.llmContent : '';
  };
}

describe('a shell that remembers', () => {
  it('starts where the command before ended, with its exported variables', async () => {
    const run = shellOf();
    expect(await run('cd sub; export LANGUAGE=de; other=1; exit 3')).toBe('(no output)\nExit code: 3');
    expect(await run('pwd; echo "$LANGUAGE$other"')).toBe(`${sub}\nde`);
    expect(await run({ command: 'pwd', directory: root })).toBe(root);
  });

  it('states the folder that it starts in', async () => {
    const tool = new ShellTool(config);
    await tool.invoke({ command: 'cd sub' }).execute(new AbortController().signal);
    const invocation = tool.build({ command: 'make' });
    expect(await invocation.effects?.()).toMatchObject([
      { kind: 'read', path: sub },
      { kind: 'run', directory: sub },
    ]);
    expect(await invocation.shouldConfirmExecute?.(new AbortController().signal)).toMatchObject({ directory: sub });
  });

  it('is in the workspace root again after a command that left it, or whose folder is gone', async () => {
    const run = shellOf();
    expect(await run('cd /usr; true')).toBe(
      '(no output)\nThe next command starts in the workspace root again: the folder is gone or lies outside.',
    );
    expect(await run('pwd')).toBe(root);
    await run('mkdir gone; cd gone; rmdir ../gone');
    expect(await run('pwd')).toBe(root);
    await run('mkdir later; cd later');
    rmSync(join(root, 'later'), { recursive: true });
    expect(await run('pwd')).toBe(root);
  });

  it('carries over no variable that changes what is run, and says so', async () => {
    const run = shellOf();
    const text = await run(
      'export PATH=/tmp/evil:$PATH LD_PRELOAD= IFS=x GIT_DIR=y BASH_ENV=z NODE_OPTIONS=--x FINE=1',
    );
    expect(text).toMatch(/^\(no output\)\nNot carried over, because it changes what is run: /);
    for (const name of ['PATH', 'LD_PRELOAD', 'IFS', 'GIT_DIR', 'BASH_ENV', 'NODE_OPTIONS'])
      expect(text).toContain(name);
    expect(await run('env | grep -E "evil|^(LD_PRELOAD|IFS|GIT_DIR|BASH_ENV|NODE_OPTIONS)=" ; echo "$FINE"')).toBe('1');
  });

  it('never lowers a decision by carrying a variable into the next call', async () => {
    const tool = new ShellTool(config);
    await tool.invoke({ command: 'export API_URL=http://x NODE_ENV=test' }).execute(new AbortController().signal);
    expect(await tool.build({ command: 'ls' }).effects?.()).toContainEqual({
      kind: 'unknown',
      reason: 'the variable `API_URL` set for a program by an earlier command',
    });
  });

  it('keeps what it has when the command takes the end of the shell for itself, or is not closed', async () => {
    const run = shellOf();
    await run('cd sub');
    for (const command of ['cd ..; exec true', 'trap : EXIT; cd ..', 'cd ..; echo "not closed', 'cd ..; kill -9 $$'])
      await run(command);
    expect(await run('pwd')).toBe(sub);
  });

  it('runs the command as it stands, and leaves no file', async () => {
    const run = shellOf();
    expect(await run(`echo 'a '"b"\nfor i in 1 2; do echo $i; done\ncat <<'E'\n' EXIT\nE\n(exit 5)`)).toBe(
      "a b\n1\n2\n' EXIT\nExit code: 5",
    );
    expect(readdirSync(temp.root)).toEqual([]);
  });
});

describe('a state file', () => {
  it('is believed in nothing: what it says is checked, and it may be too long, torn or missing', async () => {
    const file = join(temp.root, 'state');
    const gate = config.getWorkspaceGate();
    const read = (text: string): ReturnType<typeof readShellState> => {
      writeFileSync(file, text);
      return readShellState(file, gate, { SAME: '1' });
    };
    expect(await readShellState(file, gate, {})).toBeUndefined();
    expect(await read('x'.repeat(100_000))).toBeUndefined();
    expect((await read(''))?.state).toEqual({ directory: undefined, variables: {} });
    const odd = await read(`${root}/../..\0SAME=1\0=x\0A B=x\0BASH_FUNC_ls%%=() { evil; }\0__proto__=x\0GOOD=a=b`);
    expect(odd?.state.directory).toBeUndefined();
    expect(Object.entries(odd?.state.variables ?? {})).toEqual([
      ['__proto__', 'x'],
      ['GOOD', 'a=b'],
    ]);
  });

  it('is written under any name', () => {
    mkdirSync(join(temp.root, "a'b"));
    expect(rememberingCommand('true', "/a'b")).toContain(String.raw`'\''`);
  });
});
