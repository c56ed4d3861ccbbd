import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandChanges } from '../files/file-changes.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { FileJournal } from './file-journal.js';
import type { JournalEntry } from './journal-entry.js';
import type { StateChange } from './journal.js';
import { CommandWatch, type CommandWatchOptions } from './watch-command.js';

const exec = promisify(execFile);

let workspace: TempWorkspace;
let temp: TempWorkspace;
let outside: TempWorkspace;
let root: string;
let gate: WorkspaceGate;
let journal: FileJournal;
let watch: CommandWatch;

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'a.txt': 'one\n', 'src/b.ts': 'two\n', 'src/deep/c.ts': 'three\n' });
  temp = await createTempWorkspace();
  outside = await createTempWorkspace({ 'secret.txt': 'secret' });
  root = workspace.root;
  gate = new WorkspaceGate({ roots: [root], tempDir: temp.root, ignore: new IgnoreRules(QWEN_IGNORE, [root]) });
  journal = new FileJournal({ gate, folder: outside.path('journal') });
  watch = newWatch();
});

afterEach(async () => {
  execFileSync('chmod', ['-R', 'u+rwx', root]);
  for (const folder of [workspace, temp, outside]) await folder.remove();
});

function newWatch(options: Partial<CommandWatchOptions> = {}): CommandWatch {
  return new CommandWatch({ gate, journal, folder: outside.path('watch'), ...options });
}

function bash(command: string): Promise<unknown> {
  return exec('bash', ['-c', command], { cwd: root });
}

/** Until what was written is older than the grain of the file system's clock. */
function rest(): Promise<void> {
  return sleep(120);
}

/** `M src/b.ts, A new.txt` in the order of the paths. */
function summary({ created, modified, deleted }: CommandChanges): string {
  const rows = [...created.map((path) => ['A', path]), ...modified.map((path) => ['M', path])];
  rows.push(...deleted.map((path) => ['D', path]));
  return rows
    .map(([kind = '', path = '']) => `${kind} ${path.slice(root.length + 1)}`)
    .sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
    .join(', ');
}

async function changesOf(command: string, by = watch): Promise<CommandChanges> {
  return (await by.watch(() => bash(command))).changes;
}

async function lastEntry(): Promise<JournalEntry | undefined> {
  return (await journal.entries()).entries.at(-1);
}

/** What a restore through the journal needs, from the entry alone. */
async function takeBack(entry: JournalEntry | undefined): Promise<void> {
  if (entry === undefined) return;
  const changes: StateChange[] = [];
  for (const { path, before, after } of entry.changes) {
    const expected = after.kind === 'missing' ? 'missing' : after.hash;
    if (before.kind === 'missing') changes.push({ path, expected, content: null });
    else {
      const content = await journal.content(before.hash);
      if (content === undefined) throw new Error(`The content of ${path} was not kept.`);
      changes.push({ path, expected, content, mode: before.mode });
    }
  }
  await journal.commit({ kind: 'undo', reverts: [entry.id], changes, emptyFolders: entry.madeFolders });
}

/** Path → mode and content of every file. */
function tree(folder = root): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) Object.assign(files, tree(path));
    else if (entry.isFile())
      files[path] = `${(statSync(path).mode & 0o7777).toString(8)} ${readFileSync(path, 'latin1')}`;
  }
  return files;
}

