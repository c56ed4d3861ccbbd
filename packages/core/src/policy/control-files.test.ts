import { describe, expect, it } from 'vitest';
import type { PathEffect } from '../effects/effect.js';
import { controlFileReason } from './control-files.js';

function write(path: string, more: Partial<PathEffect> = {}): PathEffect {
  return { kind: 'write', path, requested: path, zone: 'workspace', ...more };
}

describe('controlFileReason', () => {
  it.each([
    '/w/.tenon/settings.json',
    '/w/.tenon',
    '/w/.qwen/agents/x.md',
    '/w/sub/.claude/settings.json',
    '/w/.gemini/settings.json',
    '/w/.codex/config.toml',
    '/w/.mcp.json',
    '/w/.MCP.JSON',
    '/w/.qwenignore',
    '/w/deep/.QwenIgnore',
    '/w/.git/config',
    '/w/.GIT/Config',
    '/w/.git/hooks/pre-commit',
    '/w/.git/modules/a/config',
    '/w/.git',
    '/w/sub/.git/info/attributes',
    '/w/.gi\u200ct/config',
    '/w/.git./config',
    '/w/.git /config',
    '/w/.git::$INDEX_ALLOCATION/config',
    '/w/git~1/config',
    '/w/x/../.git/config',
    '/w/bare.git/hooks/update',
    '/w/data/HEAD',
    '/w/.gitmodules',
    '/w/.vscode/tasks.json',
    '/w/.idea/workspace.xml',
    '/w/a.code-workspace',
    '/w/.devcontainer/devcontainer.json',
    '/w/.npmrc',
    '/w/.yarnrc.yml',
    '/w/.pnpmfile.cjs',
    '/w/.envrc',
    '/w/.husky/pre-commit',
    '/w/.pre-commit-config.yaml',
    '/w/.cargo/config.toml',
    '/home/ann/.bashrc',
    '/home/ann/.zshenv',
    '/home/ann/.profile',
    '/home/ann/.ssh/authorized_keys',
    '/home/ann/.config/fish/config.fish',
    '/home/ann/.config/git/config',
    '/home/ann/Library/LaunchAgents/x.plist',
    '/etc/profile.d/x.sh',
    '/etc/tenon/settings.json',
    '/Library/Application Support/Tenon/settings.json',
    'C:\\ProgramData\\Tenon\\settings.json',
    '/proc/self/mem',
  ])('%s is one, to write or delete, not to read', (path) => {
    expect(controlFileReason(write(path))).toContain('control file');
    expect(controlFileReason(write(path, { kind: 'delete' }))).toContain('control file');
    expect(controlFileReason(write(path, { kind: 'read' }))).toBeUndefined();
  });

  it.each([
    [
      'editors',
      '.exrc .nvimrc .nvim.lua .lvimrc .vimrc .vim/a .config/nvim/a .emacs .emacs.d/a .dir-locals.el .zed/a .fleet/a',
    ],
    [
      'shells',
      '.bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc',
    ],
    [
      'other shells',
      '.tcshrc .login .logout .inputrc .config/powershell/a Microsoft.PowerShell_profile.ps1 profile.ps1',
    ],
    ['sessions', '.xprofile .xinitrc .xsessionrc .pam_environment .config/environment.d/a .direnvrc .config/direnv/a'],
    ['tool versions', '.mise.toml mise.toml .mise/a .config/mise/a'],
    ['containers and version control', '.devcontainer.json .gitpod.yml .hgrc .hg/a .svn/a .jj/a .sl/a'],
  ])('knows the files of %s', (_what, names) => {
    expect(names.split(' ').filter((name) => controlFileReason(write(`/w/${name}`)) === undefined)).toEqual([]);
  });

  it('knows every name under which lefthook looks for its settings', () => {
    const names = ['', '.', '.config/'].flatMap((start) =>
      ['', '-local'].flatMap((which) =>
        ['yml', 'yaml', 'toml', 'json', 'jsonc'].map((format) => `${start}lefthook${which}.${format}`),
      ),
    );
    const unknown = [...names, '.lefthook/pre-push/a.sh', '.lefthook-local/pre-push/a.sh'].filter(
      (name) => controlFileReason(write(`/w/${name}`)) === undefined,
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    '/w/src/index.ts',
    '/w/src/lefthook.ts',
    '/w/TENON.md',
    '/w/AGENTS.md',
    '/w/.gitignore',
    '/w/.gitattributes',
    '/w/package.json',
    '/w/src/config',
    '/w/src/head/index.ts',
    '/w/git/hooks/readme.md',
    '/w/tenon/settings.json',
    '/w/.github/workflows/ci.yml',
    '/w/etc/profile',
    '/w/docs/.npmrc.md',
  ])('%s is none', (path) => {
    expect(controlFileReason(write(path))).toBeUndefined();
  });

  it('judges the real path and the path as asked for', () => {
    expect(controlFileReason(write('/w/.git/config', { requested: '/w/link' }))).toContain('/w/.git/config');
    expect(controlFileReason(write('/w/real', { requested: '/w/.git/config' }))).toContain('/w/.git/config');
  });

  it('leaves the temp folder inside the agent’s own folder usable, but for what git obeys', () => {
    expect(controlFileReason(write('/home/ann/.tenon/tmp/x/a.txt', { zone: 'temp' }))).toBeUndefined();
    expect(controlFileReason(write('/home/ann/.tenon/tmp/x/.git/config', { zone: 'temp' }))).toContain('git');
    expect(controlFileReason(write('/home/ann/.tenon/grants.json', { zone: 'outside' }))).toContain('own settings');
  });

  it('takes every file in the folders that are named for one, but for the temp folder', () => {
    const effect = (
      path: string,
      kind: 'write' | 'delete' | 'read' = 'write',
      zone: 'workspace' | 'temp' = 'workspace',
    ) => ({ kind, path, requested: path, zone }) as const;
    const reason = (...args: Parameters<typeof effect>) => controlFileReason(effect(...args), ['/w/state']);
    expect(reason('/w/state/projects/x/grants.json')).toContain("the agent's own");
    expect(reason('/w/STATE/settings.json')).toContain("the agent's own");
    expect(reason('/w/state', 'delete')).toContain("the agent's own");
    expect(reason('/w/state/projects/x/tmp/out.txt', 'write', 'temp')).toBeUndefined();
    expect(reason('/w/stated/x')).toBeUndefined();
    expect(reason('/w/state/x', 'read')).toBeUndefined();
  });
});
