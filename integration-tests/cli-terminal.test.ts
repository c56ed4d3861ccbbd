import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';
import { hasScript, openScript, type ScriptTerminal } from './script-terminal.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const shell = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: 'run_shell_command', arguments: { command, description: 'for the test' } }],
});

async function session(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ScriptTerminal & { readonly bench: Bench }> {
  bench = await createBench(turns, { files: { 'a.txt': 'one\ntwo\nthree\n' } });
  return { ...openScript(bench, args, env), bench };
}

describe.runIf(hasScript)('at a terminal', () => {
  it('asks about a call, runs it after y, and streams the answer (S7, S24, S52)', async () => {
    const { sees, types, code, bench: here } = await session([shell('touch made'), { text: 'Made it.' }], ['make it']);
    await sees('touch made');
    await sees('[y] once');
    await expect(stat(path.join(here.workspace, 'made'))).rejects.toThrow('ENOENT');
    types('y\r');
    await sees('Made it.');
    expect(await code).toBe(0);
    await stat(path.join(here.workspace, 'made'));
  });

  it('takes Enter as no, hands the feedback to the model, and ends with 4', async () => {
    const { sees, types, code, bench: here } = await session([shell('touch made'), { text: 'All right.' }], ['x']);
    await sees('[n] no (default)');
    types('\r');
    await sees('What should it do instead?');
    types('use another name\r');
    await sees('All right.');
    expect(await code).toBe(4);
    expect(here.model.requests[1]?.bodyText).toContain('use another name');
    await expect(stat(path.join(here.workspace, 'made'))).rejects.toThrow('ENOENT');
  });

  it('does not take keys that were typed before the question', async () => {
    const slow: ScriptedTurn = { text: 'Thinking about it.', ...shell('touch made'), delayMs: 150 };
    const { sees, types, code, bench: here } = await session([slow, { text: 'Fine.' }], ['x']);
    await sees('Thinking');
    types('y\ry\ry\r');
    await sees('[y] once');
    await new Promise((resolve) => setTimeout(resolve, 400));
    await expect(stat(path.join(here.workspace, 'made'))).rejects.toThrow('ENOENT');
    types('\r');
    await sees('instead?');
    types('\r');
    expect(await code).toBe(4);
  });

  it('asks once for "always this session", and again after that only for other calls (S53)', async () => {
    const turns = [shell('touch one'), shell('touch one'), { text: 'Twice.' }];
    const { sees, types, code, screen } = await session(turns, ['x']);
    await sees('[a] always this session');
    types('a\r');
    await sees('Twice.');
    expect(await code).toBe(0);
    expect(screen().split('[y] once').length).toBe(2);
  });

  it('lets the person change a file before it is written, in their editor (S56, S82)', async () => {
    const write = (): ScriptedTurn => {
      const file = path.join(bench?.workspace ?? '', 'b.txt');
      return { toolCalls: [{ name: 'write_file', arguments: { file_path: file, content: 'model\n' } }] };
    };
    const turns = [write, { text: 'Written.' }];
    const {
      sees,
      types,
      code,
      bench: here,
    } = await session(turns, ['-p', 'x', '--model', 'm'], { EDITOR: './my-editor' });
    await writeFile(path.join(here.workspace, 'my-editor'), '#!/bin/sh\necho mine > "$1"\n');
    await chmod(path.join(here.workspace, 'my-editor'), 0o755);
    await sees('[e] edit first');
    types('e\r');
    await sees('Written.');
    expect(await code).toBe(0);
    expect(await readFile(path.join(here.workspace, 'b.txt'), 'utf8')).toBe('mine\n');
    expect(here.model.requests[1]?.bodyText).toContain('The user changed the proposed content');
  });

  it('opens a session: several prompts, commands, /exit', async () => {
    const { sees, types, code, bench: here } = await session([{ text: 'First.' }, { text: 'Second.' }], ['--plain']);
    await sees('› ');
    types('hello\r');
    await sees('First.');
    await sees('› ');
    types('/mode plan\r');
    await sees('The mode is now plan.');
    await sees('› ');
    types('/nonsense\r');
    await sees('There is no /nonsense.');
    await sees('› ');
    types('again\r');
    await sees('Second.');
    await sees('› ');
    types('/exit\r');
    expect(await code).toBe(0);
    expect(here.model.requests[1]?.bodyText).toContain('First.');
  });

  it('takes lines that are pasted together as one prompt', async () => {
    const { sees, types, code, bench: here } = await session([{ text: 'Both.' }], ['--plain']);
    await sees('› ');
    types('line one\rline two\r');
    await sees('Both.');
    await sees('› ');
    types('\u0004');
    expect(await code).toBe(0);
    expect(here.model.requests).toHaveLength(1);
    expect(here.model.requests[0]?.bodyText).toContain('line one\\nline two');
  });

  it('cancels a turn with Ctrl-C, goes on, and leaves at two on an empty line', async () => {
    const { sees, types, code } = await session(
      [shell('sleep 30'), { text: 'Still here.' }],
      ['--plain', '--allow', 'Bash'],
    );
    await sees('› ');
    types('sleep\r');
    await sees('sleep 30');
    await new Promise((resolve) => setTimeout(resolve, 300));
    types('\u0003');
    await sees('interrupted');
    await sees('› ');
    types('go on\r');
    await sees('Still here.');
    await sees('› ');
    types('\u0003');
    await sees('Ctrl-C again leaves.');
    await sees('› ');
    types('\u0003');
    expect(await code).toBe(130);
  });

  it('cancels the run with Ctrl-C at a question', async () => {
    const { sees, types, code, bench: here } = await session([shell('touch made'), { text: 'never' }], ['x']);
    await sees('[n] no (default)');
    types('\u0003');
    expect(await code).toBe(130);
    await expect(stat(path.join(here.workspace, 'made'))).rejects.toThrow('ENOENT');
  });

  it('cancels the run with Ctrl-C at the question after a no', async () => {
    const { sees, types, code, bench: here } = await session([shell('touch made'), { text: 'never' }], ['x']);
    await sees('[n] no (default)');
    types('n\r');
    await sees('What should it do instead?');
    types('\u0003');
    expect(await code).toBe(130);
    expect(here.model.requests).toHaveLength(1);
  });

  it('tells a person who said no that they did, and no more', async () => {
    const { sees, types, code, screen } = await session([shell('touch made'), { text: 'All right.' }], ['x']);
    await sees('[n] no (default)');
    types('n\r');
    await sees('What should it do instead?');
    types('\r');
    await sees('All right.');
    expect(await code).toBe(4);
    expect(screen()).toMatch(/⊘\S* you said no/);
    expect(screen()).not.toMatch(/--allow|denied:/);
  });

  it('shows the escape sequences of a model instead of obeying them', async () => {
    const { sees, code, screen } = await session([{ text: 'a\u001b]0;owned\u0007b\u001b[2Jc' }], ['x']);
    await sees('\\u{1b}[2J');
    expect(await code).toBe(0);
    expect(screen()).not.toContain('\u001b]0;');
    expect(screen()).not.toContain('\u001b[2J');
  });
});
