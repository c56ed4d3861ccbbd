import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { expectSameScripts } from '../trust/shell-scripts.js';
import { loadSettings, type LoadedSettings } from './load-settings.js';

let home: TempWorkspace;
let project: TempWorkspace;

beforeEach(async () => {
  home = await createTempWorkspace({});
  project = await createTempWorkspace({ 'check.sh': 'exit 0\n' });
});
afterEach(async () => {
  await home.remove();
  await project.remove();
});

const group = (command: string) => [{ matcher: 'Bash', hooks: [{ type: 'command', command, timeout: 5 }] }];

async function load(): Promise<LoadedSettings> {
  const managed = { file: home.path('managed.json'), owner: undefined };
  return loadSettings({ tenonHome: home.root, projectRoot: project.root, managed, userHome: home.root });
}

async function put(place: TempWorkspace, file: string, value: unknown): Promise<void> {
  await place.write({ [file]: JSON.stringify(value) });
}

describe('hooks of the settings', () => {
  it('of the person run always, in Claude Code\u2019s shape', async () => {
    await put(home, 'settings.json', {
      hooks: { PreToolUse: group('check'), Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] },
    });
    const { extensions, problems } = await load();
    expect(problems).toEqual([]);
    expect(extensions.hooks).toMatchObject([
      { event: 'PreToolUse', kind: 'command', command: 'check', matcher: 'Bash', timeoutMs: 5000, failClosed: false },
      { event: 'Stop', timeoutMs: 60_000 },
    ]);
  });

  it('of a project run once the folder is trusted with them and with the scripts that they run', async () => {
    await put(project, '.tenon/settings.json', { hooks: { PreToolUse: group('bash "$CLAUDE_PROJECT_DIR"/check.sh') } });
    const before = await load();
    expect(before.extensions.hooks).toEqual([]);
    expect(before.problems.map(({ message }) => message).join()).toContain('tenon trust');
    expect(before.trust.entries[0]?.lines.join('\n')).toContain('which runs check.sh of this folder');
    await before.trust.accept();
    const [hook] = (await load()).extensions.hooks;
    if (hook?.kind !== 'command' || hook.bound === undefined) throw new Error('not bound');
    const place = { ...hook.bound, variables: ['CLAUDE_PROJECT_DIR'] };
    await expectSameScripts(hook.command, place);
    writeFileSync(project.path('check.sh'), 'curl evil\n');
    await expect(expectSameScripts(hook.command, place)).rejects.toMatchObject({ code: 'program_changed' });
    expect((await load()).extensions.hooks).toEqual([]);
    rmSync(project.path('check.sh'));
    await expect(expectSameScripts(hook.command, place)).rejects.toMatchObject({ code: 'program_changed' });
  });

  it('of other agents are read only where settings name the file, and a project\u2019s only in trust', async () => {
    await put(project, '.claude/settings.json', {
      permissions: {},
      hooks: { PreToolUse: group('a'), PostToolBatch: [] },
    });
    await put(home, '.claude/settings.json', { hooks: { PreToolUse: group('b') } });
    expect((await load()).extensions.hooks).toEqual([]);
    await put(home, 'settings.json', { hooks: { importFrom: ['~/.claude/settings.json', '.claude/settings.json'] } });
    const before = await load();
    expect(before.extensions.hooks).toMatchObject([{ command: 'b', dialect: 'claude' }]);
    expect(before.trust.entries).toMatchObject([{ id: '.claude/settings.json', state: 'new' }]);
    await before.trust.accept();
    const after = await load();
    expect(after.extensions.hooks).toMatchObject([{ command: 'b' }, { command: 'a', bound: { scripts: [] } }]);
    expect(after.problems.map(({ message }) => message).join()).toContain('PostToolBatch');
  });

  it('of a project name no files outside of it, and allow nothing', async () => {
    await put(home, '.claude/settings.json', { hooks: { PreToolUse: group('b') } });
    await put(project, '.tenon/settings.json', { hooks: { importFrom: ['~/.claude/settings.json'], mayAllow: true } });
    await (await load()).trust.accept();
    const { extensions, values, problems } = await load();
    expect(extensions.hooks).toEqual([]);
    expect(values['hooks.mayAllow']).toBeUndefined();
    expect(problems.map(({ message }) => message).join()).toContain('not of the project');
  });

  it('are switched off by the person alone', async () => {
    await put(home, 'settings.json', { hooks: { PreToolUse: group('a') }, disableAllHooks: true });
    expect((await load()).extensions.hooks).toEqual([]);
    await put(home, 'settings.json', { hooks: { PreToolUse: group('a') } });
    await put(project, '.tenon/settings.json', { disableAllHooks: true });
    expect((await load()).extensions.hooks).toHaveLength(1);
  });

  it.each([
    [{ PreToolUse: 'x' }],
    [{ PreToolUse: [{ hooks: [{ type: 'command' }] }] }],
    [{ PreToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'x' }] }] }],
    [{ PreToolUse: [{ hooks: [{ type: 'http', url: 'http://example.com' }] }] }],
    [{ PreToolUse: [{ hooks: [{ type: 'command', command: 'x', timeout: -1 }] }] }],
    [{ PreTooluse: group('x') }],
  ])('that cannot be read stop the run: %j', async (hooks) => {
    await put(home, 'settings.json', { hooks });
    expect((await load()).problems).toMatchObject([{ severity: 'fatal' }]);
  });
});
