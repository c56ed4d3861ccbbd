import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../../files/ignore-rules.js';
import { GitUser } from '../../files/ignore-settings.js';
import { GIT_IGNORE } from '../../files/ignore-stack.js';
import { walkFiles } from './walk.js';
import type { WalkOptions } from './walked-folder.js';

/** How many times as many runs as by default. */
const RUNS = Number(process.env['TENON_SEARCH_RUNS'] ?? 1);

let home: string;
let root: string;

/** Without the configuration of the machine. */
const userOf = (folder: string): GitUser => new GitUser(folder, { GIT_CONFIG_NOSYSTEM: '1' });

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-walk-git-')));
  root = join(home, 'work');
  mkdirSync(root);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, content = 'x', folder = root): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Git with no configuration but that of the temporary home. */
function git(folder: string, args: readonly string[], input = ''): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  try {
    return execFileSync('git', args, {
      cwd: folder,
      env,
      input: Buffer.from(input),
      encoding: 'latin1',
      maxBuffer: 1 << 26,
    });
  } catch (thrown) {
    // `check-ignore` ends with 1 when nothing is ignored.
    if (thrown instanceof Error && 'status' in thrown && thrown.status === 1) return '';
    throw thrown;
  }
}

function list(output: string): string[] {
  return output
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => Buffer.from(name, 'latin1').toString())
    .sort();
}

/** A folder that is a repository is an entry of its own for git, and left out here. */
function gitFiles(folder = root): string[] {
  const listed = list(git(folder, ['ls-files', '-z', '-co', '--exclude-standard']));
  return listed.filter((name) => !name.endsWith('/'));
}

async function walked(folder = root, options: Partial<WalkOptions> = {}): Promise<string[]> {
  const found: string[] = [];
  const base = { folder: { path: folder, workingDirectory: folder }, roots: [root] };
  const all = { ...base, signal: new AbortController().signal, gitUser: userOf(home) };
  for await (const file of walkFiles({ ...all, ...options })) found.push(file.relativePath);
  return found.sort();
}

const NAMES = [
  'a',
  'b',
  'ab',
  'a.x',
  'b.y.x',
  '.c',
  'build',
  'A',
  'a b',
  'é',
  'x ',
  '[q]',
  '#h',
  '!n',
  'a\\b',
  '-',
  'ñ.x',
];
const PIECES = [
  ...NAMES,
  '*',
  '**',
  '?',
  '??',
  '[ab]',
  '[!a]',
  '[^a]',
  '[a-c]*',
  '[é]',
  '*.x',
  '*.?',
  '*é',
  'b*',
  '*b*',
];
const ODD_PIECES = [
  '[a-',
  '[]a]',
  '\\a',
  '\\*',
  'a**b',
  '***',
  '[[:alpha:]]',
  '[[:upper:]]*',
  'a\\ b',
  '\\#h',
  '\\!n',
  '.*',
  'a[/]b',
  'B',
  '*.X',
  '\\A',
  '[AB]',
  '[!B]',
  '[A-C]*',
  '[A-A]',
  '[[:lower:]]',
  'É',
];

const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '!/', '**/', '#', ' '),
    fc.array(fc.constantFrom(...PIECES, ...ODD_PIECES), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', ' ', '\\ ', '/**', '/*', '\r', '\\'),
  )
  .map(([start, pieces, end]) => start + pieces.join('/') + end);
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const folder = fc.constantFrom('', 'a/', 'b/', 'a/b/', 'build/', 'é/', 'a b/');
const lines = fc.array(line, { maxLength: 6 });
const tree = fc.record({
  files: fc.array(path, { minLength: 1, maxLength: 25 }),
  ignores: fc.array(fc.tuple(folder, lines), { maxLength: 4 }),
  exclude: lines,
  user: lines,
  /** Where those of the person stand: in the default file, or in one that the repository names. */
  userFile: fc.constantFrom('', 'excludes', '~/excludes'),
  ignoreCase: fc.boolean(),
});

function clear(): void {
  execFileSync('find', [
    root,
    '-mindepth',
    '1',
    '-maxdepth',
    '1',
    '-not',
    '-name',
    '.git',
    '-exec',
    'rm',
    '-rf',
    '{}',
    '+',
  ]);
}

