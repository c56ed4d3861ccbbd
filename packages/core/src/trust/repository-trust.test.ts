import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { openFolderTrust } from './folder-trust.js';
import { repositoryTrust } from './repository-trust.js';
import { TrustStore } from './trust-store.js';

let home: TempWorkspace;
let work: TempWorkspace;
let store: TrustStore;
let isTrusted: (folder: string) => boolean;
let marker: string;

beforeEach(async () => {
  home = await createTempWorkspace();
  work = await createTempWorkspace({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  store = new TrustStore(home.root);
  isTrusted = trustIn({});
  marker = join(home.root, 'ran');
});
afterEach(async () => {
  await home.remove();
  await work.remove();
});

function git(...args: string[]): string {
  return gitIn(work.root, ...args);
}

function gitIn(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=n', '-c', 'user.email=e@x.example', '-c', 'protocol.file.allow=always'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.root, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Creates the trust of a session whose workspace is the repository. */
function trustIn(environment: Readonly<Record<string, string>>): (folder: string) => boolean {
  const isKnown = repositoryTrust(store, environment);
  return (folder) => isKnown(folder, (path) => `${path}/`.startsWith(`${work.root}/`));
}

const trust = async (root = work.root): Promise<void> => openFolderTrust(store, root, []).accept();

/** A program that leaves a trace when it is started. */
function trap(): string {
  const file = join(home.root, 'trap');
  writeFileSync(file, `#!/bin/sh\n: > ${marker}\ncat 2>/dev/null\n`);
  chmodSync(file, 0o755);
  return file;
}

const LOOKS: readonly (readonly string[])[] = [
  ['status'],
  ['diff'],
  ['log', '-p'],
  ['show'],
  ['blame', 'a.txt'],
  ['grep', 'o'],
];
function lookAround(folder: string): void {
  for (const look of LOOKS) {
    try {
      gitIn(folder, ...look);
    } catch {
      // A repository that git refuses starts nothing either.
    }
  }
}

describe('repositoryTrust', () => {
  it('is true in a repository of the workspace without programs, whoever trusts it, anywhere in it', () => {
    expect([isTrusted(work.root), isTrusted(work.path('sub'))]).toEqual([true, true]);
  });

  it('is true in one that begins above the workspace only while that folder is trusted', async () => {
    const isKnown = repositoryTrust(store, {});
    const isInside = (path: string): boolean => path === work.path('sub');
    expect(isKnown(work.path('sub'), isInside)).toBe(false);
    await trust(work.path('sub'));
    expect(isKnown(work.path('sub'), isInside)).toBe(false);
    await trust();
    expect(isKnown(work.path('sub'), isInside)).toBe(true);
    await openFolderTrust(store, work.root, []).revoke();
    expect(isKnown(work.path('sub'), isInside)).toBe(false);
  });

  it('is false where the settings of a work tree name hooks, even in a guarded folder', async () => {
    await trust();
    mkdirSync(work.path('.husky'));
    renameSync(trap(), work.path('.husky/post-index-change'));
    git('config', 'extensions.worktreeConfig', 'true');
    git('config', '--worktree', 'core.hooksPath', '.husky');
    utimesSync(work.path('a.txt'), 0, 0);
    lookAround(work.root);
    expect([existsSync(marker), isTrusted(work.root)]).toEqual([true, false]);
  });

  it.each<[string, () => void]>([
    ['core.fsmonitor', () => git('config', 'core.fsmonitor', trap())],
    [
      'a hook that looking runs',
      () => (
        mkdirSync(work.path('.git/hooks'), { recursive: true }),
        renameSync(trap(), work.path('.git/hooks/post-index-change'))
      ),
    ],
    [
      'a hook of a folder of its own',
      () => (
        mkdirSync(work.path('h')),
        renameSync(trap(), work.path('h/post-index-change')),
        git('config', 'core.hooksPath', 'h')
      ),
    ],
    [
      'husky with that hook',
      () => (
        mkdirSync(work.path('.husky')),
        renameSync(trap(), work.path('.husky/post-index-change')),
        git('config', 'core.hooksPath', '.husky')
      ),
    ],
    ['diff.external', () => git('config', 'diff.external', trap())],
    [
      'a textconv',
      () => (writeFileSync(work.path('.gitattributes'), '* diff=x\n'), git('config', 'diff.x.textconv', trap())),
    ],
    [
      'a filter',
      () => (writeFileSync(work.path('.gitattributes'), '* filter=x\n'), git('config', 'filter.x.clean', trap())),
    ],
    [
      'a filter in info/attributes',
      () => (
        writeFileSync(work.path('.git/info/attributes'), '* filter=x\n'),
        git('config', 'filter.x.process', trap())
      ),
    ],
    [
      'an included file',
      () => (
        writeFileSync(work.path('more'), `[core]\nfsmonitor = ${trap()}\n`),
        git('config', 'include.path', '../more')
      ),
    ],
    [
      'the settings of a work tree',
      () => (git('config', 'extensions.worktreeConfig', 'true'), git('config', '--worktree', 'core.fsmonitor', trap())),
    ],
  ])('is false with %s, which git would run', async (_name, arrange) => {
    expect(isTrusted(work.root)).toBe(true);
    arrange();
    expect(isTrusted(work.root)).toBe(false);
    appendFileSync(work.path('a.txt'), 'more\n');
    utimesSync(work.path('sub/b.txt'), 0, 0);
    lookAround(work.root);
    expect(existsSync(marker)).toBe(true);
    expect(isTrusted(work.path('sub'))).toBe(false);
  });

  it('is false for a repository below, though git looks into it from above', async () => {
    await trust();
    mkdirSync(work.path('nested'));
    gitIn(work.path('nested'), 'init', '-q');
    gitIn(work.path('nested'), 'commit', '-q', '--allow-empty', '-m', 'x');
    gitIn(work.path('nested'), 'config', 'core.fsmonitor', trap());
    expect([isTrusted(work.root), isTrusted(work.path('nested'))]).toEqual([true, false]);
    lookAround(work.root);
    expect(existsSync(marker)).toBe(false);
    git('add', 'nested');
    rmSync(marker, { force: true });
    lookAround(work.root);
    expect(existsSync(marker)).toBe(true);
    expect(isTrusted(work.root)).toBe(false);
  });

  it.each([2, 4])('sees a repository in an index of version %i', async (version) => {
    await trust();
    git('update-index', '--index-version', String(version));
    expect(isTrusted(work.root)).toBe(true);
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},x`);
    expect(isTrusted(work.root)).toBe(false);
  });

  it('is false where git keeps its index in two files, and where the index is damaged', async () => {
    await trust();
    git('update-index', '--split-index');
    expect(isTrusted(work.root)).toBe(false);
    git('update-index', '--no-split-index');
    expect(isTrusted(work.root)).toBe(true);
    writeFileSync(work.path('.git/index'), 'DIRC');
    expect(isTrusted(work.root)).toBe(false);
  });

  it('is false in a folder that git takes for a bare repository', async () => {
    await trust();
    gitIn(work.root, 'init', '-q', '--bare', 'bare');
    gitIn(work.path('bare'), 'config', 'core.fsmonitor', trap());
    mkdirSync(work.path('bare/below'));
    expect([isTrusted(work.path('bare')), isTrusted(work.path('bare/below')), isTrusted(work.path('.git'))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('follows a link to where it leads', async () => {
    await trust();
    const other = await createTempWorkspace();
    gitIn(other.root, 'init', '-q');
    symlinkSync(other.root, work.path('link'));
    symlinkSync(work.root, join(other.root, 'back'));
    expect([isTrusted(work.path('link')), isTrusted(join(other.root, 'back'))]).toEqual([false, true]);
    await other.remove();
  });

  it('knows work trees, but no git folder that anybody may write to', async () => {
    const tree = join(home.root, 'tree');
    git('worktree', 'add', '-q', tree);
    expect([isTrusted(tree), isTrusted(work.root)]).toEqual([false, true]);
    await trust(tree);
    expect(isTrusted(tree)).toBe(true);
    git('config', 'core.fsmonitor', trap());
    expect(isTrusted(tree)).toBe(false);
    git('config', '--unset', 'core.fsmonitor');
    expect(isTrusted(tree)).toBe(true);
    renameSync(work.path('.git'), work.path('evil'));
    writeFileSync(work.path('.git'), 'gitdir: evil\n');
    await trust();
    expect(isTrusted(work.root)).toBe(false);
    rmSync(work.path('.git'));
    symlinkSync('evil', work.path('.git'));
    expect(isTrusted(work.root)).toBe(false);
  });

  it('sees every change, however old the file says it is and however alike', async () => {
    await trust();
    const config = work.path('.git/config');
    appendFileSync(config, '[diff]\nrenames  = 1\n');
    const past = new Date(Date.now() - 60_000);
    utimesSync(config, past, past);
    expect(isTrusted(work.root)).toBe(true);
    writeFileSync(config, (await work.read('.git/config')).replace('renames ', 'external'));
    utimesSync(config, past, past);
    expect(isTrusted(work.root)).toBe(false);
  });

  it('is false where variables lead git elsewhere', async () => {
    await trust();
    for (const name of [
      'GIT_DIR',
      'GIT_CONFIG_COUNT',
      'GIT_CONFIG_GLOBAL',
      'GIT_EXTERNAL_DIFF',
      'GIT_EXEC_PATH',
      'GIT_INDEX_FILE',
    ])
      expect(trustIn({ [name]: 'x' })(work.root)).toBe(false);
    const others = { GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'x', GIT_SSL_CAINFO: '/x' };
    expect(trustIn(others)(work.root)).toBe(true);
  });

  it.each([
    'alias.status',
    'alias.log',
    'core.sshCommand',
    'core.editor',
    'core.askPass',
    'sequence.editor',
    'credential.helper',
    'gpg.program',
    'merge.x.driver',
    'difftool.x.cmd',
    'mergetool.x.cmd',
    'remote.origin.uploadpack',
    'remote.origin.vcs',
    'submodule.x.update',
    'core.hooksPath',
    'branch.main.workmux-base',
    'url.x.insteadOf',
  ])('is true with %s, which commands that only look never come to', (name) => {
    writeFileSync(work.path('.gitattributes'), '* merge=x diff=x filter=x\n');
    git('config', name, trap());
    appendFileSync(work.path('a.txt'), 'more\n');
    expect(isTrusted(work.root)).toBe(true);
    lookAround(work.root);
    expect(existsSync(marker)).toBe(false);
  });

  it.each(['~/hooks', '%(prefix)/hooks'])('is false where git finds the hooks in a place of its own: %s', (folder) => {
    git('config', 'core.hooksPath', folder);
    expect(isTrusted(work.root)).toBe(false);
  });

  it('is false where the folder would show the history of another repository', async () => {
    const other = await createTempWorkspace({ 'secret.txt': 'x\n' });
    gitIn(other.root, 'init', '-q');
    const own = work.path('.git/objects');
    renameSync(own, `${own}-own`);
    symlinkSync(join(other.root, '.git/objects'), own);
    expect(isTrusted(work.root)).toBe(false);
    rmSync(own);
    renameSync(`${own}-own`, own);
    expect(isTrusted(work.root)).toBe(true);
    symlinkSync(join(other.root, '.git/objects'), join(own, 'ab'));
    expect(isTrusted(work.root)).toBe(false);
    rmSync(work.path('.git'), { recursive: true });
    writeFileSync(work.path('.git'), `gitdir: ${join(other.root, '.git')}\n`);
    expect(isTrusted(work.root)).toBe(false);
    await trust();
    expect(isTrusted(work.root)).toBe(false);
    await other.remove();
  });

  it('runs nothing of a repository that it calls trusted, whatever git is asked to look at', () => {
    const program = trap();
    for (const hook of ['pre-commit', 'post-checkout', 'post-merge', 'pre-push', 'reference-transaction'])
      writeFileSync(work.path(`.git/hooks/${hook}`), `#!/bin/sh\nexec ${program}\n`, { mode: 0o755 });
    writeFileSync(work.path('.gitattributes'), '* filter=x diff=x merge=x\n');
    appendFileSync(work.path('a.txt'), 'more\n');
    expect(isTrusted(work.root)).toBe(true);
    lookAround(work.root);
    expect(existsSync(marker)).toBe(false);
  });

  it('is false for what is no folder, no repository, or gone', async () => {
    await trust();
    expect([isTrusted('/'), isTrusted(home.root), isTrusted(join(work.root, 'none'))]).toEqual([false, false, false]);
  });
});
