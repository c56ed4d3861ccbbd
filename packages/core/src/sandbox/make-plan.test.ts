import { afterEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace, type WorkspaceEntry } from '../testing/temp-workspace.js';
import { makePlan, type SandboxPlaces } from './make-plan.js';
import type { SandboxPlan } from './sandbox-types.js';

const open: TempWorkspace[] = [];
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.remove();
});

async function planOf(
  entries: Readonly<Record<string, WorkspaceEntry>>,
  more: (path: (name: string) => string) => Partial<SandboxPlaces> = () => ({}),
): Promise<
  (list: Exclude<keyof SandboxPlan, 'network' | 'hosts' | 'processes' | 'localSockets' | 'privateTemp'>) => string[]
> {
  const workspace = await createTempWorkspace({ 'w/': '', 'home/': '', 'temp/': '', 'box/': '', ...entries });
  open.push(workspace);
  const { root } = workspace;
  const path = (name: string): string => workspace.path(name);
  const plan = makePlan(
    {
      roots: [path('w')],
      tempDir: path('temp'),
      home: path('home'),
      agentFolders: [path('home/.tenon')],
      ...more(path),
    },
    path('box'),
  );
  return (list) =>
    plan[list]
      .map((each) => (typeof each === 'string' ? each : each.path))
      .filter((each) => each.startsWith(root))
      .map((each) => each.slice(root.length + 1))
      .toSorted();
}

const REPOSITORY = { 'w/.git/HEAD': 'ref: refs/heads/main\n', 'w/.git/config': '', 'w/.git/hooks/': '' };

describe('a plan', () => {
  it('lets the workspace and the temp folder be changed, and hides secrets and what is the agent’s own', async () => {
    const plan = await planOf({ 'home/.ssh/id': '', 'home/.netrc': '', 'home/.tenon/x': '', 'home/notes': '' });
    expect(plan('writable')).toEqual(['temp', 'w']);
    expect(plan('masked')).toEqual(['home/.netrc', 'home/.ssh', 'home/.tenon']);
  });

  it('protects control files where they are, in any spelling, and names that are not there', async () => {
    const plan = await planOf({
      'w/.claude/a': '',
      'w/.Idea/a': '',
      'w/.npmrc': '',
      'w/x.code-workspace': '',
      'w/src/a': '',
    });
    expect(plan('protected')).toEqual(['w/.Idea', 'w/.claude', 'w/.npmrc', 'w/x.code-workspace']);
    expect(plan('placeholders')).toContain('w/.vscode');
    expect(plan('placeholders')).toContain('w/.mcp.json');
    expect(plan('placeholders')).not.toContain('w/.claude');
    expect(plan('placeholders')).not.toContain('w/.git');
  });

  it('lets commits through, but nothing that makes git run programs', async () => {
    const plan = await planOf({
      ...REPOSITORY,
      'w/.git/modules/a/b/HEAD': '',
      'w/.git/modules/a/b/config': '',
      'w/.git/worktrees/t/commondir': '../..\n',
      'w/.git/worktrees/u/commondir': '/evil\n',
    });
    expect(plan('protected')).toEqual([
      'w/.git/config',
      'w/.git/hooks',
      'w/.git/modules/a/b/config',
      'w/.git/worktrees/u/commondir',
    ]);
    expect(plan('pinned')).toEqual(
      ['w/.git', 'w/.git/modules', 'w/.git/modules/a', 'w/.git/modules/a/b', 'w/.git/worktrees'].concat([
        'w/.git/worktrees/t',
        'w/.git/worktrees/u',
      ]),
    );
  });

  it('stands for a folder of hooks that is not there', async () => {
    expect((await planOf({ 'w/.git/HEAD': '', 'w/.git/config': '' }))('placeholders')).toContain('w/.git/hooks');
  });

  it('protects the hooks that the configuration names', async () => {
    const plan = await planOf({
      ...REPOSITORY,
      'w/.git/config': '[core]\n\tHooksPath = tools/hooks\n',
      'w/tools/hooks/pre-push': '',
    });
    expect(plan('protected')).toContain('w/tools/hooks');
    expect(plan('pinned')).toContain('w/tools');
  });

  it('follows a link to what it protects, as long as that lies in the workspace', async () => {
    const plan = await planOf({ 'w/real/a': '', 'w/.vscode': { linkTo: 'real' }, 'w/.idea': { linkTo: '../home' } });
    expect(plan('protected')).toEqual(['w/real']);
  });

  it('does not open another repository to which a file or a link points', async () => {
    const plan = await planOf({ 'home/other/.git/config': '', 'w/.git': { linkTo: '../home/other/.git' } });
    expect([plan('writable'), plan('pinned'), plan('protected')]).toEqual([['temp', 'w'], [], []]);
  });

  it('shows what a person named, though it is a secret', async () => {
    const plan = await planOf({ 'home/.npmrc': '', 'home/.ssh/': '' }, (path) => ({ readable: [path('home/.npmrc')] }));
    expect(plan('masked')).toEqual(['home/.ssh']);
  });

  it('judges what lies in the workspace, not where the workspace lies', async () => {
    const plan = await planOf({ 'home/.claude/trees/w/src/a': '', 'home/.claude/trees/w/.npmrc': '' }, (path) => ({
      roots: [path('home/.claude/trees/w')],
    }));
    expect(plan('protected')).toEqual(['home/.claude/trees/w/.npmrc']);
    expect(plan('masked')).toEqual(['home/.claude']);
    expect(plan('writable')).toContain('home/.claude/trees/w');
  });

  it('takes in a home folder as a workspace without opening its secrets', async () => {
    const plan = await planOf({ 'home/.ssh/id': '', 'home/.bashrc': '', 'home/.npmrc': '' }, (path) => ({
      roots: [path('home')],
    }));
    expect(plan('masked')).toEqual(['home/.npmrc', 'home/.ssh']);
    expect(plan('protected')).toEqual(['home/.bashrc']);
  });
});