function make({
  files,
  ignores,
  exclude,
  user,
  userFile,
  ignoreCase,
}: typeof tree extends fc.Arbitrary<infer T> ? T : never): void {
  const putIfPossible = (file: string, text: string): void => {
    try {
      put(file, text);
    } catch {
      // A file is in the way of a folder, or the other way round.
    }
  };
  clear();
  for (const file of files) putIfPossible(file, 'x');
  for (const [at, text] of ignores) putIfPossible(`${at}.gitignore`, text.join('\n'));
  put('.git/info/exclude', exclude.join('\n'));
  const named = userFile === '' ? '' : `excludesFile = ${userFile}\n`;
  put('.git/config', `[core]\nrepositoryformatversion = 0\nignoreCase = ${ignoreCase}\n${named}`);
  const [at, text] = [userFile === 'excludes' ? root : home, user.join('\n')];
  if (named === '') put('.config/git/ignore', text, home);
  else put('excludes', text, at);
}

describe('the ignore rules of a walk', () => {
  it(
    'are those of git ls-files, on generated trees and ignore files',
    async () => {
      git(root, ['init', '-q']);
      await fc.assert(
        fc.asyncProperty(tree, async (made) => {
          make(made);
          expect(await walked()).toEqual(gitFiles());
        }),
        { numRuns: 40 * RUNS },
      );
    },
    120_000 * RUNS,
  );

  it(
    'are those of git ls-files where the root is a folder of the work tree',
    async () => {
      git(root, ['init', '-q']);
      await fc.assert(
        fc.asyncProperty(tree, fc.constantFrom('a', 'a/b', 'build', 'a b'), async (made, below) => {
          make(made);
          const inner = join(root, below);
          try {
            for (const name of made.files) put(join(below, 'deep', 'er', name.replaceAll('/', '_')));
          } catch {
            fc.pre(false);
          }
          // What hides the root as a whole does not count: it was opened on purpose.
          fc.pre(git(root, ['check-ignore', '--no-index', '-z', '--stdin'], `${below}\0`) === '');
          expect(await walked(inner, { roots: [inner] })).toEqual(gitFiles(inner));
        }),
        { numRuns: 25 * RUNS },
      );
    },
    120_000 * RUNS,
  );

  it(
    'are those of git check-ignore for single paths',
    async () => {
      git(root, ['init', '-q']);
      fc.assert(
        fc.property(tree, (made) => {
          make(made);
          const found = execFileSync('find', [
            root,
            '-mindepth',
            '1',
            '-name',
            '.git',
            '-prune',
            '-o',
            '-printf',
            '%y%P\\0',
          ]);
          const entries = found
            .toString()
            .split('\0')
            .filter((entry) => entry.length > 1);
          const paths = entries.map((entry) => entry.slice(1)).join('\0');
          const ignored = list(git(root, ['check-ignore', '--no-index', '-z', '--stdin'], `${paths}\0`));
          const rules = new IgnoreRules(GIT_IGNORE, [root], userOf(home));
          const ours = entries.filter(
            (entry) => entry !== 'd.' && rules.isIgnored(join(root, entry.slice(1)), entry.startsWith('d')),
          );
          expect(ours.map((entry) => entry.slice(1)).sort()).toEqual(ignored);
        }),
        { numRuns: 30 * RUNS },
      );
    },
    120_000 * RUNS,
  );
});

