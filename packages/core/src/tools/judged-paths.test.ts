import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { isPathEffect } from '../effects/effect.js';
import { createTempConfig } from '../testing/temp-config.js';
import { EditTool } from './edit.js';
import { GlobTool } from './glob.js';
import { GrepTool } from './grep.js';
import { LSTool } from './ls.js';
import { ReadFileTool } from './read-file.js';
import { ReadManyFilesTool } from './read-many-files.js';
import { toParts, type ToolInvocation, type ToolResult } from './tools.js';
import { WriteFileTool } from './write-file.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

const { signal } = new AbortController();
const at = (name: string): string => workspace.path(name);
const read = (): ToolInvocation<object, ToolResult> => new ReadFileTool(config).build({ absolute_path: at('d/f') });

function textOf(result: ToolResult): string {
  return toParts(result.llmContent)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}

describe('a call whose path leads elsewhere than when its effects were stated', () => {
  const calls: Readonly<Record<string, () => ToolInvocation<object, ToolResult>>> = {
    read_file: read,
    list_directory: () => new LSTool(config).build({ path: at('d') }),
    glob: () => new GlobTool(config).build({ pattern: '*', path: at('d') }),
    'grep_search in a folder': () =>
      new GrepTool(config, { engine: 'javascript' }).build({ pattern: 'S', path: at('d') }),
    'grep_search in a file': () =>
      new GrepTool(config, { engine: 'javascript' }).build({ pattern: 'S', path: at('d/f') }),
    'read_many_files of a file': () => new ReadManyFilesTool(config).build({ paths: ['d/f'] }),
    'read_many_files of a folder': () => new ReadManyFilesTool(config).build({ paths: ['d'] }),
    edit: () => new EditTool(config).build({ file_path: at('d/f'), old_string: 'SECRET', new_string: 'x' }),
    write_file: () => new WriteFileTool(config).build({ file_path: at('d/f'), content: 'x' }),
    'write_file of a new file': () => new WriteFileTool(config).build({ file_path: at('d/new'), content: 'x' }),
  };

  it.each(Object.keys(calls))('%s touches nothing', async (name) => {
    await workspace.write({ 'real/f': 'inside\n', 'secret/f': 'SECRET\n', d: { linkTo: 'real' } });
    const invocation = calls[name]?.();
    await invocation?.effects?.();
    unlinkSync(at('d'));
    symlinkSync('secret', at('d'));
    const result = await invocation?.execute(signal);
    if (result === undefined) throw new Error('no such call');
    expect(`${result.error?.type} ${textOf(result)}`).toMatch(/file.changed/);
    expect(textOf(result)).not.toContain('SECRET');
    expect(await workspace.read('secret/f')).toBe('SECRET\n');
    await expect(workspace.read('secret/new')).rejects.toThrow('ENOENT');
    await invocation?.effects?.();
    // Judged anew, it may go on.
    expect((await invocation?.execute(signal))?.error?.type).not.toBe('file_changed');
  });

  it('expects nothing where no effects were asked for', async () => {
    await workspace.write({ 'secret/f': 'text\n', d: { linkTo: 'secret' } });
    expect(textOf(await read().execute(signal))).toContain('text');
  });

  it.each(['grep_search in a file', 'read_many_files of a file'])(
    '%s does not become one of a folder',
    async (name) => {
      await workspace.write({ 'd/f': 'S\n' });
      const invocation = calls[name]?.();
      await invocation?.effects?.();
      unlinkSync(at('d/f'));
      mkdirSync(at('d/f'));
      await workspace.write({ 'd/f/deep': 'SECRET\n' });
      const result = await invocation?.execute(signal);
      expect(result?.error?.type).toBe('file_changed');
    },
  );

  it('never gives what lies behind a link that flips all the time', async () => {
    await workspace.write({ 'real/f': 'inside\n', 'secret/f': 'SECRET\n', d: { linkTo: 'real' } });
    const flipper = `
      const fs = require('node:fs'); const root = process.argv[1]; const end = Date.now() + 1500;
      for (let i = 0; Date.now() < end; i++) {
        fs.symlinkSync(i % 2 ? 'real' : 'secret', root + '/l'); fs.renameSync(root + '/l', root + '/d');
      }`;
    const child = spawn(process.execPath, ['-e', flipper, workspace.root], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const seen = { allowed: 0, refused: 0 };
    while (child.exitCode === null) {
      const invocation = read();
      const effects = (await invocation.effects?.()) ?? [];
      await nextTurn();
      if (effects.some((effect) => isPathEffect(effect) && effect.path === at('secret/f'))) continue;
      const result = await invocation.execute(signal);
      expect(textOf(result)).not.toContain('SECRET');
      if (result.error === undefined) seen.allowed += 1;
      else if (result.error.type === 'file_changed') seen.refused += 1;
    }
    await exited;
    // The race was really run: both outcomes were seen.
    expect(seen.allowed).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
