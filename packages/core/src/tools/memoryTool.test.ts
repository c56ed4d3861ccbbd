import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openUndo } from '../session/open-undo.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { MemoryTool } from './memoryTool.js';
import { WriteFileTool } from './write-file.js';

const home = await createTempWorkspace();
const { config, workspace, reset, remove } = await createTempConfig({
  memory: { home: home.root, environment: { DEPLOY_TOKEN: 'open-sesame' } },
});
const tool = new MemoryTool(config);
const { signal } = new AbortController();
afterEach(async () => {
  await reset();
  await writeFile(home.path('TENON.md'), '');
});
afterAll(async () => {
  await remove();
  await home.remove();
});

describe('save_memory (S122)', () => {
  it('saves a fact of the project, and of all projects in the folder of Tenon', async () => {
    const saved = await tool.execute({ fact: 'Tests run with make check.' }, signal);
    expect(saved.llmContent).toBe(
      `Saved in ${workspace.path('TENON.md')}. It is told in later sessions of this project.`,
    );
    expect(saved.data).toEqual({ path: workspace.path('TENON.md'), saved: true });
    expect(await workspace.read('TENON.md')).toBe('## Saved memories\n\n- Tests run with make check.\n');
    await tool.execute({ fact: 'Answers are in German.', scope: 'global' }, signal);
    expect(await home.read('TENON.md')).toBe('## Saved memories\n\n- Answers are in German.\n');
    expect(await workspace.read('TENON.md')).not.toContain('German');
  });

  it('shows what it would write as a diff, and writes over that version only', async () => {
    await workspace.write({ 'TENON.md': '# P\n' });
    const invocation = tool.build({ fact: 'One.' });
    expect(await invocation.shouldConfirmExecute?.(signal)).toMatchObject({
      type: 'edit',
      title: 'Confirm Memory: TENON.md',
      originalContent: '# P\n',
      newContent: '# P\n\n## Saved memories\n\n- One.\n',
    });
    await workspace.write({ 'TENON.md': '# Other\n' });
    expect((await invocation.execute(signal)).error?.type).toBe('file_changed');
    expect(await workspace.read('TENON.md')).toBe('# Other\n');
  });

  it('states what it writes and where: the global file lies outside of the workspace', async () => {
    expect(await tool.build({ fact: 'One.' }).effects?.()).toMatchObject([{ kind: 'write', zone: 'workspace' }]);
    expect(await tool.build({ fact: 'One.', scope: 'global' }).effects?.()).toEqual([
      { kind: 'write', path: home.path('TENON.md'), requested: home.path('TENON.md'), zone: 'outside' },
    ]);
  });

  it('refuses secrets, and does not repeat them', async () => {
    for (const fact of ['The password is hunter2.', 'Deploy with open-sesame.', 'Key AKIAIOSFODNN7EXAMPLE']) {
      const refused = await tool.execute({ fact }, signal);
      expect(refused.error?.type).toBe('invalid_tool_params');
      expect(refused.llmContent).toContain('secrets are not remembered');
      expect(refused.llmContent).not.toMatch(/hunter2|open-sesame|AKIA/);
    }
    await expect(stat(workspace.path('TENON.md'))).rejects.toThrow('ENOENT');
  });

  it('tells what is known already, wherever it stands, and adds nothing', async () => {
    await workspace.write({ 'TENON.md': '- Use tabs.\n', 'AGENTS.md': '* Answer briefly\n' });
    await config.getMemory().refresh();
    const same = await tool.execute({ fact: 'use tabs' }, signal);
    expect(same.llmContent).toContain('says so already ("- Use tabs.")');
    expect(same.data).toEqual({ path: workspace.path('TENON.md'), saved: false });
    const other = await tool.execute({ fact: 'Answer briefly.' }, signal);
    expect(other.data).toEqual({ path: workspace.path('AGENTS.md'), saved: false });
    expect(await workspace.read('TENON.md')).toBe('- Use tabs.\n');
  });

  it('refuses what says nothing, and what is a document', async () => {
    for (const fact of [' ', '-   ', '\u202e', 'x'.repeat(1001)])
      expect((await tool.execute({ fact }, signal)).error?.type).toBe('invalid_tool_params');
  });

  it('is all that may touch the global file: no other tool reaches it, nor does it reach another', async () => {
    const write = new WriteFileTool(config);
    for (const name of ['TENON.md', 'settings.json'])
      expect((await write.execute({ file_path: home.path(name), content: 'x' }, signal)).error?.type).toBe(
        'path_not_in_workspace',
      );
    const { gate } = config.getMemory().savePlace('global') ?? {};
    expect(gate?.check(home.path('TENON.md'))).toBeNull();
    for (const name of ['settings.json', 'TENON.md.bak', 'projects/TENON.md', '.'])
      expect(gate?.check(home.path(name))?.code).toBe('path_not_in_workspace');
    expect(config.getWorkspaceGate().check(home.path('TENON.md'))?.code).toBe('path_not_in_workspace');
  });

  it('does not follow a link that took the place of the global file', async () => {
    const other = await createTempWorkspace();
    const place = await createTempConfig({ memory: { home: other.root } });
    try {
      const late = new MemoryTool(place.config);
      place.config.getMemory().savePlace('global');
      await other.write({ 'settings.json': '{}' });
      await symlink('settings.json', other.path('TENON.md'));
      const result = await late.execute({ fact: 'One.', scope: 'global' }, signal);
      expect(result.error?.type).toBe('path_not_in_workspace');
      expect(await other.read('settings.json')).toBe('{}');
    } finally {
      await place.remove();
      await other.remove();
    }
  });

  it('writes through a link that the person set', async () => {
    const other = await createTempWorkspace({ 'dotfiles/notes.md': '# Mine\n', 'home/': '' });
    await symlink('../dotfiles/notes.md', other.path('home/TENON.md'));
    const place = await createTempConfig({ memory: { home: other.path('home') } });
    try {
      await new MemoryTool(place.config).execute({ fact: 'One.', scope: 'global' }, signal);
      expect(await other.read('dotfiles/notes.md')).toBe('# Mine\n\n## Saved memories\n\n- One.\n');
    } finally {
      await place.remove();
      await other.remove();
    }
  });

  it('has no global scope where Tenon has no folder', async () => {
    const place = await createTempConfig();
    try {
      const result = await new MemoryTool(place.config).execute({ fact: 'One.', scope: 'global' }, signal);
      expect(result.llmContent).toContain('There is no place for facts of all projects here');
    } finally {
      await place.remove();
    }
  });
});

