import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../../testing/temp-workspace.js';
import { NewestFiles } from '../newest-files.js';
import { FileStatter } from './file-stamps.js';
import { readGitIndex } from './git-index.js';
import { GitTimes, unchangedTimes, type GitTimesOptions } from './git-times.js';

const temp = await createTempWorkspace();
const OPTIONS: GitTimesOptions = { searchPath: '/usr/bin:/bin', notBelow: [], tempDir: temp.root, minEntries: 0 };
const git = new GitTimes(OPTIONS);
const { signal } = new AbortController();
const NAMES = ['a.txt', 'b.txt', 'sub/c.txt', 'sub/ä\n.txt', 'sub/deep/d.txt'];
const OLD = 1_600_000_000;
const KEEP = 10;
const made: TempWorkspace[] = [];
afterAll(async () => {
  for (const folder of [...made, temp]) await folder.remove();
});

/** Files that were changed one second after the other, all of them tracked. */
async function repository(): Promise<{ workspace: TempWorkspace; run: (...args: string[]) => string }> {
  const workspace = await createTempWorkspace(Object.fromEntries(NAMES.map((name) => [name, name])));
  made.push(workspace);
  for (const [index, name] of NAMES.entries()) utimesSync(workspace.path(name), OLD + index, OLD + index + 0.5);
  const run = (...args: string[]): string => {
    const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1', HOME: temp.root };
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['-C', workspace.root, ...args], { env, encoding: 'utf8', stdio: [...stdio] });
  };
  run('init', '-q');
  run('add', '-A');
  return { workspace, run };
}

async function proved(top: string, folder: string, names: readonly string[]): Promise<number[] | undefined> {
  const claim = await git.claim(top, KEEP, signal);
  const changed = await claim?.changed;
  if (claim === undefined || changed === undefined) return undefined;
  return Array.from(unchangedTimes(claim.of(folder, names), names, changed.get(folder)).seconds);
}

