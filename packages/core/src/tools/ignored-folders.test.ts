import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { GlobTool, type GlobData } from './glob.js';
import { GrepTool, type GrepData } from './grep.js';
import { LSTool, type ListDirectoryData } from './ls.js';
import type { ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const strict = await createTempConfig({ readGitIgnored: false });
const never = new AbortController().signal;
afterEach(async () => {
  await reset();
  await strict.reset();
});
afterAll(async () => {
  await remove();
  await strict.remove();
});

const textOf = ({ llmContent, error }: ToolResult): string => error?.message ?? (llmContent as string);
const below = (paths: readonly string[]): string[] => paths.map((path) => path.slice(workspace.root.length + 1)).sort();

async function glob(pattern: string | string[], path?: string): Promise<ToolResult> {
  return new GlobTool(config).execute({ pattern, ...(path !== undefined && { path }) }, never);
}

async function globbed(pattern: string | string[], path?: string): Promise<string[]> {
  return below(((await glob(pattern, path)).data as GlobData).files);
}

async function grepped(path: string): Promise<string[]> {
  const result = await new GrepTool(config).execute({ pattern: 'needle', path, output_mode: 'files' }, never);
  return below((result.data as GrepData).files.map((file) => file.path));
}

async function listed(path: string): Promise<string[]> {
  const result = await new LSTool(config).execute({ path: workspace.path(path) }, never);
  return (result.data as ListDirectoryData).entries.map(({ name }) => name).sort();
}

describe('a folder whose own ignore file hides all that is in it', () => {
  const VENV = { 'a.py': 'needle\n', '.venv/pyvenv.cfg': 'needle\n', '.venv/lib/b.py': 'needle\n' };

  it.each([
    '*',
    '# Created by virtualenv automatically\n*\n',
    '/*\n',
    '**',
    '*\n!.gitignore\n',
    '/**\r\n!/.gitkeep\r\n',
  ])('is searched when it is named, with %j in it', async (rules) => {
    await workspace.write({ ...VENV, '.venv/.gitignore': rules });
    expect(await globbed('**/*.{py,cfg}')).toEqual(['a.py']);
    expect(await globbed('**/*.py', '.venv')).toEqual(['.venv/lib/b.py']);
    expect(await globbed('*.cfg', '.venv')).toEqual(['.venv/pyvenv.cfg']);
    expect(await globbed(workspace.path('.venv/**/*.py'))).toEqual(['.venv/lib/b.py']);
    expect(await grepped('.venv')).toEqual(['.venv/lib/b.py', '.venv/pyvenv.cfg']);
    expect(await listed('.venv')).toEqual(['.gitignore', 'lib', 'pyvenv.cfg']);
  });

  it('counts nothing as left out there, and keeps the promise of the hint', async () => {
    await workspace.write({ ...VENV, '.venv/.gitignore': '*\n' });
    const { llmContent } = await glob('.venv/**/*.py');
    expect(llmContent).toContain('1 file would match but for .gitignore: give an ignored folder as path');
    expect(llmContent).toContain('(Not looked into: 3 entries ignored by .gitignore.)');
    expect((await glob('**/*.py', '.venv')).llmContent).not.toContain('ignored');
    // The tree remembers what it was judged by.
    expect(await globbed('**/*.py')).toEqual(['a.py']);
    expect(await globbed('**/*.py', '.venv')).toEqual(['.venv/lib/b.py']);
  });

  it('is searched also where a rule above it hides it, or where it lies in such a folder', async () => {
    await workspace.write({
      ...VENV,
      '.gitignore': '.venv\n*.py\n',
      '.venv/.gitignore': '*',
      '.venv/lib/.gitignore': '*',
    });
    expect(await globbed('**/*', '.venv')).toEqual(['.venv/.gitignore', '.venv/pyvenv.cfg']);
    expect(await globbed('**/*', '.venv/lib')).toEqual(['.venv/lib/.gitignore', '.venv/lib/b.py']);
    const both = [workspace.path('.venv/**'), workspace.path('.venv/lib/**'), workspace.path('*')];
    expect(await globbed(both)).toHaveLength(5);
  });

  it('is no such folder where its file takes something back in, or it is the workspace', async () => {
    await workspace.write({ 'conf/.gitignore': '*\n!*.md\n!.gitignore\n', 'conf/a.md': '', 'conf/b.env': '' });
    expect(await globbed('*', 'conf')).toEqual(['conf/.gitignore', 'conf/a.md']);
    expect(await listed('conf')).toEqual(['.gitignore', 'a.md']);
    await workspace.write({ '.gitignore': '*\n' });
    expect(await globbed('*', workspace.root)).toEqual([]);
  });

  it('is not read where nothing may be read that git ignores', async () => {
    const { config: kept, workspace: place } = strict;
    await place.write({
      '.venv/.gitignore': '*\n',
      '.venv/a.py': 'needle\n',
      'own/.gitignore': '*.py\n',
      'own/b': 'needle\n',
    });
    const grep = async (path: string): Promise<string> =>
      textOf(await new GrepTool(kept).execute({ pattern: 'needle', path }, never));
    expect(await grep('.venv')).toMatch(/^Path is ignored by git: .*\.venv\. .*files\.readGitIgnored/);
    expect(await grep('own')).toContain('Found 1 match');
  });
});

describe('a named folder that a rule above it hides', () => {
  it('is judged by the ignore files in it alone', async () => {
    await workspace.write({
      '.gitignore': 'vendor\n*.log\n',
      'vendor/lib/.gitignore': 'node_modules/\n*.tmp\n',
      'vendor/lib/a.log': 'needle\n',
      'vendor/lib/b.tmp': 'needle\n',
      'vendor/lib/node_modules/c.js': 'needle\n',
    });
    expect(await globbed('**/*', 'vendor/lib')).toEqual(['vendor/lib/.gitignore', 'vendor/lib/a.log']);
    expect(await grepped('vendor')).toEqual(['vendor/lib/a.log']);
    const { llmContent } = await glob('**/*.js', 'vendor/lib');
    expect(llmContent).toContain('1 file would match but for .gitignore: give an ignored folder as path');
    expect(await globbed('**/*.js', 'vendor/lib/node_modules')).toEqual(['vendor/lib/node_modules/c.js']);
    // One walk comes by the other, which does not show what is named.
    const named = [workspace.path('vendor/lib/*.log'), workspace.path('vendor/lib/node_modules/*.js')];
    expect(await globbed(named)).toHaveLength(2);
  });
});