describe('what was saved (S122)', () => {
  it('is taken back by undo, in the project and in the folder of Tenon', async () => {
    const base = await createTempWorkspace({ 'project/': '', 'home/': '' });
    const roots = [base.path('project')];
    const tenonHome = base.path('home');
    const undo = openUndo({ roots, tenonHome });
    const { projectFolders } = await import('../session/project-folders.js');
    const folders = projectFolders(tenonHome, base.path('project'));
    const { Config } = await import('../config/config.js');
    const place = await createTempConfig();
    const own = new Config({
      roots,
      tempDir: folders.temp,
      journalDir: folders.journal,
      approvalMode: place.config.getApprovalMode(),
      runCommand: place.config.getCommandRunner(),
      jobs: place.config.getJobs(),
      childEnvironment: {},
      memory: { home: tenonHome },
    });
    try {
      await mkdir(base.path('home'), { recursive: true });
      await writeFile(base.path('home/TENON.md'), '# Me\n');
      const memory = new MemoryTool(own);
      await memory.execute({ fact: 'Global.', scope: 'global' }, signal);
      await memory.execute({ fact: 'Project.' }, signal);
      expect(await readFile(base.path('project/TENON.md'), 'utf8')).toContain('Project.');
      expect((await undo.undo({ last: 2 })).complete).toBe(true);
      expect(await readFile(base.path('home/TENON.md'), 'utf8')).toBe('# Me\n');
      await expect(stat(base.path('project/TENON.md'))).rejects.toThrow('ENOENT');
      await undo.redo();
      expect(await readFile(base.path('home/TENON.md'), 'utf8')).toContain('- Global.');
    } finally {
      await own.close();
      await place.remove();
      await base.remove();
    }
  });
});
