import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newWalkCounts, walkFiles, type WalkOptions } from './walk.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-walk-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function walked(options: Partial<WalkOptions> = {}, folder = root): Promise<string[]> {
  const found: string[] = [];
  const all = {
    folder: { path: folder, workingDirectory: folder },
    roots: [root],
    signal: new AbortController().signal,
  };
  for await (const file of walkFiles({ ...all, ...options })) found.push(file.relativePath);
  return found;
}

function git(...args: string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 26 });
}

function gitFiles(): string[] {
  return git('ls-files', '-z', '-co', '--exclude-standard')
    .split('\0')
    .filter((name) => name !== '')
    .sort();
}

describe('walkFiles', () => {
  it('yields hidden files, level by level and by name, and never what is in .git', async () => {
    for (const path of ['b.txt', 'a/z.txt', 'a/.hidden/y', '.env', '.git/HEAD', 'a/.git/config']) put(path);
    expect(await walked()).toEqual(['.env', 'b.txt', 'a/z.txt', 'a/.hidden/y']);
  });

  it('agrees with git on nested, negated, anchored and escaped rules (S64)', async () => {
    git('init', '-q');
    put(
      '.gitignore',
      '*.log\n!keep.log\n/dist\nbuild/\n\\#x\n\\!y\nspace\\ \ntrail   \n**/deep/*.tmp\na/**/z\n[[:digit:]]x\n',
    );
    put('pkg/.gitignore', '!build\n/only\n*.txt\n!sub/keep.txt\n');
    put('pkg/sub/.gitignore', '!again.txt\r\n');
    put('.git/info/exclude', 'secret-*\n');
    const files =
      'x.log|keep.log|dist/a|sub/dist/a|build/a|pkg/build/a|pkg/build/in/b|#x|!y|space |trail|q/deep/x.tmp|a/z|a/b/c/z|1x|xx|' +
      'pkg/only|pkg/q/only|pkg/a.txt|pkg/sub/keep.txt|pkg/sub/again.txt|pkg/sub/no.txt|secret-1|secret/x';
    for (const path of files.split('|')) put(path);
    const found = (await walked()).sort();
    expect(found).toEqual(gitFiles());
    expect(found).toContain('pkg/build/in/b');
    expect(found).not.toContain('build/a');
  });

  it('agrees with git on generated trees and rules', async () => {
    git('init', '-q');
    const name = fc.constantFrom('a', 'b', 'ab', 'a.x', 'b.y', '.c', 'build', 'A');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const piece = fc.constantFrom(
      'a',
      'b',
      '*',
      '**',
      '?',
      '[ab]',
      '[!a]',
      '*.x',
      '.c',
      'build',
      'ab',
      '[a-',
      '\\a',
      'a**b',
    );
    const line = fc
      .tuple(
        fc.constantFrom('', '!', '/', '!/'),
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/', ' '),
      )
      .map(([start, pieces, end]) => start + pieces.join('/') + end);
    const tree = fc.record({
      files: fc.array(path, { minLength: 1, maxLength: 25 }),
      ignores: fc.array(fc.tuple(fc.constantFrom('', 'a/', 'b/', 'a/b/', 'build/'), fc.array(line, { maxLength: 5 })), {
        maxLength: 4,
      }),
    });
    await fc.assert(
      fc.asyncProperty(tree, async ({ files, ignores }) => {
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
        const putIfPossible = (file: string, text: string): void => {
          try {
            put(file, text);
          } catch {
            // A file is in the way of a folder, or the other way round.
          }
        };
        for (const file of files) putIfPossible(file, 'x');
        for (const [folder, lines] of ignores) putIfPossible(`${folder}.gitignore`, lines.join('\n'));
        expect((await walked()).sort()).toEqual(gitFiles());
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('holds the rules of the folders above when it starts further down (S64)', async () => {
    put('.gitignore', '*.log\n/pkg/gen\n');
    put('.qwenignore', 'hidden\n');
    for (const path of ['pkg/a.log', 'pkg/gen/x', 'pkg/src/b.ts', 'pkg/hidden/c']) put(path);
    const counts = newWalkCounts();
    expect(await walked({ counts }, join(root, 'pkg'))).toEqual(['src/b.ts']);
    expect(counts).toMatchObject({ files: 1, gitIgnored: 2, qwenIgnored: 1 });
  });

  it('keeps .qwenignore, in any case, when .gitignore is turned off', async () => {
    put('.gitignore', 'out\n');
    put('.qwenignore', 'SECRET*\n!secret-not.txt\n');
    for (const path of ['out/a', 'secret.txt', 'secret-not.txt']) put(path);
    expect(await walked({ respectGitIgnore: false })).toEqual(['.gitignore', '.qwenignore', 'secret-not.txt', 'out/a']);
  });

  it('shows what is in an ignored folder when that folder is named', async () => {
    put('.gitignore', 'node_modules\n*.log\n');
    put('node_modules/dep/index.js');
    const counts = newWalkCounts();
    expect(await walked({ counts }, join(root, 'node_modules', 'dep'))).toEqual(['index.js']);
    expect(counts.folderIsGitIgnored).toBe(true);
  });

  it('never follows a link, to a file or to a folder', async () => {
    put('real/a.txt');
    symlinkSync(join(root, 'real'), join(root, 'folder-link'));
    symlinkSync(join(root, 'real/a.txt'), join(root, 'file-link'));
    symlinkSync('..', join(root, 'real/loop'));
    const counts = newWalkCounts();
    expect(await walked({ counts })).toEqual(['real/a.txt']);
    expect(counts.links).toBe(3);
    expect(await walked({ links: true })).toEqual(['file-link', 'folder-link', 'real/a.txt', 'real/loop']);
  });

  it('stops when it is aborted', async () => {
    for (let index = 0; index < 5; index++) put(`d${index}/f`);
    const controller = new AbortController();
    const seen: string[] = [];
    const walking = (async () => {
      const options = { folder: { path: root, workingDirectory: root }, roots: [root], signal: controller.signal };
      for await (const file of walkFiles(options)) {
        seen.push(file.path);
        controller.abort(new Error('enough'));
      }
    })();
    await expect(walking).rejects.toThrow('enough');
    expect(seen.length).toBeLessThanOrEqual(5);
  });

  it('walks a tree of 20,000 files to the last', async () => {
    for (let folder = 0; folder < 200; folder++) {
      mkdirSync(join(root, `d${folder % 10}/e${folder}`), { recursive: true });
      for (let file = 0; file < 100; file++) writeFileSync(join(root, `d${folder % 10}/e${folder}/f${file}.ts`), '');
    }
    put('.gitignore', '*.log\nnode_modules\n/dist\n*.tmp\n!keep.tmp\n.cache/\nbuild\ncoverage\n');
    utimesSync(join(root, '.gitignore'), 1, 1);
    expect((await walked()).length).toBe(20_001);
  }, 60_000);
});