describe('the files that hold besides .gitignore', () => {
  it('are info/exclude and the own excludes, in this order of rank', async () => {
    git(root, ['init', '-q']);
    put('.config/git/ignore', '*.log\nkeep*\n/top\n', home);
    put('.git/info/exclude', '!b.log\n');
    put('.gitignore', '!keep-this\n');
    for (const name of ['a.log', 'b.log', 'keep-that', 'keep-this', 'top', 'sub/top']) put(name);
    expect(await walked()).toEqual(['.gitignore', 'b.log', 'keep-this', 'sub/top']);
    expect(await walked()).toEqual(gitFiles());
  });

  it('are found through the file .git of a linked work tree', async () => {
    git(root, ['init', '-q']);
    git(root, ['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '--allow-empty', '-m', 'x']);
    git(root, ['worktree', 'add', '-q', join(home, 'linked')]);
    put('.git/info/exclude', 'secret\n');
    const linked = join(home, 'linked');
    for (const name of ['secret', 'shown']) put(name, 'x', linked);
    expect(await walked(linked, { roots: [linked] })).toEqual(['shown']);
    expect(gitFiles(linked)).toEqual(['shown']);
  });

  it('are those of a nested repository alone, below where it begins', async () => {
    git(root, ['init', '-q']);
    put('.gitignore', '*.log\nvendor\n');
    for (const name of ['a.log', 'nested/a.log', 'nested/own.tmp', 'nested/in/b.log', 'vendor/c']) put(name);
    git(join(root, 'nested'), ['init', '-q']);
    put('nested/.git/info/exclude', '*.tmp\n');
    expect(await walked()).toEqual(['.gitignore', 'nested/a.log', 'nested/in/b.log']);
    const inNested = gitFiles(join(root, 'nested'));
    expect(await walked(join(root, 'nested'))).toEqual(inNested);
    const rules = new IgnoreRules(GIT_IGNORE, [root]);
    put('nested/.git/config', '[core]\nrepositoryformatversion = 0\nignoreCase = true\nexcludesFile = own\n');
    put('nested/own', 'A.LOG\n');
    put('nested/.gitignore', 'IN\n');
    expect(await walked()).toEqual(['.gitignore', 'nested/.gitignore', 'nested/own']);
    expect(gitFiles(join(root, 'nested'))).toEqual(['.gitignore', 'own']);
    rmSync(join(root, 'nested/own'));
    rmSync(join(root, 'nested/.gitignore'));
    put('.git/config', '[core]\nrepositoryformatversion = 0\nignoreCase = true\n');
    put('nested/.git/config', '[core]\nrepositoryformatversion = 0\n');
    put('nested/A.LOG');
    expect(await walked()).toEqual(['.gitignore', 'nested/A.LOG', 'nested/a.log', 'nested/in/b.log']);
    expect(
      ['a.log', 'nested/a.log', 'nested/own.tmp', 'vendor/c'].map((name) => rules.isIgnored(join(root, name), false)),
    ).toEqual([true, false, true, true]);
  });

  it('are chosen by the configuration of the work tree in which they hold', async () => {
    git(root, ['init', '-q', '-b', 'main']);
    git(root, ['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '--allow-empty', '-m', 'x']);
    const linked = join(home, 'linked');
    git(root, ['worktree', 'add', '-q', '-b', 'other', linked]);
    const parts = ['gitdir:~/work/', 'gitdir/i:**/WORKTREES/', 'onbranch:oth*'].map(
      (condition, place) => `[includeIf "${condition}"]\npath = part${place}\n`,
    );
    put('.gitconfig', parts.join(''), home);
    put('part0', '[core]\nexcludesFile = ~/rules0\n', home);
    put('part1', '[core]\nignoreCase = true\n', home);
    put('part2', '[core]\nexcludesFile = rules2\n', home);
    put('rules0', '*.a\n', home);
    put('rules2', '*.b\n', linked);
    for (const top of [root, linked]) for (const name of ['x.a', 'x.A', 'x.b', 'x.B']) put(name, 'x', top);
    expect(await walked()).toEqual(['x.A', 'x.B', 'x.b']);
    expect(gitFiles()).toEqual(['x.A', 'x.B', 'x.b']);
    expect(await walked(linked, { roots: [linked] })).toEqual(['rules2', 'x.A', 'x.a']);
    expect(gitFiles(linked)).toEqual(['rules2', 'x.A', 'x.a']);
  });

  it('do not hide a root that lies in a folder that is ignored', async () => {
    git(root, ['init', '-q']);
    put('.gitignore', 'out\n*.log\n');
    put('out/.gitignore', 'x*\n');
    for (const name of ['out/x1', 'out/a.log', 'out/b']) put(name);
    const inner = join(root, 'out');
    expect(await walked(inner, { roots: [inner] })).toEqual(['.gitignore', 'a.log', 'b']);
  });

  it('are never read through a link, as git does not', async () => {
    git(root, ['init', '-q']);
    put('rules', '*.log\n');
    put('a.log');
    execFileSync('ln', ['-s', 'rules', join(root, '.gitignore')]);
    expect(await walked()).toEqual(['a.log', 'rules']);
    expect(gitFiles()).toEqual(['.gitignore', 'a.log', 'rules']);
  });
});