describe('GitTimes', () => {
  it('knows the seconds of tracked files, and nothing of others', async () => {
    const { workspace } = await repository();
    writeFileSync(workspace.path('untracked.txt'), '');
    expect(await proved(workspace.root, '', ['a.txt', 'b.txt', 'untracked.txt', 'sub'])).toEqual([
      OLD,
      OLD + 1,
      NaN,
      NaN,
    ]);
    expect(await proved(workspace.root, 'sub/', ['c.txt', 'ä\n.txt'])).toEqual([OLD + 2, OLD + 3]);
    expect(await proved(workspace.root, 'sub/deep/', ['d.txt', 'a.txt'])).toEqual([OLD + 4, NaN]);
  });

  it('leaves nothing for git where others could write to it', async () => {
    const { workspace } = await repository();
    expect(await proved(workspace.root, '', ['a.txt'])).toEqual([OLD]);
    expect(readdirSync(temp.root)).toEqual([]);
  });

  it('proves nothing of what was changed, touched, replaced or deleted since', async () => {
    const { workspace } = await repository();
    writeFileSync(workspace.path('a.txt'), 'other');
    utimesSync(workspace.path('b.txt'), 5, 5);
    unlinkSync(workspace.path('sub/c.txt'));
    unlinkSync(workspace.path('sub/deep/d.txt'));
    symlinkSync('../../a.txt', workspace.path('sub/deep/d.txt'));
    expect(await proved(workspace.root, '', ['a.txt', 'b.txt'])).toEqual([NaN, NaN]);
    expect(await proved(workspace.root, 'sub/', ['c.txt', 'ä\n.txt'])).toEqual([NaN, OLD + 3]);
    expect(await proved(workspace.root, 'sub/deep/', ['d.txt'])).toEqual([NaN]);
  });

  it('does not take the word of who told git not to look', async () => {
    const { workspace, run } = await repository();
    run('update-index', '--assume-unchanged', 'a.txt');
    run('update-index', '--skip-worktree', 'b.txt');
    expect(await proved(workspace.root, '', ['a.txt', 'b.txt'])).toEqual([NaN, NaN]);
    expect(await proved(workspace.root, 'sub/', ['c.txt'])).toEqual([OLD + 2]);
  });

  it('proves nothing of files as young as the index', async () => {
    const { workspace, run } = await repository();
    const soon = Date.now() / 1000 + 10;
    utimesSync(workspace.path('a.txt'), soon, soon);
    run('add', '-A');
    expect(await proved(workspace.root, '', ['a.txt', 'b.txt'])).toEqual([NaN, OLD + 1]);
  });

  it('starts nothing that the repository names', async () => {
    const { workspace, run } = await repository();
    const trap = workspace.path('trap.sh');
    const sprung = temp.path('sprung');
    writeFileSync(trap, `#!/bin/sh\ntouch ${sprung}\ncat\n`, { mode: 0o755 });
    await workspace.write({ '.gitattributes': '*.txt filter=trap diff=trap\n' });
    const settings = [
      'core.fsmonitor',
      'filter.trap.clean',
      'filter.trap.process',
      'diff.trap.textconv',
      'diff.external',
      'core.pager',
    ];
    for (const key of settings) run('config', key, trap);
    run('config', 'filter.trap.required', 'true');
    // As young as the index: git has to read it.
    const soon = Date.now() / 1000 + 10;
    utimesSync(workspace.path('a.txt'), soon, soon);
    expect(await proved(workspace.root, '', ['b.txt'])).toEqual([OLD + 1]);
    expect(existsSync(sprung)).toBe(false);
  });

  it('has nothing to say where .git is no folder, is a link, or holds no index of its own', async () => {
    const { workspace } = await repository();
    expect(await proved(temp.root, '', ['a.txt'])).toBeUndefined();
    renameSync(workspace.path('.git'), workspace.path('moved'));
    symlinkSync('moved', workspace.path('.git'));
    expect(await proved(workspace.root, '', ['a.txt'])).toBeUndefined();
    unlinkSync(workspace.path('.git'));
    writeFileSync(workspace.path('.git'), 'gitdir: moved\n');
    expect(await proved(workspace.root, '', ['a.txt'])).toBeUndefined();
  });

  it('ends git when nobody waits for it, or when it is of little use', async () => {
    const { workspace } = await repository();
    const aborted = await git.claim(workspace.root, KEEP, AbortSignal.abort());
    expect(await aborted?.changed).toBeUndefined();
    const claim = await git.claim(workspace.root, KEEP, signal);
    claim?.notePoor();
    await claim?.changed;
    expect(await git.claim(workspace.root, KEEP + 1, signal)).toBeUndefined();
    expect(await git.claim(workspace.root, KEEP, signal)).toBeUndefined();
    expect(readdirSync(temp.root)).toEqual([]);
  });

  it('is asked for the newest again, however deep a page was for which it was of little use', async () => {
    const { workspace } = await repository();
    const deep = await git.claim(workspace.root, 1000, signal);
    deep?.notePoor();
    await deep?.changed;
    const claim = await git.claim(workspace.root, KEEP, signal);
    expect(claim).toBeDefined();
    await claim?.changed;
  });

  it('starts no git from within the workspace, and needs none', async () => {
    const { workspace } = await repository();
    const none = new GitTimes({ ...OPTIONS, searchPath: workspace.root, notBelow: [workspace.root] });
    writeFileSync(workspace.path('git'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    expect(await none.claim(workspace.root, KEEP, signal)).toBeUndefined();
  });

  it('is right about the newest files, down to the fraction of a second', async () => {
    const { workspace } = await repository();
    utimesSync(workspace.path('b.txt'), OLD, OLD + 0.9);
    const statter = new FileStatter({ git: OPTIONS });
    const newest = async (keep: number): Promise<string[]> => {
      const job = statter.begin(workspace.root, keep);
      job.add('', ['a.txt', 'b.txt', 'missing.txt']);
      job.add('sub/', ['c.txt', 'ä\n.txt']);
      const found = new NewestFiles(keep);
      await job.collect(found, signal);
      expect(found.total).toBe(4);
      const files = found.sorted();
      expect(files.map(({ mtimeMs }) => mtimeMs)).toEqual(files.map(({ path }) => lstatSync(path).mtimeMs));
      return files.map(({ path }) => path.slice(workspace.root.length + 1));
    };
    expect(await newest(1)).toEqual(['sub/ä\n.txt']);
    expect(await newest(3)).toEqual(['sub/ä\n.txt', 'sub/c.txt', 'b.txt']);
    expect(await newest(9)).toEqual(['sub/ä\n.txt', 'sub/c.txt', 'b.txt', 'a.txt']);
    await statter.close();
  });
});

describe('readGitIndex', () => {
  const FAR = 4_000_000_000;

  it('reads the versions 2, 3 and 4 as git does', async () => {
    const { workspace, run } = await repository();
    await workspace.write({ [`long/${'x'.repeat(200)}/${'y'.repeat(200)}`]: '', 'new.txt': '' });
    run('add', 'long');
    run('add', '-N', 'new.txt');
    const expected = run('-c', 'core.quotePath=false', 'ls-files', '-z', '--debug');
    const tracked = Array.from(
      expected.matchAll(/([^\0]*)\0 {2}ctime: .*\n {2}mtime: (\d+):/g),
      ([, path = '', second]) => [path.replace(/^\d+\n(?: .*\n)*/, ''), Number(second)],
    ).filter(([path]) => path !== 'new.txt');
    expect(tracked).toHaveLength(6);
    for (const version of ['2', '4']) {
      run('update-index', '--index-version', version);
      const index = await readGitIndex(readFileSync(workspace.path('.git/index')), FAR);
      const read = Array.from(index?.times ?? []).flatMap(([folder, { names, seconds }]) =>
        names.map((name, at) => [folder + name, seconds[at]]),
      );
      expect(new Map(read as [string, number][])).toEqual(new Map(tracked as [string, number][]));
      expect(index?.entries).toBe(7);
    }
  });

  it('refuses what is cut, split, or holds a submodule', async () => {
    const { workspace, run } = await repository();
    const bytes = readFileSync(workspace.path('.git/index'));
    for (let end = 0; end < bytes.length; end += 7) {
      expect(await readGitIndex(bytes.subarray(0, end), FAR)).toBeUndefined();
    }
    run('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    expect(await readGitIndex(readFileSync(workspace.path('.git/index')), FAR)).toBeUndefined();
    run('update-index', '--force-remove', 'module');
    run('update-index', '--split-index');
    expect(await readGitIndex(readFileSync(workspace.path('.git/index')), FAR)).toBeUndefined();
  });
});