describe('what a command changed is found and can be taken back', () => {
  it.each([
    ['sed in place', 'sed -i s/two/2/ src/b.ts', 'M src/b.ts'],
    ['a move', 'mv a.txt z.txt', 'D a.txt, A z.txt'],
    ['the move of a folder', 'mv src lib', 'A lib/b.ts, A lib/deep/c.ts, D src/b.ts, D src/deep/c.ts'],
    ['a deleted folder', 'rm -r src', 'D src/b.ts, D src/deep/c.ts'],
    ['new files in new folders', 'mkdir -p n/m && echo x > n/m/y && : > n/empty', 'A n/empty, A n/m/y'],
    ['a mode', 'chmod +x a.txt', 'M a.txt'],
    ['an emptied file', ': > a.txt', 'M a.txt'],
    ['a rewrite of the same size', 'printf "ONE\\n" > a.txt', 'M a.txt'],
    ['a rewrite that hides its time', 'printf "ONE\\n" > a.txt && touch -d "2001-01-01 12:00" a.txt', 'M a.txt'],
    ['several at once', 'echo x >> a.txt; rm src/b.ts; echo y > "ü b"', 'M a.txt, D src/b.ts, A ü b'],
  ])('%s', async (_name, command, expected) => {
    const before = tree();
    const changes = await changesOf(command);
    expect(summary(changes)).toBe(expected);
    expect(changes.uncovered).toBeUndefined();
    const entry = await lastEntry();
    expect(entry).toMatchObject({ version: 1, kind: 'command', reverts: [] });
    await takeBack(entry);
    expect(tree()).toEqual(before);
  });

  it('writes down whose call it was and which folders it made', async () => {
    const call = { callId: 'c1', toolName: 'shell', title: 'make', agent: 'main', sessionId: 's', turn: 2 };
    await watch.watch(() => bash('mkdir -p n/m empty && echo x > n/m/y'), { ...call, stillShown: () => true });
    expect(await lastEntry()).toMatchObject({ call, madeFolders: [join(root, 'n'), join(root, 'n/m')] });
  });

  it('writes nothing down when nothing changed', async () => {
    const command = 'cat a.txt; touch a.txt; cp a.txt t && rm t; chmod +x src/b.ts && chmod -x src/b.ts';
    expect(await changesOf(command)).toEqual({ created: [], modified: [], deleted: [] });
    expect(await lastEntry()).toBeUndefined();
  });

  it('finds a file in place of a folder, and a folder in place of a file', async () => {
    const changes = await changesOf('rm -r src a.txt && echo x > src && mkdir a.txt && echo y > a.txt/z');
    expect(summary(changes)).toBe('D a.txt, A a.txt/z, A src, D src/b.ts, D src/deep/c.ts');
    expect((await lastEntry())?.changes.length).toBe(5);
  });

  it('tells what a command changed that failed', async () => {
    const failing = watch.watch(async () => {
      await bash('echo x > a.txt; exit 3');
    });
    await expect(failing).rejects.toThrow('Command failed');
    expect((await lastEntry())?.changes).toMatchObject([{ path: join(root, 'a.txt') }]);
  });

  it('does not give a command what was changed before it', async () => {
    await changesOf('true');
    writeFileSync(join(root, 'a.txt'), 'by hand\n');
    expect(summary(await changesOf('echo x > b.txt'))).toBe('A b.txt');
    expect(summary(await changesOf('echo y >> a.txt'))).toBe('M a.txt');
    await takeBack(await lastEntry());
    expect(await workspace.read('a.txt')).toBe('by hand\n');
  });

  it('finds rewrites of the same size within one tick of the clock', async () => {
    const file = join(root, 'a.txt');
    for (let round = 0; round < 30; round++) {
      const [first, second] = [`${round}`.padStart(4), `${round}`.padEnd(4)];
      writeFileSync(file, first);
      const { changes } = await watch.watch(async () => writeFileSync(file, second));
      expect([round, summary(changes)]).toEqual([round, first === second ? '' : 'M a.txt']);
    }
  });

  it('finds 5,000 new files and their removal', async () => {
    const patient = newWatch({ limits: { beforeMs: 60_000, afterMs: 60_000, keepMs: 60_000 } });
    const made = await changesOf('mkdir many && for i in $(seq 5000); do echo $i > many/$i; done', patient);
    expect([made.created.length, made.uncovered]).toEqual([5000, undefined]);
    const gone = await changesOf('rm -r many', patient);
    expect([gone.deleted.length, gone.uncovered]).toEqual([5000, undefined]);
    expect((await lastEntry())?.changes.length).toBe(5000);
  }, 120_000);

  it('is the identity when taken back, whatever was done', async () => {
    const file = fc.constantFrom('a.txt', 'src/b.ts', 'src/deep/c.ts', 'new/d', 'e');
    const step = fc.oneof(
      fc.tuple(file, fc.string({ maxLength: 6 })).map(([path, text]) => () => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }),
      file.map((path) => () => rmSync(join(root, path), { force: true })),
      fc.tuple(file, fc.constantFrom(0o600, 0o755)).map(([path, mode]) => () => {
        if (existsSync(join(root, path))) chmodSync(join(root, path), mode);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const before = tree();
        const entries = (await journal.entries()).entries.length;
        await watch.watch(async () => steps.forEach((one) => one()));
        if (JSON.stringify(tree()) === JSON.stringify(before))
          expect((await journal.entries()).entries.length).toBe(entries);
        else await takeBack(await lastEntry());
        expect(tree()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});

describe('what is not watched', () => {
  it('leaves ignored files and .git alone', async () => {
    await workspace.write({
      '.gitignore': 'out\n',
      '.qwenignore': 'keys\n',
      'out/x': 'x',
      'keys/k': 'k',
      '.git/x': '',
    });
    const changes = await changesOf('echo 1 > out/x; rm keys/k; echo 2 > .git/x; echo 3 > a.txt');
    expect(summary(changes)).toBe('M a.txt');
  });

  it('does not take for new what ignore rules had hidden', async () => {
    await workspace.write({ '.gitignore': 'out\n', 'out/x': 'x' });
    await rest();
    const changes = await changesOf('rm .gitignore; mv src lib; echo n > out/new');
    expect(summary(changes)).toBe('D .gitignore, A lib/b.ts, A lib/deep/c.ts, A out/new, D src/b.ts, D src/deep/c.ts');
    expect(changes.uncovered).toBe('Changes to 1 file that were or are hidden from view may have been missed.');
  });

  it('does not take for deleted what is ignored from now on', async () => {
    expect(summary(await changesOf('echo src > .gitignore; echo x >> src/b.ts'))).toBe('A .gitignore, M src/b.ts');
    expect(summary(await changesOf('echo y >> src/b.ts'))).toBe('');
  });

  it('tells of files whose names are no UTF-8', async () => {
    const odd = Buffer.concat([Buffer.from(`${root}/odd`), Buffer.from([0xff]), Buffer.from('.txt')]);
    writeFileSync(odd, 'x\n');
    const plain = await watch.watch(() => bash('echo x > plain'));
    expect(plain.changes.uncovered).toBeUndefined();
    const changed = await watch.watch(() => bash('echo more >> odd*'));
    expect(changed.changes.uncovered).toBe('Undo does not cover names that are not UTF-8 (odd\ufffd.txt).');
    const removed = await watch.watch(() => bash('rm odd*'));
    expect(removed.changes.uncovered).toContain('odd\ufffd.txt');
  });

  it('names links and never follows them', async () => {
    symlinkSync('a.txt', join(root, 'old'));
    const changes = await changesOf(
      `ln -s ${outside.root} new; ln -sfn src old; echo x >> ${outside.path('secret.txt')}`,
    );
    expect(summary(changes)).toBe('');
    expect(changes.uncovered).toBe('Undo does not cover symbolic links (new, old).');
    expect(await lastEntry()).toBeUndefined();
  });

  it('reads nothing outside when a folder becomes a link', async () => {
    await outside.write({ 'b.ts': 'theirs' });
    const changes = await changesOf(`rm -r src && ln -s ${outside.root} src`);
    expect(summary(changes)).toBe('D src/b.ts, D src/deep/c.ts');
    expect(changes.uncovered).toBe('Undo does not cover symbolic links (src).');
  });

  it('does not wait for FIFOs and takes them for no file', async () => {
    expect(summary(await changesOf('mkfifo pipe; rm a.txt; mkfifo a.txt'))).toBe('D a.txt');
    expect(lstatSync(join(root, 'a.txt')).isFIFO()).toBe(true);
  });

  it('names large files that cannot be restored', async () => {
    writeFileSync(join(root, 'big'), '');
    truncateSync(join(root, 'big'), 9 * 1024 * 1024);
    const changes = await changesOf('printf x >> big; echo y >> a.txt; head -c 9000000 /dev/zero > fresh');
    expect(summary(changes)).toBe('M a.txt, M big, A fresh');
    expect(changes.uncovered).toBe(
      'Undo does not cover big (its content was not kept: too large, unreadable or out of time).',
    );
    expect((await lastEntry())?.changes.map(({ path }) => path)).toEqual([join(root, 'a.txt'), join(root, 'fresh')]);
  });

  it('tells that the workspace holds too many files', async () => {
    for (let index = 0; index < 200; index++) writeFileSync(join(root, `f${index}`), '');
    const small = newWatch({ limits: { files: 64 } });
    const { uncovered } = await changesOf('echo x >> a.txt', small);
    expect(uncovered).toBe('Changes may have been missed, because the workspace holds too many files to look at.');
  });

  it('tells that the time did not suffice, and goes on with what it saw', async () => {
    await rest();
    const hasty = newWatch({ limits: { beforeMs: -1 } });
    const { uncovered, created } = await changesOf('echo x > fresh', hasty);
    expect([uncovered, created]).toEqual([
      'Changes may have been missed, because looking at the whole workspace takes too long.',
      [join(root, 'fresh')],
    ]);
    const slow = newWatch({ limits: { keepMs: -1 } });
    expect((await changesOf('rm fresh', slow)).uncovered).toContain('Undo does not cover fresh');
  });

  it('keeps no more than it may, and says what it did not keep', async () => {
    const small = newWatch({ limits: { keptBytes: 5 } });
    const { uncovered, modified } = await changesOf('echo x >> a.txt; echo y >> src/b.ts', small);
    expect(modified.length).toBe(2);
    expect(uncovered).toContain('Undo does not cover src/b.ts');
  });

  // Root may enter every folder.
  it.runIf(process.getuid?.() !== 0)('passes by folders it may not enter', async () => {
    chmodSync(join(root, 'src'), 0);
    await rest();
    const changes = await changesOf('chmod 755 src; echo x > a.txt; echo y > src/fresh');
    expect(summary(changes)).toBe('M a.txt, A src/fresh');
    const shut = await changesOf('chmod 0 src');
    expect(summary(shut)).toBe('');
    expect(shut.uncovered).toContain('hidden from view');
  });
});

describe('with git', () => {
  it('takes back the files of a checkout, and says that git stays', async () => {
    const git = 'git -c user.name=a -c user.email=a@b -c init.defaultBranch=main';
    await bash(`${git} init -q && ${git} add . && ${git} commit -qm one && ${git} checkout -qb other`);
    await bash(`echo other > a.txt && ${git} rm -q src/b.ts && echo new > n && ${git} add . && ${git} commit -qm two`);
    const before = tree();
    const changes = await changesOf('git checkout -q main');
    expect(summary(changes)).toBe('M a.txt, D n, A src/b.ts');
    expect(changes.uncovered).toBe("Undo leaves git's own state (commits, branches, stash) as it is.");
    await takeBack(await lastEntry());
    expect(tree()).toEqual(before);
    expect((await changesOf('git status')).uncovered).toBeUndefined();
  });
});

describe('what outlives the process', () => {
  const manifest = (): string => outside.path('watch/manifest.jsonl');
  const settle = (): void => {
    for (const file of Object.keys(tree())) utimesSync(file, new Date(2020, 1, 1, 1, 1, 1, 5), new Date(2020, 1, 1));
  };

  it('reads again only what changed', async () => {
    settle();
    await rest();
    await changesOf('true');
    const lines = readFileSync(manifest(), 'utf8').trim().split('\n');
    expect(lines.length).toBe(4);
    const packs = readdirSync(outside.path('watch')).length;
    expect(summary(await changesOf('echo x >> a.txt', newWatch()))).toBe('M a.txt');
    await takeBack(await lastEntry());
    expect(await workspace.read('a.txt')).toBe('one\n');
    expect(readdirSync(outside.path('watch')).length).toBe(packs + 1);
  });

  it.each([
    ['cut', () => truncateSync(manifest(), 200)],
    ['of another kind', () => writeFileSync(manifest(), 'nonsense\n'.repeat(10))],
    ['spoilt in the middle', () => writeFileSync(manifest(), readFileSync(manifest(), 'utf8').replaceAll('"', '\\'))],
    ['of other versions', () => appendFileSync(manifest(), `["x",1]\nnull\n{}\n["a",1,2,3,4,5,"q","../x",0,1]\n`)],
    ['a folder', () => [rmSync(manifest()), mkdirSync(manifest())]],
  ])('starts anew from a manifest that is %s', async (_name, damage) => {
    await rest();
    await changesOf('true');
    damage();
    expect(summary(await changesOf('echo x >> a.txt; rm src/b.ts', newWatch()))).toBe('M a.txt, D src/b.ts');
    expect((await lastEntry())?.changes.length).toBe(2);
  });

  it.each([
    ['deleted', (pack: string) => rmSync(pack)],
    ['cut', (pack: string) => truncateSync(pack, 1)],
  ])('reads again what lay in a pack that was %s', async (_name, damage) => {
    await rest();
    await changesOf('true');
    for (const name of readdirSync(outside.path('watch')))
      if (name.endsWith('.pack')) damage(outside.path(`watch/${name}`));
    for (const by of [watch, newWatch()]) {
      const changes = await changesOf('echo x >> a.txt', by);
      expect([summary(changes), changes.uncovered]).toEqual(['M a.txt', undefined]);
    }
  });

  it('never restores damaged content', async () => {
    await rest();
    await changesOf('true');
    for (const name of readdirSync(outside.path('watch'))) {
      const path = outside.path(`watch/${name}`);
      if (name.endsWith('.pack')) writeFileSync(path, 'x'.repeat(statSync(path).size));
    }
    const changes = await changesOf('echo x >> a.txt', newWatch());
    expect(changes.uncovered).toContain('Undo does not cover a.txt');
    expect(await lastEntry()).toBeUndefined();
  });

  it('is shared by two at once', async () => {
    const other = newWatch();
    for (let round = 0; round < 5; round++) {
      const [one, two] = await Promise.all([
        changesOf(`echo ${round} >> a.txt`),
        changesOf(`echo ${round} >> src/b.ts`, other),
      ]);
      expect([one.modified, two.modified].flat().length).toBeGreaterThan(0);
    }
    expect(summary(await changesOf('rm a.txt', newWatch()))).toBe('D a.txt');
  });
});

describe('commands that overlap', () => {
  it('has each change in one entry only', async () => {
    await watch.watch(async () => {
      await bash('echo x > one');
      await watch.watch(() => bash('echo y > two'));
      await bash('echo z > three');
    });
    const { entries } = await journal.entries();
    const names = entries.map(({ changes }) => changes.map(({ path }) => path.slice(root.length + 1)));
    expect(names).toEqual([['two'], ['one', 'three']]);
  });

  it('tells that a journal that cannot be written does not cover it', async () => {
    const record = (): Promise<void> => Promise.reject(new Error('no space left'));
    const broken = newWatch({
      journal: {
        keep: async () => '',
        record,
        newId: () => 'x',
        content: async () => undefined,
        entriesAfter: async () => [],
      },
    });
    const changes = await changesOf('echo x > a.txt', broken);
    expect(changes).toMatchObject({
      modified: [join(root, 'a.txt')],
      uncovered: 'Undo does not cover this command, because the journal could not be written (no space left).',
    });
  });
});
