import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../../policy/approval-mode.js';
import type { Rule } from '../../policy/rule.js';
import { readRulesOf } from '../../policy/withheld-below.js';
import { createWorktreeBench, runGitIn, type BenchOptions, type WorktreeBench } from '../../testing/worktree-bench.js';

let bench: WorktreeBench;
afterEach(async () => bench.remove());

const start = async (options: BenchOptions = {}): Promise<WorktreeBench> =>
  (bench = await createWorktreeBench({ mode: ApprovalMode.YOLO, ...options }));
const gone = { trees: [], records: [], known: [] };

describe('nothing that a repository names is run', () => {
  it('no hook, filter, monitor, textconv, or way of fetching', async () => {
    await start({
      entries: { 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitattributes': '* filter=evil diff=evil text=auto\n' },
    });
    const { workspace } = bench.at;
    const evil = workspace.path('evil.sh');
    const mark = join(bench.tenonHome, 'ran');
    const script = `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`;
    writeFileSync(evil, script, { mode: 0o755 });
    const hooks = workspace.path('.git/hooks');
    for (const name of [
      'post-checkout',
      'reference-transaction',
      'post-index-change',
      'pre-commit',
      'fsmonitor-watchman',
      'post-rewrite',
    ])
      writeFileSync(join(hooks, name), script, { mode: 0o755 });
    for (const [key, value] of [
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['filter.evil.process', evil],
      ['filter.evil.required', 'true'],
      ['core.fsmonitor', evil],
      ['diff.evil.textconv', evil],
      ['diff.external', evil],
      ['core.pager', evil],
      ['core.editor', evil],
      ['core.sshCommand', evil],
      ['core.hooksPath', hooks],
      ['core.autocrlf', 'true'],
      ['core.worktree', '/etc'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::${evil}`],
      ['remote.origin.uploadpack', evil],
      ['protocol.ext.allow', 'always'],
      ['alias.ls-files', `!${evil}`],
      ['alias.worktree', `!${evil}`],
    ] as const)
      execFileSync('git', ['config', '-f', workspace.path('.git/config'), key, value]);
    const worktree = await bench.open();
    writeFileSync(join(worktree.folder, 'a.txt'), 'two\r\n');
    await workspace.write({ 'b.txt': 'b\nmore\n' });
    writeFileSync(join(worktree.folder, 'b.txt'), 'top\nb\n');
    expect((await bench.finish(worktree)).state).toBe('applied');
    expect([await workspace.read('a.txt'), await workspace.read('b.txt')]).toEqual(['two\r\n', 'top\nb\nmore\n']);
    expect(existsSync(mark)).toBe(false);
    // What git would have started, had it been asked in another way.
    expect(() => runGitIn(workspace.root, ['--work-tree=.', 'add', 'a.txt'])).toThrow(/./);
    expect(existsSync(mark)).toBe(true);
  });

  it('nothing of what the agent did to the worktree itself is believed', async () => {
    await start({ entries: { 'a.txt': 'one\n' } });
    const worktree = await bench.open();
    const mark = join(bench.tenonHome, 'ran');
    rmSync(join(worktree.folder, '.git'));
    mkdirSync(join(worktree.folder, '.git'));
    runGitIn(worktree.folder, ['init', '-q']);
    runGitIn(worktree.folder, ['config', 'core.fsmonitor', `touch ${mark}`]);
    writeFileSync(join(worktree.folder, '.gitignore'), '*\n');
    writeFileSync(join(worktree.folder, 'a.txt'), 'two\n');
    const report = await bench.finish(worktree);
    // What began in it counts, whatever it is told to ignore now.
    expect([report.state, report.changed]).toEqual(['applied', ['a.txt']]);
    expect([existsSync(mark), bench.left()]).toEqual([false, gone]);
  });
});

describe('where none can be made it is said plainly, and nothing is left', () => {
  const refusal = async (): Promise<string> => {
    const thrown: unknown = await bench.open().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(bench.left()).toEqual({ ...gone, trees: bench.left().trees.filter((name) => name === '') });
    return thrown instanceof Error ? thrown.message : String(thrown);
  };

  it('no repository, a bare one, and one without a commit', async () => {
    await start({ git: false, entries: { 'a.txt': 'a\n' } });
    expect(await refusal()).toMatch(/is in no work tree of git/);
    const { workspace } = bench.at;
    runGitIn(workspace.root, ['init', '-q', '--bare', '.']);
    expect(await refusal()).toMatch(/is in no work tree of git/);
    for (const name of ['HEAD', 'config', 'objects', 'refs', 'hooks', 'info', 'description', 'branches'])
      rmSync(workspace.path(name), { recursive: true, force: true });
    runGitIn(workspace.root, ['init', '-q']);
    expect(await refusal()).toMatch(/has no commit yet/);
  });

  it('no git', async () => {
    await start({ entries: { 'a.txt': 'a\n' }, childEnvironment: { PATH: '/nowhere' } });
    expect(await refusal()).toMatch(/git is not installed/);
  });

  it('a damaged .git', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    writeFileSync(bench.at.workspace.path('.git/HEAD'), 'nonsense\n');
    expect(await refusal()).toMatch(/cannot get a worktree of its own/);
    rmSync(bench.at.workspace.path('.git'), { recursive: true });
    writeFileSync(bench.at.workspace.path('.git'), 'gitdir: /nowhere\n');
    expect(await refusal()).toMatch(/cannot be read/);
  });

  it('a workspace with a folder elsewhere, and one that git ignores', async () => {
    await start({ entries: { 'a.txt': 'a\n' }, moreRoots: ['/usr/share'] });
    expect(await refusal()).toMatch(/a folder outside the repository/);
  });

  it('a folder for it that cannot be written to', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    writeFileSync(`${bench.tenonHome}-worktrees`, '');
    expect(await bench.open().catch((thrown: Error) => thrown.message)).toMatch(/is not a folder/);
    rmSync(`${bench.tenonHome}-worktrees`);
    expect(bench.left()).toEqual(gone);
  });

  it('cancelled while it is made', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const stop = new AbortController();
    const opened = bench.open(stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 15);
    await expect(opened).rejects.toThrow('enough');
    expect(bench.left()).toEqual(gone);
  });
});

describe('repositories of other kinds', () => {
  it('submodules and repositories below are not in it, are told, and what is put there is not lost', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const { workspace } = bench.at;
    const sub = join(bench.tenonHome, 'sub');
    mkdirSync(sub);
    writeFileSync(join(sub, 's.txt'), 's\n');
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 's'],
    ])
      runGitIn(sub, words);
    bench.git(['submodule', '--quiet', 'add', sub, 'vendor/sub']);
    bench.git(['commit', '-qm', 'sub']);
    runGitIn(workspace.root, ['init', '-q', 'nested']);
    const worktree = await bench.open();
    expect(worktree.note).toContain('vendor/sub, nested');
    expect(readdirSync(join(worktree.folder, 'vendor/sub'))).toEqual([]);
    expect(bench.git(['status', '--porcelain'], worktree.folder)).toBe('');
    expect(await bench.finish(worktree)).toMatchObject({ state: 'unchanged' });
    const other = await bench.open();
    writeFileSync(join(other.folder, 'vendor/sub/mine.txt'), 'm\n');
    const report = await bench.finish(other);
    expect(report).toMatchObject({ state: 'kept', changed: ['vendor/sub'] });
    expect(report.problem).toContain('vendor/sub cannot be taken over');
  });

  it('beside one that somebody else is just adding: git stumbles over what is half made', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const half = bench.at.workspace.path('.git/worktrees/half');
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, 'gitdir'), `${join(bench.tenonHome, 'half/.git')}\n`);
    writeFileSync(join(half, 'commondir'), '');
    const opening = bench.open();
    await sleep(150);
    writeFileSync(join(half, 'HEAD'), 'ref: refs/heads/half\n');
    writeFileSync(join(half, 'commondir'), '../..\n');
    expect(await bench.finish(await opening)).toMatchObject({ state: 'unchanged' });
    writeFileSync(join(half, 'commondir'), '');
    await expect(bench.open()).rejects.toThrow('git cannot add it: fatal: failed to read');
  });

  it('a worktree of a worktree, and one of a worktree of a worktree', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const { workspace } = bench.at;
    const first = join(bench.tenonHome, 'first');
    bench.git(['worktree', 'add', '-q', first]);
    await bench.remove();
    expect(workspace.root).not.toBe('');
    await start({ entries: { 'a.txt': 'a\n' } });
    const outer = await bench.open();
    writeFileSync(join(outer.folder, 'a.txt'), 'outer\n');
    const { findRepository } = await import('./find-repository.js');
    expect(findRepository(outer.folder)).toMatchObject({
      top: outer.folder,
      commonDir: bench.at.workspace.path('.git'),
    });
    const inner = await bench.openFrom(outer.folder);
    expect(readFileSync(join(inner.folder, 'a.txt'), 'utf8')).toBe('outer\n');
    expect(await bench.finish(inner)).toMatchObject({ state: 'unchanged' });
    expect(await bench.finish(outer)).toMatchObject({ state: 'applied' });
    expect(await bench.at.workspace.read('a.txt')).toBe('outer\n');
  });

  it('a sparse checkout: what is not there is not missed, and is not deleted by it', async () => {
    await start({ entries: { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'top.txt': 't\n' } });
    bench.git(['sparse-checkout', 'set', 'in']);
    expect(existsSync(bench.at.workspace.path('out'))).toBe(false);
    const worktree = await bench.open();
    expect(existsSync(join(worktree.folder, 'out'))).toBe(false);
    expect(bench.git(['status', '--porcelain'], worktree.folder)).toBe('');
    writeFileSync(join(worktree.folder, 'in/a.txt'), 'two\n');
    expect(await bench.finish(worktree)).toMatchObject({ state: 'applied', changed: ['in/a.txt'] });
    expect(bench.git(['status', '--porcelain'])).toBe(' M in/a.txt\n');
  });

  it('a split index, a sparse one, SHA-256, a packed and a detached HEAD, a merge in the middle', async () => {
    await start({ entries: { 'a.txt': 'a\n', 'd/e.txt': 'e\n' } });
    bench.git(['update-index', '--split-index']);
    const split = await bench.open();
    expect(bench.git(['status', '--porcelain'], split.folder)).toBe('');
    expect(await bench.finish(split)).toMatchObject({ state: 'unchanged' });
    bench.git(['update-index', '--no-split-index']);
    for (const name of readdirSync(bench.at.workspace.path('.git')).filter((one) => one.startsWith('sharedindex.')))
      rmSync(bench.at.workspace.path(`.git/${name}`));
    bench.git(['checkout', '-qb', 'other']);
    await bench.at.workspace.write({ 'a.txt': 'theirs\n' });
    bench.git(['commit', '-aqm', 'theirs']);
    bench.git(['checkout', '-q', '--detach', 'main']);
    await bench.at.workspace.write({ 'a.txt': 'ours\n' });
    bench.git(['commit', '-aqm', 'ours']);
    bench.git(['gc', '-q']);
    expect(() => bench.git(['merge', '-q', 'other'])).toThrow(/./);
    const merging = await bench.open();
    expect(readFileSync(join(merging.folder, 'a.txt'), 'utf8')).toContain('<<<<<<<');
    writeFileSync(join(merging.folder, 'a.txt'), 'both\n');
    expect(await bench.finish(merging)).toMatchObject({ state: 'applied' });
    expect(await bench.at.workspace.read('a.txt')).toBe('both\n');
    await bench.remove();
    await start({ git: false, entries: { 'a.txt': 'a\n' } });
    for (const words of [
      ['init', '-q', '--object-format=sha256'],
      ['add', '-A'],
      ['commit', '-qm', 'x'],
    ])
      bench.git(words);
    const long = await bench.open();
    writeFileSync(join(long.folder, 'a.txt'), 'b\n');
    await bench.at.workspace.write({ 'n.txt': 'n\n' });
    expect(await bench.finish(long)).toMatchObject({ state: 'applied', changed: ['a.txt'] });
  });

  it('a root below the top of the repository', async () => {
    await start({ git: false, entries: { 'pkg/a.txt': 'a\n', 'b.txt': 'b\n' } });
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'x'],
    ])
      bench.git(words);
    const worktree = await bench.openFrom(bench.at.workspace.path('pkg'));
    expect(worktree.roots).toEqual([join(worktree.folder, 'pkg')]);
    writeFileSync(join(worktree.folder, 'pkg/a.txt'), 'A\n');
    expect(await bench.finish(worktree)).toMatchObject({ state: 'applied', changed: ['pkg/a.txt'] });
    // What lies outside of the workspace above is not written to.
    const other = await bench.openFrom(bench.at.workspace.path('pkg'));
    writeFileSync(join(other.folder, 'b.txt'), 'B\n');
    const report = await bench.finish(other);
    expect([report.state, await bench.at.workspace.read('b.txt')]).toEqual(['kept', 'b\n']);
    expect(report.problem).toContain('Path must be within workspace');
  });

  it('a workspace that is a submodule, and one whose own path has blanks, quotes and line feeds', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const { workspace } = bench.at;
    const made = join(bench.tenonHome, 'made');
    const odd = workspace.path('odd "name"\nof \u2019it ');
    for (const folder of [made, odd]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 's.txt'), 's\n');
      for (const words of [
        ['init', '-q'],
        ['add', '-A'],
        ['commit', '-qm', 's'],
      ])
        runGitIn(folder, words);
    }
    bench.git(['submodule', '--quiet', 'add', made, 'vendor/sub']);
    for (const folder of [workspace.path('vendor/sub'), odd]) {
      const worktree = await bench.openFrom(folder);
      expect(bench.git(['status', '--porcelain'], worktree.folder)).toBe('');
      writeFileSync(join(worktree.folder, 's.txt'), 'S\n');
      expect(await bench.finish(worktree)).toEqual({ state: 'applied', changed: ['s.txt'] });
      expect(readFileSync(join(folder, 's.txt'), 'utf8')).toBe('S\n');
      expect(runGitIn(folder, ['worktree', 'list', '--porcelain', '-z']).split('\0\0').filter(Boolean)).toHaveLength(1);
    }
    expect(bench.left()).toEqual(gone);
  });

  it('large files that go while others are copied, or may not be read, are left out', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const { workspace } = bench.at;
    for (const name of ['large.bin', 'locked.bin'])
      writeFileSync(workspace.path(name), Buffer.alloc(5 * 1024 * 1024, 1));
    chmodSync(workspace.path('locked.bin'), 0);
    const { signal } = new AbortController();
    const throwIfAborted = signal.throwIfAborted.bind(signal);
    signal.throwIfAborted = () => {
      const trees = bench.left().trees.map((name) => join(`${bench.tenonHome}-worktrees`, 'p-1', name));
      if (trees.some((tree) => existsSync(join(tree, 'a.txt')))) rmSync(workspace.path('large.bin'), { force: true });
      throwIfAborted();
    };
    const worktree = await bench.open(signal);
    expect(existsSync(join(worktree.folder, 'large.bin'))).toBe(false);
    // Root may read what nobody may.
    expect(existsSync(join(worktree.folder, 'locked.bin'))).toBe(process.getuid?.() === 0);
    expect(await bench.finish(worktree)).toEqual({ changed: [], state: 'unchanged' });
    expect(bench.left()).toEqual(gone);
  });

  it('names and modes of every kind', async () => {
    await start({
      entries: { 'a b.txt': 'x\n', 'ümläut/日本.txt': 'y\n', '-dash': 'z\n', 'tab\tin.txt': 't\n', '"q".txt': 'q\n' },
    });
    writeFileSync(Buffer.concat([Buffer.from(`${bench.at.workspace.root}/`), Buffer.from([0xff, 0x2e])]), 'raw');
    const worktree = await bench.open();
    for (const name of ['a b.txt', 'ümläut/日本.txt', '-dash', 'tab\tin.txt', '"q".txt'])
      writeFileSync(join(worktree.folder, name), 'new\n');
    writeFileSync(join(worktree.folder, 'line\nbreak.txt'), 'new\n');
    expect(await bench.finish(worktree)).toMatchObject({ state: 'applied' });
    expect(await bench.at.workspace.read('line\nbreak.txt')).toBe('new\n');
    const third = await bench.open();
    writeFileSync(Buffer.concat([Buffer.from(`${third.folder}/`), Buffer.from([0xfe, 0x2e])]), 'raw');
    expect(await bench.finish(third)).toMatchObject({
      state: 'kept',
      problem: expect.stringContaining('no UTF-8') as unknown,
    });
  });

  it('what git ignores is neither in it nor taken over', async () => {
    await start({ entries: { 'a.txt': 'a\n', '.gitignore': 'node_modules\n*.log\n' } });
    await bench.at.workspace.write({ 'node_modules/x/i.js': 'x' });
    const worktree = await bench.open();
    expect(existsSync(join(worktree.folder, 'node_modules'))).toBe(false);
    mkdirSync(join(worktree.folder, 'node_modules/y'), { recursive: true });
    writeFileSync(join(worktree.folder, 'node_modules/y/i.js'), 'y');
    writeFileSync(join(worktree.folder, 'x.log'), 'y');
    expect(await bench.finish(worktree)).toEqual({ changed: [], state: 'unchanged' });
    expect(bench.left()).toEqual(gone);
  });
});

describe('what keeps tools from files', () => {
  it('keeps an agent from their copies: what rules withhold is not in it, and what .qwenignore names is ignored there too', async () => {
    const list: Rule[] = [];
    await start({
      entries: {
        'a.txt': 'a\n',
        'keys/one.key': 'k\n',
        'deep/keys/two.key': 'k\n',
        'env.txt': 'e\n',
        'hidden.txt': 'h\n',
        '.gitignore': '.qwenignore\n',
      },
      readRules: readRulesOf(() => ({ rules: list, roots: [bench.at.workspace.root], home: '/nobody' })),
    });
    const { workspace } = bench.at;
    await workspace.write({ '.qwenignore': 'hidden.txt\n' });
    list.push({ list: 'deny', text: `Read(/${workspace.root}/keys/**)`, origin: 'test' });
    list.push({ list: 'ask', text: `Read(/${workspace.path('env.txt')})`, origin: 'test' });
    const worktree = await bench.open();
    const isThere = (path: string): boolean => existsSync(join(worktree.folder, path));
    expect(['a.txt', 'keys/one.key', 'deep/keys/two.key', 'env.txt', 'hidden.txt', '.qwenignore'].map(isThere)).toEqual(
      [true, false, true, false, true, true],
    );
    expect(worktree.note).toContain('(files: 2)');
    writeFileSync(join(worktree.folder, 'a.txt'), 'b\n');
    writeFileSync(join(worktree.folder, 'env.txt'), 'guess\n');
    const report = await bench.finish(worktree);
    expect(report.problem).toContain('env.txt was made in the workspace meanwhile too');
    expect([report.state, await workspace.read('env.txt'), await workspace.read('keys/one.key')]).toEqual([
      'kept',
      'e\n',
      'k\n',
    ]);
    const other = await bench.open();
    writeFileSync(join(other.folder, 'a.txt'), 'b\n');
    expect(await bench.finish(other)).toMatchObject({ state: 'applied', changed: ['a.txt'] });
  });
});
