import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitUser } from '../../files/ignore-settings.js';
import { TreeIndex } from './tree-index.js';
import { walkTree } from './walk.js';
import { newWalkCounts, type WalkCounts, type WalkedFolder, type WalkOptions } from './walked-folder.js';

/** How many times as many runs as by default. */
const RUNS = Number(process.env['TENON_SEARCH_RUNS'] ?? 1);

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-tree-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** As much of a repository as git asks for. */
function putRepository(folder = ''): void {
  put(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  for (const name of ['objects', 'refs']) mkdirSync(join(root, folder, '.git', name), { recursive: true });
}

interface Answer {
  readonly folders: readonly WalkedFolder[];
  readonly counts: WalkCounts;
  readonly ignored: readonly string[];
}

type Walk = (options: WalkOptions) => AsyncIterable<readonly WalkedFolder[]>;

async function answerOf(walk: Walk, options: Partial<WalkOptions> = {}, folder = root): Promise<Answer> {
  const folders: WalkedFolder[] = [];
  const counts = newWalkCounts();
  const ignored: string[] = [];
  const base = { folder: { path: folder, workingDirectory: folder }, roots: [root] };
  const onGitIgnored = (path: string, isDirectory: boolean): void => {
    ignored.push(`${path}${isDirectory ? '/' : ''}`);
  };
  const all = { ...base, signal: new AbortController().signal, counts, onGitIgnored, ...options };
  for await (const batch of walk(all)) folders.push(...batch);
  return { folders, counts, ignored };
}

/** Old enough for their times to prove a later change. */
async function settle(): Promise<void> {
  await sleep(130);
}

const NAMES = ['a', 'b', 'c.log', 'd', 'sub'];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const rules = fc.constantFrom('*.log\n', '/a   \n', 'sub/ \n', 'd    \n', '!a   \n', '**/b \n', 'a/b  \n');
const ignoreFile = fc
  .tuple(fc.constantFrom('', 'a/', 'sub/', 'b/a/'), fc.constantFrom('.gitignore', '.qwenignore'))
  .map(([folder, name]) => folder + name);
const change = fc.oneof(
  fc.record({ kind: fc.constant('file' as const), path }),
  fc.record({ kind: fc.constant('folder' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
  fc.record({ kind: fc.constant('replace' as const), path, to: path }),
  fc.record({ kind: fc.constant('chmod' as const), path, mode: fc.constantFrom(0o755, 0o700) }),
  // All of one size, written in place.
  fc.record({ kind: fc.constant('rules' as const), path: ignoreFile, text: rules }),
  fc.record({ kind: fc.constant('removeRules' as const), path: ignoreFile }),
  fc.record({ kind: fc.constant('exclude' as const), path: fc.constant('.git/info/exclude'), text: rules }),
  fc.record({ kind: fc.constant('repository' as const), path }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(one: Change): void {
  const at = join(root, one.path);
  try {
    if (one.kind === 'file') put(one.path);
    else if (one.kind === 'folder') mkdirSync(at, { recursive: true });
    // Leads nowhere but into the tree: what is put or removed through it would else be anybody's.
    else if (one.kind === 'link') symlinkSync('.', at);
    else if (one.kind === 'remove' || one.kind === 'removeRules') rmSync(at, { recursive: true });
    else if (one.kind === 'rename') renameSync(at, join(root, one.to));
    else if (one.kind === 'chmod') chmodSync(at, one.mode);
    else if (one.kind === 'repository') putRepository(one.path);
    else if (one.kind === 'replace') {
      const isFolder = lstatSync(at).isDirectory();
      rmSync(at, { recursive: true });
      if (isFolder) put(one.path);
      else mkdirSync(at);
    } else put(one.path, one.text);
  } catch {
    // Not possible in the tree as it is.
  }
}

describe('TreeIndex', () => {
  it('answers like a walk without memory after any changes, at once and later', async () => {
    const round = fc.record({
      changes: fc.array(change, { maxLength: 4 }),
      settles: fc.boolean(),
      below: fc.constantFrom('', 'a', 'sub'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 5, maxLength: 25 }),
        fc.array(round, { minLength: 2, maxLength: 6 }),
        async (first, rounds) => {
          rmSync(root, { recursive: true, force: true });
          mkdirSync(join(root, '.git/info'), { recursive: true });
          putRepository();
          for (const one of first) apply(one);
          const index = new TreeIndex();
          const walk: Walk = (options) => index.walk(options);
          for (const { changes, settles, below } of rounds) {
            if (settles) await settle();
            await answerOf(walk);
            for (const one of changes) apply(one);
            for (const options of [
              {},
              { respectGitIgnore: false },
              { enter: (folder: string) => folder !== 'a/sub' },
            ]) {
              expect(await answerOf(walk, options)).toEqual(await answerOf(walkTree, options));
            }
            const inner = join(root, below);
            if (existsSync(inner) && lstatSync(inner).isDirectory())
              expect(await answerOf(walk, {}, inner)).toEqual(await answerOf(walkTree, {}, inner));
          }
          const before = index.entries;
          index.clear();
          expect([before >= 0, index.entries]).toEqual([true, 0]);
        },
      ),
      { numRuns: 10 * RUNS },
    );
  }, 120_000);

  it('misses nothing that changes right after a walk', async () => {
    put('f/first');
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    for (let round = 0; round < 300; round++) {
      put(`f/n${round}`);
      const { folders } = await answerOf(walk);
      const { names } = folders.find(({ folder }) => folder === 'f') ?? { names: [] };
      expect(names.length).toBe(round + 2);
    }
  }, 60_000);

  it('sees an ignore file that is edited in place, with its size kept', async () => {
    for (const name of ['a.log', 'a.tmp', 'deep/er/b.log', 'deep/er/b.tmp']) put(name);
    put('.gitignore', '*.log\n');
    await settle();
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    await answerOf(walk);
    expect(index.entries).toBeGreaterThan(0);
    for (const text of ['*.tmp\n', '*.log\n', '*.tmp\n']) {
      writeFileSync(join(root, '.gitignore'), text);
      expect(await answerOf(walk)).toEqual(await answerOf(walkTree));
    }
  });

  it('sees an info/exclude and own excludes that come later', async () => {
    putRepository();
    put('own.txt');
    put('a/own.txt');
    put('other/excludes', '');
    await settle();
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    const options = { gitUser: new GitUser(join(root, 'other'), { GIT_CONFIG_NOSYSTEM: '1' }) };
    put('other/.gitconfig', '[core]\nexcludesFile = ~/excludes\n');
    const before = await answerOf(walk, options);
    expect(before.counts).toMatchObject({ files: 4, gitIgnored: 0 });
    put('other/excludes', 'own.txt\n');
    expect((await answerOf(walk, options)).counts).toMatchObject({ files: 2, gitIgnored: 2 });
    put('.git/info/exclude', '!own.txt\n');
    expect(await answerOf(walk, options)).toEqual(before);
  });

  it('follows the configuration of the person and of repositories as it changes', async () => {
    const gitUser = new GitUser(join(root, 'home'), { GIT_CONFIG_NOSYSTEM: '1' });
    for (const folder of ['', 'nested/']) {
      putRepository(folder);
      put(`${folder}rules`, 'A.TXT\n');
      put(`${folder}a.txt`);
    }
    await settle();
    const index = new TreeIndex();
    const hidden = async (): Promise<string[]> => {
      const found: string[] = [];
      const options = { gitUser, onGitIgnored: (name: string) => void found.push(name) };
      const answer = await answerOf((given) => index.walk(given), options);
      const fresh = await answerOf(walkTree, { gitUser });
      expect(answer.counts).toEqual(fresh.counts);
      return found.sort();
    };
    expect(await hidden()).toEqual([]);
    put('home/.gitconfig', '[core]\nexcludesFile = rules\nignoreCase = true\n');
    expect(await hidden()).toEqual(['a.txt', 'nested/a.txt']);
    put('nested/.git/config', '[core]\nignoreCase = false\n');
    expect(await hidden()).toEqual(['a.txt']);
    put('.git/config', '[includeIf "onbranch:main"]\npath = more\n');
    put('.git/more', '[core]\nexcludesFile = nothing\n');
    put('nested/.git/config', '');
    expect(await hidden()).toEqual(['nested/a.txt']);
    put('.git/HEAD', 'ref: refs/heads/other\n');
    expect(await hidden()).toEqual(['a.txt', 'nested/a.txt']);
  });

  it('costs a folder that is named, or a literal prefix, no more than that folder', async () => {
    for (const name of ['a/b/c', 'a/b/d/e', 'x/y', 'x/z/q']) put(name);
    await settle();
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    await answerOf(walk, {}, join(root, 'a/b'));
    const share = index.entries;
    expect(share).toBeLessThan(6);
    await answerOf(walk, { enter: (folder) => folder === 'a' || folder.startsWith('a/') });
    expect(index.entries).toBe(share + 5);
    // The rest is neither looked at nor forgotten.
    await answerOf(walk);
    const all = index.entries;
    await answerOf(walk, {}, join(root, 'a/b'));
    expect(index.entries).toBe(all);
  });

  it('remembers no more than it may, and forgets what is gone', async () => {
    for (let folder = 0; folder < 20; folder++) for (let file = 0; file < 10; file++) put(`d${folder}/f${file}`);
    await settle();
    const index = new TreeIndex({ maxEntries: 100 });
    const walk: Walk = (options) => index.walk(options);
    for (const respectGitIgnore of [true, false, true]) {
      expect(await answerOf(walk, { respectGitIgnore })).toEqual(await answerOf(walkTree, { respectGitIgnore }));
      expect(index.entries).toBeLessThanOrEqual(100);
      expect(index.entries).toBeGreaterThan(50);
    }
    const roomy = new TreeIndex();
    await answerOf((options) => roomy.walk(options));
    for (let folder = 0; folder < 20; folder++) rmSync(join(root, `d${folder}`), { recursive: true });
    await answerOf((options) => roomy.walk(options));
    expect(roomy.entries).toBeLessThan(5);
  });

  it('gives several walks at once the right answer while the tree changes', async () => {
    for (let folder = 0; folder < 300; folder++) put(`d${folder % 7}/e${folder}/f`);
    await settle();
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    for (let round = 0; round < 5; round++) {
      const several = Promise.all([answerOf(walk), answerOf(walk), answerOf(walk, {}, join(root, 'd3'))]);
      put(`d3/new${round}/f`);
      rmSync(join(root, `d1/e${round * 7 + 1}`), { recursive: true });
      await several;
      expect(await answerOf(walk)).toEqual(await answerOf(walkTree));
    }
    index.clear();
    expect(await answerOf(walk)).toEqual(await answerOf(walkTree));
  });

  it('does not take another folder for the held one once that was moved away', async () => {
    put('place/held/inner/a');
    put('other/held/inner/b');
    await settle();
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    const folder = join(root, 'place/held');
    const moved = { path: folder, workingDirectory: join(root, 'away/held') };
    renameSync(join(root, 'place'), join(root, 'away'));
    renameSync(join(root, 'other'), join(root, 'place'));
    await settle();
    const held = await answerOf(walk, { folder: moved });
    expect(held.folders.at(-1)?.names).toEqual(['a']);
    expect((await answerOf(walk, {}, folder)).folders.at(-1)?.names).toEqual(['b']);
    expect((await answerOf(walk, { folder: moved })).folders.at(-1)?.names).toEqual(['a']);
  });

  it('stops when it is aborted, before and during a walk', async () => {
    put('a/b');
    const index = new TreeIndex();
    const reason = new Error('enough');
    await expect(answerOf((options) => index.walk(options), { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it.skipIf(!existsSync('/dev/pts/ptmx'))('remembers nothing of another device', async () => {
    const index = new TreeIndex();
    const walk: Walk = (options) => index.walk(options);
    const options = { folder: { path: '/dev', workingDirectory: '/dev' }, roots: ['/dev'] };
    await answerOf(walk, { ...options, enter: () => false });
    const top = index.entries;
    const { folders } = await answerOf(walk, { ...options, enter: (folder) => folder === 'pts' });
    expect(folders.map(({ folder }) => folder)).toEqual(['', 'pts']);
    expect(index.entries).toBe(top);
  });
});
