import { mkdirSync, symlinkSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Rule } from '../policy/rule.js';
import { readRulesOf } from '../policy/withheld-below.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { GlobTool, type GlobToolParams } from './glob.js';

let rules: readonly Rule[] = [];
const { config, workspace, reset, remove } = await createTempConfig({
  readRules: readRulesOf(() => ({ rules, roots: config.getWorkspaceGate().roots, home: '/home/ann' })),
});
const tool = new GlobTool(config);
afterEach(reset);
afterAll(remove);

async function told(pattern: GlobToolParams['pattern'], path?: string): Promise<string> {
  const params = { pattern, ...(path !== undefined && { path }) };
  return (await tool.execute(params, new AbortController().signal)).llmContent as string;
}

describe('where glob finds nothing', () => {
  it('says how brackets are written that stand in names', async () => {
    await workspace.write({ 'src/app/[slug]/page.tsx': '', 'src/app/[slug]/[...rest]/a.tsx': '' });
    expect(await told('src/app/[slug]/*.tsx')).toContain(
      ' 1 file would match with the brackets taken literally: write "src/app/\\[slug\\]/*.tsx", or give the folder as path.',
    );
    expect(await told('src/app/\\[slug\\]/*.tsx')).toMatch(/^Found 1 file/);
    expect(await told('*.tsx', 'src/app/[slug]')).toMatch(/^Found 1 file/);
    expect(await told('**/[slug]/**')).toContain(' 2 files would match with the brackets taken literally');
    expect(await told(workspace.path('src/app/[slug]/*.tsx'))).toContain(' 1 file would match with the brackets');
    expect(await told(['**/[slug]/**', '!a.tsx'])).toContain(' 1 file would match with the brackets');
    expect(await told('src/[x]/*.tsx')).not.toContain('literally');
  });

  it('says how many files lie deeper', async () => {
    await workspace.write({ 'src/a/x.tsx': '', 'src/a/b/y.tsx': '' });
    for (const pattern of ['src/*.tsx', 'src/**.tsx', './src/*.tsx'])
      expect(await told(pattern)).toMatch(
        / 2 files would match deeper below: ".*src\/\*\*\/\*\.tsx" goes into sub-fold/,
      );
    expect(await told(workspace.path('src/*.tsx'))).toContain(
      ` 2 files would match deeper below: "${workspace.path('src/**/*.tsx')}" goes into sub-folders.`,
    );
    expect(await told('src/*.md')).not.toContain('deeper');
  });

  it('says how many files there are from another folder on', async () => {
    await workspace.write({ 'src/components/a.tsx': '', 'src/components/b.tsx': '', 'web/app/x.tsx': '' });
    const said = ' 2 files would match from another folder on: "**/components/*.tsx" finds them.';
    for (const pattern of ['components/*.tsx', './components/*.tsx', ['components/*.tsx', '!web']])
      expect(await told(pattern)).toContain(said);
    expect(await told('components/*.tsx')).toContain(`Folder not found: ${workspace.path('components')}.`);
    expect(await told('**/components/*.tsx')).toMatch(/^Found 2 files/);
    expect(await told('app/*.tsx')).toContain(' 1 file would match from another folder on: "**/app/*.tsx" finds it.');
    const others = ['components/*.md', workspace.path('components/*.tsx'), '../components/*.tsx', '!**', 'src/*.tsx'];
    for (const pattern of others) expect(await told(pattern, 'src')).not.toContain('another folder');
    await workspace.write({ '.gitignore': 'app\n', 'app/y.tsx': '' });
    expect(await told('app/*.tsx')).toMatch(/1 file would match but for \.gitignore(?!.*another folder)/);
  });

  it('names what is near a folder that is not there, with which a relative pattern begins', async () => {
    await workspace.write({ 'src/app/a.ts': '', '.qwenignore': 'secret\n', 'secret/a.ts': '' });
    const near = `Folder not found: ${workspace.path('scr')}. The nearest names in ${workspace.root}: src.`;
    for (const pattern of ['scr/app/**', './scr/*.ts', ['*.md', 'scr/x/y/*.ts']])
      expect(await told(pattern)).toContain(near);
    expect(await told('ap/*.ts', 'src')).toContain(`Folder not found: ${workspace.path('src/ap')}.`);
    for (const pattern of ['src/app/*.md', '!scr/**', 'secret/**', 'secret/deep/*', '*/scr/*'])
      expect(await told(pattern)).not.toContain('not found:');
  });

  it('takes a folder for missing only where no root has it', async () => {
    const second = await createTempWorkspace({ 'lib/b.md': '' });
    const both = await createTempConfig({ entries: { 'a.md': '' }, moreRoots: [second.root] });
    const text = async (pattern: string): Promise<unknown> =>
      (await new GlobTool(both.config).execute({ pattern }, new AbortController().signal)).llmContent;
    expect(await text('lib/*.ts')).not.toContain('not found:');
    expect(await text('lab/*.ts')).toContain(`The nearest names in ${second.root}: lib.`);
    await both.remove();
    await second.remove();
  });

  it('says that .git is not entered from above', async () => {
    const said = ' What is called ".git" is not shown, and only entered when it is given as path.';
    for (const pattern of ['.git/hooks/*', '.git/HEAD', '.git/**', '.git', '.git/hooks'])
      expect(await told(pattern)).not.toContain(said);
    await workspace.write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/hooks/pre-commit': '', 'sub/a.ts': '' });
    for (const pattern of ['.git/hooks/*', '.git/HEAD', '.git/**', './.git/**', '.git', '.git/hooks', '**/.git/**'])
      expect([pattern, await told(pattern)]).toEqual([pattern, expect.stringContaining(said)]);
    expect(await told('.git/hooks')).not.toContain('is a folder');
    expect(await told('hooks/*', '.git')).toMatch(/^Found 1 file/);
    expect(await told(workspace.path('.git/*'))).toMatch(/^Found 1 file/);
    for (const pattern of [workspace.path('.git/none/*'), workspace.path('.git'), 'sub/.git/*', '.github/*', '!.git'])
      expect(await told(pattern)).not.toContain(said);
  });

  it('calls nothing a folder that a pattern does not name', async () => {
    await workspace.write({ 'src/a.ts': '', 'src/[id]/b.ts': '', 'src/i/.keep': '' });
    for (const pattern of ['src/**/..', 'sr*/../src', '{src,lib}/..'])
      expect(await told(pattern)).toContain(
        ` The ".." in "${pattern}" names nothing: from a wildcard on, a pattern only leads down.`,
      );
    expect(await told('src/i/..')).toContain('"src/i/.." is a folder: "src/i/../**" matches');
    for (const pattern of ['src/[id]', 'src/\\[id\\]'])
      expect(await told(pattern)).toContain(' "src/\\[id\\]" is a folder: "src/\\[id\\]/**" matches what is in it.');
    expect(await told('src/\\[id\\]/**')).toContain('src/[id]/b.ts');
  });

  it('says of a link that is named why it is not shown', async () => {
    const second = await createTempWorkspace({ 'f.txt': '' });
    await workspace.write({ '.qwenignore': 'closed*\n', 'closed.txt': '' });
    mkdirSync(workspace.path('L'));
    symlinkSync('nothing', workspace.path('L/dang'));
    symlinkSync(second.path('f.txt'), workspace.path('L/outf'));
    symlinkSync(second.root, workspace.path('L/out'));
    symlinkSync('../closed.txt', workspace.path('L/hidden'));
    symlinkSync(second.root, workspace.path('L/closed-out'));
    const outside = (name: string): string => `"${name}" is a link that is not followed (leads outside the workspace).`;
    for (const pattern of ['L/dang', 'L/d\\ang', './L/dang'])
      expect(await told(pattern)).toContain(' "L/dang" is a link that is not followed (broken link).');
    expect(await told('dang', 'L')).toContain(' "dang" is a link that is not followed (broken link).');
    expect(await told(workspace.path('L/outf'))).toContain(outside(workspace.path('L/outf')));
    expect(await told('L/outf')).toContain(outside('L/outf'));
    for (const pattern of ['L/out/*', 'L/out/**/x', 'L/out']) expect(await told(pattern)).toContain(outside('L/out'));
    expect(await told('L/dang/*')).toMatch(/ is a link to \S+, and nothing is there\./);
    for (const pattern of ['L/hidden', 'L/closed-out', 'L/closed-out/*', 'L/none', 'L/*', 'L/out*'])
      expect([pattern, await told(pattern)]).toEqual([pattern, expect.not.stringContaining('is a link')]);
    await second.remove();
  });

  it('gives away nothing that a rule keeps from the model', async () => {
    const second = await createTempWorkspace({ 'f.txt': '' });
    await workspace.write({ 'kept/[x]/a.ts': '', 'kept/deep/b.ts': '', 'c.md': '' });
    symlinkSync(second.root, workspace.path('kept/out'));
    const patterns = ['kept/[x]/*', 'kept/*.ts', 'kept/out', 'kept/out/*', 'kept/depe/*', 'kept/deep'];
    const given = /would match|is a link|: deep|"kept\S+" is a folder/;
    for (const pattern of patterns) expect(await told(pattern)).toMatch(given);
    rules = [{ list: 'deny', text: 'Read(kept/**)', origin: 'user settings' }];
    for (const pattern of patterns)
      expect([pattern, await told(pattern)]).toEqual([pattern, expect.not.stringMatching(given)]);
    rules = [];
    await second.remove();
  });

  it('says nothing more of what can be no name', async () => {
    await workspace.write({ 'a.ts': '' });
    for (const pattern of [
      'a\0b',
      'a\0b/*',
      `${'x'.repeat(300)}/*`,
      `${'x/'.repeat(2000)}*`,
      '\udcff/[a]',
      '[a]'.repeat(1365),
    ])
      expect(await told(pattern)).toMatch(/^No files found/);
  });
});
