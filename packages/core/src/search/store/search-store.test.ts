import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeEscaped, systemPath } from '../../files/escaped-bytes.js';
import type { FolderFiles } from '../content/folder-files.js';
import { ContentStore } from '../content/content-store.js';
import { SearchIndex } from '../search-index.js';
import { TreeIndex } from '../tree/tree-index.js';
import { walkTree } from '../tree/walk.js';
import { SearchStore } from './search-store.js';
import { newWalkCounts, type WalkedFolder, type WalkOptions } from '../tree/walked-folder.js';

/** How many times as many runs as by default. */
const RUNS = Number(process.env['TENON_SEARCH_RUNS'] ?? 1);
const NEVER = new AbortController().signal;

let base: string;
let root: string;
let home: string;
const opened: SearchIndex[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-store-')));
  root = join(base, 'work');
  home = join(base, 'projects', 'one', 'search');
  mkdirSync(root);
});

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  rmSync(base, { recursive: true, force: true });
});

function open({
  folder = home,
  minEntries = 1,
}: { folder?: string | undefined; minEntries?: number } = {}): SearchIndex {
  const index = new SearchIndex({ folder, minEntries });
  opened.push(index);
  return index;
}

function put(path: string, content: string | Buffer = 'x', below = root): void {
  mkdirSync(systemPath(dirname(join(below, path))), { recursive: true });
  writeFileSync(systemPath(join(below, path)), content);
}

/** Old enough for their times to prove a later change. */
async function settle(): Promise<void> {
  await sleep(130);
}

interface Answer {
  readonly folders: readonly WalkedFolder[];
  readonly counts: unknown;
  readonly ignored: readonly string[];
}

type Walk = (options: WalkOptions) => AsyncIterable<readonly WalkedFolder[]>;

async function answerOf(walk: Walk, more: Partial<WalkOptions> = {}, folder = root): Promise<Answer> {
  const folders: WalkedFolder[] = [];
  const counts = newWalkCounts();
  const ignored: string[] = [];
  const onGitIgnored = (path: string): void => void ignored.push(path);
  const at = { path: folder, workingDirectory: folder };
  const options = { folder: at, roots: [root], signal: NEVER, counts, onGitIgnored, ...more };
  for await (const batch of walk(options)) folders.push(...batch);
  return { folders, counts, ignored };
}

const through =
  (index: SearchIndex): Walk =>
  (options) =>
    index.tree.walk(options);

/** How many folders had to be read anew. */
async function learnedBy(index: SearchIndex): Promise<number> {
  const before = index.tree.changes;
  await answerOf(through(index));
  return index.tree.changes - before;
}

async function piecesOf(index: SearchIndex): Promise<FolderFiles[]> {
  const { folders } = await answerOf(through(index));
  return folders.map(({ folder, names }) => ({ folder, names }));
}

/** Walks, and learns all contents. */
async function learnAll(index: SearchIndex): Promise<void> {
  index.content.learnLater(root, await piecesOf(index));
  await index.content.settled();
}

/** Files that may hold the text. */
async function candidates(index: SearchIndex, text: string): Promise<string[]> {
  const pattern = { pattern: text, fixedStrings: true, caseSensitive: true, multiline: false };
  const known = await index.content.known(root, await piecesOf(index), { pattern }, NEVER);
  return known.candidates.flatMap(({ folder, names }) => names.map((name) => join(folder, name))).concat(known.odd);
}

