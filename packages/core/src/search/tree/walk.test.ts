import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemPath } from '../../files/escaped-bytes.js';
import { GitUser } from '../../files/ignore-settings.js';
import { walkFiles, walkTree, type FileWalkOptions } from './walk.js';
import { newWalkCounts, type WalkedFolder } from './walked-folder.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-walk-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function walked(options: Partial<FileWalkOptions> = {}, folder = root): Promise<string[]> {
  const found: string[] = [];
  const all = {
    folder: { path: folder, workingDirectory: folder },
    roots: [root],
    signal: new AbortController().signal,
  };
  for await (const file of walkFiles({ ...all, ...options })) found.push(file.relativePath);
  return found;
}

async function folders(options: Partial<FileWalkOptions> = {}): Promise<WalkedFolder[]> {
  const found: WalkedFolder[] = [];
  const all = { folder: { path: root, workingDirectory: root }, roots: [root], signal: new AbortController().signal };
  for await (const batch of walkTree({ ...all, ...options })) found.push(...batch);
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

  it('hears the signal while it is asked about many folders, and forgets none of them', async () => {
    for (let index = 0; index < 200; index++) put(`d${index}/f`);
    const slow = (): boolean => {
      const end = performance.now() + 10;
      while (performance.now() < end);
      return true;
    };
    expect(await walked({ enter: slow })).toHaveLength(200);
    const started = performance.now();
    await expect(walked({ enter: slow, signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('walks a tree of 5,000 files to the last', async () => {
    // Links cost a tenth of files.
    put('d0/e0/f0.ts', '');
    const first = join(root, 'd0/e0/f0.ts');
    for (let folder = 0; folder < 50; folder++) {
      mkdirSync(join(root, `d${folder % 10}/e${folder}`), { recursive: true });
      for (let file = folder === 0 ? 1 : 0; file < 100; file++)
        linkSync(first, join(root, `d${folder % 10}/e${folder}/f${file}.ts`));
    }
    put('.gitignore', '*.log\nnode_modules\n/dist\n*.tmp\n!keep.tmp\n.cache/\nbuild\ncoverage\n');
    utimesSync(join(root, '.gitignore'), 1, 1);
    expect((await walked()).length).toBe(5_001);
  }, 60_000);

  it('tells folders that may be handed on as a whole from those with something left out', async () => {
    put('.gitignore', '*.log\nout/\n');
    put('.qwenignore', 'hidden\n');
    for (const path of ['whole/a', 'whole/out/b', 'cut/a', 'cut/b.log', 'kept/a', 'kept/hidden', 'tree/a']) put(path);
    put('tree/.git', 'gitdir: /nowhere\n');
    const whole = (await folders()).map(({ folder, isWhole }) => [folder, isWhole]);
    expect(whole).toEqual([
      ['', true],
      ['cut', false],
      ['kept', false],
      ['tree', false],
      ['whole', true],
    ]);
  });

  it('tells which entries .gitignore hides, unless they are not entered anyway', async () => {
    put('.gitignore', '*.log\nout\n');
    for (const path of ['a.log', 'out/x', 'sub/out/y', 'sub/b.log', 'no/c.log', 'more/d']) put(path);
    const told: string[] = [];
    const counts = newWalkCounts();
    const enter = (folder: string): boolean => folder !== 'no' && folder !== 'sub/out';
    await folders({ counts, enter, onGitIgnored: (path, isDirectory) => told.push(isDirectory ? `${path}/` : path) });
    expect(told.sort()).toEqual(['a.log', 'out/', 'sub/b.log']);
    expect(counts.gitIgnored).toBe(3);
  });

  it('counts special files, and shows names with newlines, leading dashes and colons as they are', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const names = ['-rf', 'a:12:b', 'line\nbreak', '-- x/--y', '\n/\n'];
    for (const name of names) put(name);
    const counts = newWalkCounts();
    expect((await walked({ counts })).sort()).toEqual(names.sort());
    expect(counts).toMatchObject({ files: 5, special: 1 });
  });

  it('shows files and folders whose names are no UTF-8, by names that lead to them, and by the rules for them', async () => {
    const odd = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]);
    mkdirSync(odd);
    const put8 = (name: number[], text = 'x'): void =>
      writeFileSync(Buffer.concat([odd, Buffer.from('/'), Buffer.from(name)]), text);
    put8([0xff, 0x61]);
    put8([0x62]);
    put8([0x63, 0xfe]);
    put8([...Buffer.from('\ufffd')]);
    put8([...Buffer.from('.gitignore')], 'c?\n');
    put('plain/\ufffd');
    const found = await walked();
    expect(found).toEqual(
      ['plain/\ufffd', 'caf\udce9/.gitignore', 'caf\udce9/b', 'caf\udce9/\udcffa', 'caf\udce9/\ufffd'].sort(),
    );
    for (const path of found) expect(lstatSync(systemPath(join(root, path))).isFile()).toBe(true);
    expect((await folders()).map(({ folder, isWhole }) => [folder, isWhole])).toEqual([
      ['', false],
      ['caf\udce9', false],
      ['plain', true],
    ]);
  });

  it('is not put off by folders that vanish, become files or become links while it walks', async () => {
    for (const name of ['file', 'gone', 'link', 'stays']) put(`${name}/inner/x`);
    put('target/secret');
    const counts = newWalkCounts();
    const enter = (folder: string): boolean => {
      if (folder.includes('/') || folder === 'stays' || folder === 'target') return folder !== 'target';
      rmSync(join(root, folder), { recursive: true });
      if (folder === 'file') put('file');
      if (folder === 'link') symlinkSync('target', join(root, 'link'));
      return true;
    };
    expect(await walked({ counts, enter })).toEqual(['stays/inner/x']);
    expect(counts).toMatchObject({ files: 1, unreadableFolders: 3 });
  });

  it.skipIf(process.getuid?.() === 0)('counts folders that may not be read', async () => {
    put('closed/x');
    put('open/y');
    chmodSync(join(root, 'closed'), 0);
    const counts = newWalkCounts();
    const found = await walked({ counts });
    chmodSync(join(root, 'closed'), 0o755);
    expect(found).toEqual(['open/y']);
    expect(counts.unreadableFolders).toBe(1);
  });

  it('takes rules of git that cannot be read for none, as git does, and keeps all back where .qwenignore cannot be read', async () => {
    put('a/x');
    put('b/y');
    symlinkSync('loop', join(root, 'loop'));
    put('home/.gitconfig', '[core]\nexcludesFile = ~/../loop\n');
    const gitUser = new GitUser(join(root, 'home'), { GIT_CONFIG_NOSYSTEM: '1' });
    expect(await walked({ gitUser })).toEqual(['a/x', 'b/y', 'home/.gitconfig']);
    rmSync(join(root, 'home'), { recursive: true });
    symlinkSync('.qwenignore', join(root, 'b/.qwenignore'));
    expect(await walked()).toEqual(['a/x']);
  });

  it('says of a folder that is not there that it cannot be read', async () => {
    const counts = newWalkCounts();
    expect(await walked({ counts }, join(root, 'nothing'))).toEqual([]);
    expect(counts.unreadableFolders).toBe(1);
  });
});