/** Folders with a few files, known and stored. */
async function storeSome(folder = home): Promise<void> {
  for (let at = 0; at < 20; at += 1) put(`f${at % 5}/g/${at}.ts`, `some text ${at} needle${at}x\n`);
  await settle();
  const index = open({ folder });
  await learnAll(index);
  await index.close();
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c.log', 'C.log', 'sub', 'größe', '日本', 'a\nb'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const rules = fc.constantFrom(
  '*.log\n',
  '/a\n',
  'sub/\n',
  'b\n',
  '!a\n',
  '**/b\n',
  'a/b\n',
  '!/sub/a\n',
  '*\n!*/\n!a\n',
);
const ruleFile = fc.constantFrom('.gitignore', '.qwenignore', 'a/.gitignore', 'sub/.qwenignore', '.git/info/exclude');
const settings = fc.constantFrom(
  '[core]\nignoreCase = true\n',
  '[core]\nexcludesFile = sub/.qwenignore\n',
  '[core]\nexcludesFile = .git/info/exclude\nignoreCase = yes\n',
  '[include]\npath = info/exclude\n',
);
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('file' as const), path }) },
  fc.record({ kind: fc.constant('folder' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rules' as const), path: ruleFile, text: rules }) },
  fc.record({ kind: fc.constant('remove' as const), path: ruleFile }),
  fc.record({ kind: fc.constant('rules' as const), path: fc.constant('.git/config'), text: settings }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(one: Change): void {
  const at = join(root, one.path);
  try {
    if (one.kind === 'file') put(one.path);
    else if (one.kind === 'folder') mkdirSync(at, { recursive: true });
    else if (one.kind === 'link') symlinkSync('nowhere', at);
    else if (one.kind === 'rename') renameSync(at, join(root, one.to));
    else if (one.kind === 'rules') put(one.path, one.text);
    else rmSync(at, { recursive: true, force: true });
  } catch {
    // Something else stands there, or nothing does.
  }
}

const FILE = (): string => join(home, 'index');

describe('SearchStore', () => {
  it('spares a later process the reading of folders and files', async () => {
    await storeSome();
    expect(statSync(FILE()).mode & 0o777).toBe(0o600);
    const second = open();
    expect(second.content.knowsAny).toBe(true);
    expect(await learnedBy(second)).toBe(0);
    const found = await candidates(second, 'needle7x');
    expect(found).toContain('f2/g/7.ts');
    expect(found.length).toBeLessThan(20);
    expect(second.content.files).toBe(20);
  });

  it('gives a later process the tree as it is, whatever changed meanwhile', async () => {
    const changes = fc.array(change, { maxLength: 14 });
    const isGit = fc.boolean();
    await fc.assert(
      fc.asyncProperty(changes, changes, changes, isGit, async (before, between, later, respectGitIgnore) => {
        rmSync(root, { recursive: true });
        rmSync(home, { recursive: true, force: true });
        for (const name of ['info', 'objects', 'refs']) mkdirSync(join(root, '.git', name), { recursive: true });
        put('.git/HEAD', 'ref: refs/heads/main\n');
        for (const one of before) apply(one);
        await settle();
        const first = open();
        await answerOf(through(first), { respectGitIgnore });
        await first.close();
        for (const one of between) apply(one);
        const second = open();
        const expected = await answerOf(walkTree, { respectGitIgnore });
        expect(await answerOf(through(second), { respectGitIgnore })).toEqual(expected);
        for (const one of later) apply(one);
        expect(await answerOf(through(second))).toEqual(await answerOf(walkTree));
        const third = open();
        if (existsSync(join(root, 'a')) && statSync(join(root, 'a')).isDirectory())
          expect(await answerOf(through(third), {}, join(root, 'a'))).toEqual(
            await answerOf(walkTree, {}, join(root, 'a')),
          );
        expect(await answerOf(through(third))).toEqual(await answerOf(walkTree));
        await Promise.all([second.close(), third.close()]);
      }),
      { numRuns: 12 * RUNS, endOnFailure: true },
    );
  }, 60_000);

  it('keeps names of any bytes', async () => {
    const odd = decodeEscaped(Buffer.from([0x61, 0xff, 0x2e, 0x74]));
    for (const name of [odd, 'ü', '日本', 'a\tb', '𝒳']) put(`${name}/${name}.ts`, 'needle\n');
    await settle();
    const first = open();
    await learnAll(first);
    await first.close();
    const second = open();
    expect(await learnedBy(second)).toBe(0);
    expect(await answerOf(through(second))).toEqual(await answerOf(walkTree));
    expect(await candidates(second, 'nothing like it')).toEqual([]);
    expect(second.content.files).toBe(5);
  });

  it('rules out no file that holds the text, and none that changed', async () => {
    const text = fc.string({ minLength: 3, maxLength: 40 }).filter((one) => !/[\0\r\n]/u.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 4, maxLength: 12 }), fc.nat(), async (texts, chosen) => {
        rmSync(root, { recursive: true });
        rmSync(home, { recursive: true, force: true });
        for (const [at, one] of texts.entries()) put(`d${at % 3}/${at}`, `${one}\n`);
        await settle();
        const first = open();
        await learnAll(first);
        await first.close();
        const wanted = texts[chosen % texts.length]?.slice(0, 8) ?? '';
        put(`d0/0`, `now ${wanted} too\n`);
        put(`d1/new`, `${wanted}\n`);
        const second = open();
        const may = new Set(await candidates(second, wanted));
        const holders = texts.flatMap((one, at) => (at > 0 && one.includes(wanted) ? [`d${at % 3}/${at}`] : []));
        for (const holder of [...holders, 'd0/0', 'd1/new']) expect(may).toContain(holder);
        await second.close();
      }),
      { numRuns: 8 * RUNS },
    );
  }, 60_000);

  it('believes no file that is damaged, cut, of another start of the system or open to others', async () => {
    await storeSome();
    const whole = readFileSync(FILE());
    const check = async (bytes: Buffer, mode = 0o600): Promise<void> => {
      rmSync(FILE());
      writeFileSync(FILE(), bytes, { mode });
      chmodSync(FILE(), mode);
      const index = new SearchIndex({ folder: home });
      expect(await answerOf(through(index))).toEqual(await answerOf(walkTree));
      expect(await candidates(index, 'needle7x')).toContain('f2/g/7.ts');
      await index.close();
    };
    for (let at = 0; at < whole.length; at += 97) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      await check(flipped);
    }
    for (const length of [0, 7, 16, 40, whole.length >> 1, whole.length - 1]) await check(whole.subarray(0, length));
    await check(Buffer.concat([whole, Buffer.from('more')]));
    const reread = async (): Promise<number> => learnedBy(open());
    await check(whole);
    expect(await reread()).toBe(0);
    await check(whole, 0o666);
    expect(await reread()).toBeGreaterThan(0);
  }, 60_000);

  it('uses nothing from before the last start of the system', async () => {
    put('a/b.ts');
    await settle();
    const bootId = join(base, 'boot_id');
    const source = async (id: string): Promise<unknown> => {
      writeFileSync(bootId, id);
      return new SearchStore(home, bootId).treeSource(JSON.stringify([root, true, true]));
    };
    const tree = new TreeIndex();
    await answerOf((options) => tree.walk(options));
    writeFileSync(bootId, 'one\n');
    const contents = new ContentStore({ maxFiles: 1, maxBytes: 1, maxFingerprints: 1 });
    expect(await new SearchStore(home, bootId).save({ trees: tree.trees, contents }, () => true)).toBe(true);
    expect(await source('one\n')).toBeDefined();
    expect(await source('two\n')).toBeUndefined();
    expect(await new SearchStore(home, join(base, 'none')).save({ trees: tree.trees, contents }, () => true)).toBe(
      false,
    );
  });

  it('uses nothing of another project', async () => {
    await storeSome();
    const from = root;
    root = join(base, 'other');
    for (const name of ['f0', 'f1']) mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, 'f0', 'x'), 'x');
    expect(await answerOf(through(open()))).toEqual(await answerOf(walkTree));
    // The same folder under another name: its inodes and times are those of then.
    renameSync(from, join(base, 'moved'));
    root = join(base, 'moved');
    expect(await answerOf(through(open()))).toEqual(await answerOf(walkTree));
  });

  it('stores nothing of a small project, and nothing without a folder', async () => {
    put('a.ts');
    await settle();
    for (const index of [open({ minEntries: 3 }), new SearchIndex()]) {
      await learnAll(index);
      await index.close();
    }
    expect(readdirSync(base)).toEqual(['work']);
  });

  it('leaves a whole file when several store at once, and nothing beside it', async () => {
    await storeSome();
    const indexes = [1, 2, 3, 4].map(() => new SearchIndex({ folder: home, minEntries: 1 }));
    for (let at = 0; at < 40; at += 1) put(`more/${at}/a.ts`);
    await settle();
    for (const index of indexes) await learnAll(index);
    await Promise.all(indexes.map(async (index) => index.close()));
    expect(readdirSync(home)).toEqual(['index']);
    expect(await learnedBy(open())).toBe(0);
  });

  it('goes on with what nobody has looked at since it was stored', async () => {
    await storeSome();
    for (let at = 0; at < 30; at += 1) put(`f1/h${at}/a.ts`);
    await settle();
    const second = open();
    await answerOf(through(second), {}, join(root, 'f1'));
    await second.close();
    const third = open();
    expect(await learnedBy(third)).toBe(0);
    expect(await candidates(third, 'needle7x')).toContain('f2/g/7.ts');
    expect(third.content.files).toBe(20);
  });

  it('closes while it searches, learns or stores', async () => {
    for (let at = 0; at < 300; at += 1) put(`f${at}/a.ts`, `text ${at}\n`);
    await settle();
    for (const wait of [0, 1, 5, 20]) {
      const index = new SearchIndex({ folder: home, minEntries: 1 });
      index.content.learnLater(root, await piecesOf(index));
      const walking = answerOf(through(index));
      const preparing = index.prepare(root, [root], NEVER);
      await sleep(wait);
      await Promise.all([index.close(), index.close()]);
      await Promise.all([walking, preparing]);
    }
    expect(await answerOf(through(open()))).toEqual(await answerOf(walkTree));
  });

  it('stores nothing, and says nothing, where it cannot write', async () => {
    put('a/b.ts');
    await settle();
    writeFileSync(join(base, 'projects'), 'a file');
    const index = open();
    await answerOf(through(index));
    await expect(index.close()).resolves.toBeUndefined();
  });

  it('removes what was not used for sixty days, and nothing else', async () => {
    const days = (count: number): Date => new Date(Date.now() - count * 24 * 3600 * 1000);
    const places = [
      { name: 'projects/old/search/index', age: 61, stays: false },
      { name: 'projects/new/search/index', age: 59, stays: true },
      { name: 'projects/old/search/other', age: 99, stays: true },
      { name: 'projects/old/index', age: 99, stays: true },
      { name: 'projects/one/search/index-0123456789ab.tmp', age: 2, stays: false },
      { name: 'projects/one/search/index-ba9876543210.tmp', age: 0, stays: true },
    ];
    for (const { name, age } of places) {
      put(name, 'x', base);
      utimesSync(join(base, name), days(age), days(age));
    }
    await storeSome();
    for (const { name, stays } of places) expect([name, existsSync(join(base, name))]).toEqual([name, stays]);
  });
});

describe('SearchIndex.prepare', () => {
  it('has the tree known when a search comes', async () => {
    await storeSome();
    for (const index of [open(), open({ folder: undefined })]) {
      await index.prepare(root, [root], NEVER);
      expect(await learnedBy(index)).toBe(0);
    }
  });

  it('starts threads where there are files enough for them', async () => {
    put('few/a.ts');
    for (let at = 0; at < 500; at += 1) put(`many/f${at}.ts`);
    for (const [folder, state] of [
      ['few', 'cold'],
      ['many', 'warm'],
    ] as const) {
      const index = open();
      await index.prepare(join(root, folder), [root], NEVER);
      if (state === 'cold') await sleep(200);
      await vi.waitFor(() => expect(index.threads.state).toBe(state), { timeout: 10_000 });
    }
  });

  it('ends at once when a search runs, at the signal, and where there is nothing', async () => {
    put('a/b.ts');
    await settle();
    const index = open();
    index.content.hurry();
    await index.prepare(root, [root], NEVER);
    index.content.rest();
    await index.prepare(root, [root], AbortSignal.abort());
    await index.prepare(join(root, 'none'), [root], NEVER);
    expect(index.tree.entries).toBe(0);
  });
});
