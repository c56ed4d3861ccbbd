import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash } from '../files/write-handle.js';
import { FileJournal } from './file-journal.js';
import type { FileState, JournalChange } from './journal-entry.js';
import type { Journal } from './journal.js';
import { createUndo, type RevertReport, type Undo } from './undo.js';

type Tree = Readonly<Record<string, { readonly text: string; readonly mode: number }>>;
type Wish = string | Uint8Array | null | { readonly text: string; readonly mode: number };

interface World {
  readonly folder: string;
  readonly root: string;
  readonly journal: Journal;
  readonly undo: Undo;
  readonly at: (name: string) => string;
  /** A call of an agent. */
  readonly change: (wishes: Readonly<Record<string, Wish>>, turn?: number) => Promise<string>;
  /** A command that was watched. */
  readonly command: (names: readonly string[], run: () => Promise<void>) => Promise<void>;
  readonly tree: () => Promise<Tree>;
  readonly write: (name: string, text: string | Uint8Array) => Promise<void>;
}

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

function makeWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-undo-')));
  folders.push(folder);
  const root = join(folder, 'work');
  mkdirSync(root);
  mkdirSync(join(folder, 'temp'));
  const gate = new WorkspaceGate({
    roots: [root],
    tempDir: join(folder, 'temp'),
    ignore: new IgnoreRules(QWEN_IGNORE, [root]),
  });
  const journal = new FileJournal({ gate, folder: join(folder, 'journal') });
  const at = (name: string): string => join(root, name);
  let calls = 0;
  const nextCall = (
    turn: number,
  ): { callId: string; toolName: string; title: string; sessionId: string; turn: number } => {
    calls += 1;
    return { callId: `call_${calls}`, toolName: 'edit', title: `call ${calls}`, sessionId: 's', turn };
  };
  return {
    folder,
    root,
    journal,
    undo: createUndo({ journal, gate }),
    at,
    change: async (wishes, turn = 1) => {
      const changes = await Promise.all(
        Object.entries(wishes).map(async ([name, wish]) => {
          const plain = typeof wish === 'string' || wish instanceof Uint8Array || wish === null;
          const content = wish === null ? null : Buffer.from(plain ? wish : wish.text);
          const expected = contentHash(await readIfThere(at(name)));
          return { path: at(name), expected, content, ...(plain ? {} : { mode: wish.mode }) };
        }),
      );
      const { entry } = await journal.commit({ kind: 'change', call: nextCall(turn), changes });
      return entry.id;
    },
    command: async (names, run) => {
      const states = (): Promise<FileState[]> => Promise.all(names.map((name) => stateOf(journal, at(name))));
      const before = await states();
      await run();
      const after = await states();
      const changes = names.flatMap((name, index): JournalChange[] => {
        const [was, is] = [before[index], after[index]];
        return was === undefined || is === undefined ? [] : [{ path: at(name), before: was, after: is }];
      });
      const head = { version: 1, id: journal.newId(), time: new Date().toISOString(), kind: 'command' } as const;
      await journal.record({ ...head, call: nextCall(1), reverts: [], changes, madeFolders: [] });
    },
    tree: () => readTree(root),
    write: async (name, text) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), text);
    },
  };
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch {
    return null;
  }
}

async function stateOf(journal: Journal, path: string): Promise<FileState> {
  const bytes = await readIfThere(path);
  if (bytes === null) return { kind: 'missing' };
  const hash = await journal.keep(bytes, false);
  return { kind: 'file', hash, bytes: bytes.length, mode: (await stat(path)).mode & 0o7777 };
}

async function readTree(root: string): Promise<Tree> {
  const tree: Record<string, { text: string; mode: number }> = {};
  for (const found of await readdir(root, { withFileTypes: true, recursive: true })) {
    const path = join(found.parentPath, found.name);
    if (!found.isFile()) continue;
    tree[relative(root, path)] = { text: await readFile(path, 'latin1'), mode: (await lstat(path)).mode & 0o7777 };
  }
  return tree;
}

const outcomes = (report: RevertReport, root: string): Record<string, string> =>
  Object.fromEntries(report.files.map(({ path, result }) => [relative(root, path), result]));

describe('undo', () => {
  it('restores content, mode and existence, and redo does it again', async () => {
    const world = makeWorld();
    await world.write('a.txt', 'one\ntwo\n');
    await world.write('gone.txt', 'old\n');
    await chmod(world.at('a.txt'), 0o755);
    const before = await world.tree();
    await world.change({ 'a.txt': { text: 'one\nTWO\n', mode: 0o700 }, 'gone.txt': null, 'new/deep/b.txt': 'b\n' });
    const after = await world.tree();
    const report = await world.undo.undo({ last: 1 });
    expect(report).toMatchObject({ kind: 'undo', complete: true, calls: [{ callId: 'call_1', title: 'call 1' }] });
    expect(outcomes(report, world.root)).toEqual({
      'a.txt': 'restored',
      'gone.txt': 'recreated',
      'new/deep/b.txt': 'deleted',
    });
    expect(await world.tree()).toEqual(before);
    expect((await world.undo.redo()).complete).toBe(true);
    expect(await world.tree()).toEqual(after);
    await world.undo.undo({ id: 'call_1' });
    expect(await world.tree()).toEqual(before);
  });

  it('removes the folders that the call had made, once they are empty', async () => {
    const world = makeWorld();
    await world.change({ 'new/deep/b.txt': 'b\n', 'kept/c.txt': 'c\n' });
    await world.write('kept/mine.txt', 'mine\n');
    await world.undo.undo({ last: 1 });
    await expect(stat(world.at('new'))).rejects.toThrow('ENOENT');
    expect(await world.tree()).toMatchObject({ 'kept/mine.txt': { text: 'mine\n' } });
  });

  it('takes back what a command changed, modes too', async () => {
    const world = makeWorld();
    await world.write('run.sh', 'echo\n');
    await world.command(['run.sh', 'made.txt'], async () => {
      await chmod(world.at('run.sh'), 0o755);
      await world.write('made.txt', 'x');
    });
    expect(outcomes(await world.undo.undo({ last: 1 }), world.root)).toEqual({
      'made.txt': 'deleted',
      'run.sh': 'restored',
    });
    expect((await stat(world.at('run.sh'))).mode & 0o777).not.toBe(0o755);
  });

  it('keeps the mode that somebody else gave', async () => {
    const world = makeWorld();
    await world.write('run.sh', 'one\n');
    await world.change({ 'run.sh': 'two\n' });
    await chmod(world.at('run.sh'), 0o711);
    await world.undo.undo({ last: 1 });
    expect(await world.tree()).toEqual({ 'run.sh': { text: 'one\n', mode: 0o711 } });
  });

  it('merges around what somebody else changed elsewhere in the file', async () => {
    const world = makeWorld();
    await world.write('a.txt', '1\n2\n3\n4\n5\n');
    await world.change({ 'a.txt': '1\nTWO\n3\n4\n5\n' });
    await world.write('a.txt', '1\nTWO\n3\n4\n5\nmine\n');
    expect(outcomes(await world.undo.undo({ last: 1 }), world.root)).toEqual({ 'a.txt': 'merged' });
    expect(await readFile(world.at('a.txt'), 'utf8')).toBe('1\n2\n3\n4\n5\nmine\n');
    await world.undo.redo();
    expect(await readFile(world.at('a.txt'), 'utf8')).toBe('1\nTWO\n3\n4\n5\nmine\n');
  });

  it('undoes an earlier call and leaves a later one in the same file', async () => {
    const world = makeWorld();
    await world.write('a.txt', '1\n2\n3\n4\n5\n');
    await world.change({ 'a.txt': 'ONE\n2\n3\n4\n5\n' });
    await world.change({ 'a.txt': 'ONE\n2\n3\n4\nFIVE\n' });
    await world.undo.undo({ id: 'call_1' });
    expect(await readFile(world.at('a.txt'), 'utf8')).toBe('1\n2\n3\n4\nFIVE\n');
    await world.undo.undo({ id: 'call_2' });
    expect(await readFile(world.at('a.txt'), 'utf8')).toBe('1\n2\n3\n4\n5\n');
  });

  it('leaves a file alone where the same lines changed, says which, and does the others', async () => {
    const world = makeWorld();
    await world.write('a.txt', '1\n2\n3\n');
    await world.write('b.txt', 'b\n');
    await world.change({ 'a.txt': '1\nTWO\n3\n', 'b.txt': 'B\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
    await world.write('a.txt', '1\nTWO!\n3\n');
    await world.write('c.txt', 'c\nmine\n');
    await rm(world.at('d.txt'));
    const report = await world.undo.undo({ last: 1 });
    expect(report.complete).toBe(false);
    expect(report.files.map(({ result, reason, lines }) => [result, reason, lines])).toEqual([
      ['left', 'the same lines were changed since', [{ first: 2, last: 2 }]],
      ['restored', undefined, undefined],
      ['left', 'the call made it, and it was changed since', undefined],
      ['unchanged', undefined, undefined],
    ]);
    expect(Object.values(await world.tree()).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['1\nTWO!\n3\n', 'b\n', 'c\nmine\n']),
    );
  });

  it('writes nothing down when every file was left alone: the call still stands', async () => {
    const world = makeWorld();
    await world.change({ 'a.txt': 'a\n' });
    await world.write('a.txt', 'mine\n');
    const report = await world.undo.undo({ last: 1 });
    expect(report).toMatchObject({ complete: false });
    expect(report.entryId).toBeUndefined();
    await expect(world.undo.redo()).rejects.toThrow('There is nothing to redo');
    await world.write('a.txt', 'a\n');
    expect((await world.undo.undo({ last: 1 })).complete).toBe(true);
    expect(await world.tree()).toEqual({});
  });

  it('does not follow a link that was put there since, nor touch what became ignored, a folder, a FIFO', async () => {
    const world = makeWorld();
    await world.write('other/a.txt', 'a\n');
    await world.write('a.txt', '1\n');
    await world.change({ 'a.txt': 'a\n', 'dir/b.txt': 'b\n', 'ignored.txt': 'i\n', 'c.txt': 'c\n' });
    await unlink(world.at('a.txt'));
    await symlink('other/a.txt', world.at('a.txt'));
    await rename(world.at('dir'), world.at('moved'));
    await symlink('moved', world.at('dir'));
    await world.write('.qwenignore', 'ignored.txt\n');
    await rm(world.at('c.txt'));
    await mkdir(world.at('c.txt'));
    const report = await world.undo.undo({ last: 1 });
    expect(report.files.map(({ result, reason }) => [result, reason])).toEqual([
      ['left', 'a link leads elsewhere there by now'],
      ['left', 'a folder is there by now'],
      ['left', 'a link leads elsewhere there by now'],
      ['left', 'an ignore file keeps Tenon from touching it; take its rule out, then try again'],
    ]);
    expect(await readFile(world.at('other/a.txt'), 'utf8')).toBe('a\n');
    expect(await readFile(world.at('moved/b.txt'), 'utf8')).toBe('b\n');
  });

  it('undoes a turn, and back to a point', async () => {
    const world = makeWorld();
    const states = [await world.tree()];
    for (const [index, turn] of [1, 2, 2, 2].entries()) {
      await world.change({ 'a.txt': `${index}\n`, [`f${index}.txt`]: 'x\n' }, turn);
      states.push(await world.tree());
    }
    await world.undo.undo({ lastTurn: true });
    expect(await world.tree()).toEqual(states[1]);
    await world.undo.redo();
    expect(await world.tree()).toEqual(states[4]);
    await world.undo.undo({ after: 'call_2' });
    expect(await world.tree()).toEqual(states[2]);
    await world.undo.undo({ last: 2 });
    expect(await world.tree()).toEqual(states[0]);
    await expect(world.undo.undo({ id: 'call_2' })).rejects.toMatchObject({ code: 'already_undone' });
    await expect(world.undo.undo({ last: 1 })).rejects.toMatchObject({ code: 'nothing_to_undo' });
  });

  it('says beforehand what it would do, and does nothing', async () => {
    const world = makeWorld();
    await world.change({ 'a.txt': 'a\n' });
    const before = await world.tree();
    const report = await world.undo.undo({ last: 1 }, { dryRun: true });
    expect(outcomes(report, world.root)).toEqual({ 'a.txt': 'deleted' });
    expect(await world.tree()).toEqual(before);
    expect((await world.undo.log()).calls).toHaveLength(1);
  });

  it('restores bytes that are no text, and reports what is no longer kept', async () => {
    const world = makeWorld();
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    await world.write('a.bin', bytes);
    await world.write('b.bin', Uint8Array.of(0, 1, 2));
    await world.change({ 'a.bin': 'text\n', 'b.bin': Uint8Array.of(0, 9) });
    await world.write('b.bin', Uint8Array.of(0, 9, 9));
    const report = await world.undo.undo({ last: 1 });
    expect(report.files.map(({ result, reason }) => [result, reason])).toEqual([
      ['restored', undefined],
      ['left', 'it was changed since, and cannot be merged: it is not a text file'],
    ]);
    expect(new Uint8Array(await readFile(world.at('a.bin')))).toEqual(bytes);
    await rm(join(world.folder, 'journal', 'blobs'), { recursive: true });
    expect((await world.undo.redo()).files).toMatchObject([
      { result: 'left', reason: 'its earlier content is not kept' },
    ]);
  });

  it('looks again when a file changes while it is undone', async () => {
    const world = makeWorld();
    await world.write('a.txt', '1\n2\n3\n4\n');
    await world.change({ 'a.txt': 'ONE\n2\n3\n4\n' });
    let times = 0;
    const racing: Journal = {
      entries: () => world.journal.entries(),
      content: (hash) => world.journal.content(hash),
      keep: (bytes, durable) => world.journal.keep(bytes, durable),
      record: (entry) => world.journal.record(entry),
      newId: () => world.journal.newId(),
      commit: async (request) => {
        times += 1;
        if (times === 1) await world.write('a.txt', 'ONE\n2\n3\n4\nmine\n');
        return world.journal.commit(request);
      },
    };
    const gate = new WorkspaceGate({
      roots: [world.root],
      tempDir: join(world.folder, 'temp'),
      ignore: new IgnoreRules(QWEN_IGNORE, [world.root]),
    });
    const report = await createUndo({ journal: racing, gate }).undo({ last: 1 });
    expect(outcomes(report, world.root)).toEqual({ 'a.txt': 'merged' });
    expect(await readFile(world.at('a.txt'), 'utf8')).toBe('1\n2\n3\n4\nmine\n');
  });
});

describe('log and diff', () => {
  it('lists calls, the last first, with what they changed and whether it stands', async () => {
    const world = makeWorld();
    await world.write('a.txt', '1\n2\n3\n');
    await world.change({ 'a.txt': '1\nTWO\n3\nfour\n' });
    await world.change({ 'a.txt': null, 'b.txt': 'b\n' }, 2);
    await world.undo.undo({ last: 1 });
    const { calls, more } = await world.undo.log({ limit: 9 });
    expect(more).toBe(0);
    expect(calls).toMatchObject([
      { kind: 'undo', undone: false, calls: [calls[1]?.id] },
      {
        kind: 'change',
        undone: true,
        turn: 2,
        files: [
          { name: 'a.txt', change: 'deleted', removed: 4 },
          { name: 'b.txt', change: 'created', added: 1 },
        ],
      },
      { number: 1, undone: false, files: [{ name: 'a.txt', change: 'modified', added: 2, removed: 1 }] },
    ]);
    expect(calls[1]?.number).toBeUndefined();
    expect((await world.undo.log({ limit: 1 })).more).toBe(2);
  });

  it('shows what calls changed as a diff, and which files are not what they left', async () => {
    const world = makeWorld();
    await world.write('a.txt', '1\n2\n');
    await world.change({ 'a.txt': '1\nTWO\n', 'é b.txt': 'b' });
    await world.change({ 'a.txt': '1\nTWO\n3\n', 'z.bin': Uint8Array.of(0, 1) });
    await world.write('a.txt', 'other\n');
    const one = await world.undo.diff({ last: 1 });
    expect(one.files).toMatchObject([
      { name: 'a.txt', changedSince: true, diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n 1\n TWO\n+3\n' },
      { name: 'z.bin', changedSince: false, note: 'not a text file, 0 → 2 bytes' },
    ]);
    const both = await world.undo.diff({ last: 2 });
    expect(both.files[0]?.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n 1\n-2\n+TWO\n+3\n');
    expect(both.files[2]?.diff).toContain('--- /dev/null\n');
    expect((await world.undo.diff({ id: 'call_1' })).files).toHaveLength(2);
  });
});

const NAMES = ['a.txt', 'b.txt', 'sub/c.txt', 'new/deep/d.txt'];
const LINES = fc.array(fc.constantFrom('x\n', 'y\r\n', '\n', 'z\n', 'w'), { maxLength: 6 });
const name = fc.constantFrom(...NAMES);

type Op =
  | { readonly op: 'call'; readonly files: readonly (readonly [string, readonly string[] | null, number])[] }
  | { readonly op: 'undo'; readonly count: number }
  | { readonly op: 'one'; readonly index: number }
  | { readonly op: 'redo' }
  | { readonly op: 'person'; readonly name: string; readonly what: 'top' | 'end' | 'delete' | 'mode' };

const callOp: fc.Arbitrary<Op> = fc.record({
  op: fc.constant('call' as const),
  files: fc.uniqueArray(fc.tuple(name, fc.option(LINES, { freq: 4 }), fc.constantFrom(0o644, 0o600, 0o755)), {
    minLength: 1,
    maxLength: 3,
    selector: ([file]) => file,
  }),
});
const undoOp: fc.Arbitrary<Op> = fc.record({ op: fc.constant('undo' as const), count: fc.integer({ min: 1, max: 3 }) });
const oneOp: fc.Arbitrary<Op> = fc.record({ op: fc.constant('one' as const), index: fc.nat(5) });
const redoOp: fc.Arbitrary<Op> = fc.constant({ op: 'redo' });
const personOp: fc.Arbitrary<Op> = fc.record({
  op: fc.constant('person' as const),
  name,
  what: fc.constantFrom('top', 'top', 'end', 'end', 'delete', 'mode' as const),
});

const PERSON = /person \d+/g;

/** The agent's new text of a file: it leaves a person's lines where they are, and only those. */
function rewrite(old: string, lines: readonly string[]): string {
  const kept = old.match(/[^\n]*\n|[^\n]+$/g)?.filter((line) => line.startsWith('person')) ?? [];
  return [...kept.map((line) => (line.endsWith('\n') ? line : `${line}\n`)), ...lines].join('');
}

async function perform(world: World, op: Op, serial: number): Promise<void> {
  if (op.op === 'undo') await quietly(world.undo.undo({ last: op.count }));
  else if (op.op === 'redo') await quietly(world.undo.redo());
  else if (op.op === 'one') {
    const { calls } = await world.undo.log();
    const standing = calls.filter(({ number }) => number !== undefined);
    const picked = standing[op.index % Math.max(1, standing.length)];
    if (picked !== undefined) await world.undo.undo({ id: picked.id });
  } else if (op.op === 'call') {
    const wishes: Record<string, Wish> = {};
    for (const [file, lines, mode] of op.files) {
      const old = (await readIfThere(world.at(file)))?.toString() ?? null;
      if (lines !== null) wishes[file] = { text: rewrite(old ?? '', lines), mode };
      else if (old !== null && !old.includes('person')) wishes[file] = null;
    }
    if (Object.keys(wishes).length > 0) await world.change(wishes);
  } else {
    const old = (await readIfThere(world.at(op.name)))?.toString();
    if (op.what === 'top') await world.write(op.name, `person ${serial}\n${old ?? ''}`);
    else if (op.what === 'end') await world.write(op.name, `${old ?? ''}\nperson ${serial}`);
    else if (old !== undefined && op.what === 'delete') await unlink(world.at(op.name));
    else if (old !== undefined) await chmod(world.at(op.name), 0o640);
  }
}

async function quietly(reverted: Promise<unknown>): Promise<void> {
  try {
    await reverted;
  } catch (thrown) {
    if (!(thrown instanceof Error) || !/There is nothing to/.test(thrown.message)) throw thrown;
  }
}

const personLines = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([file, { text }]) => (text.match(PERSON) ?? []).map((line) => `${file}: ${line}`));

describe('laws', () => {
  const limits = { numRuns: 40, interruptAfterTimeLimit: 20_000 };

  it('undo after do is identity, and redo after undo, in any order (property)', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(callOp, undoOp, redoOp), { maxLength: 10 }), async (ops) => {
        const world = makeWorld();
        await world.write('a.txt', 'x\ny\r\n');
        // Trees before the calls that stand; those that an undo went away from, which a new call gives up.
        let standing: Tree[] = [];
        let undone: { readonly standing: Tree[]; readonly tree: Tree }[] = [];
        for (const [serial, op] of ops.entries()) {
          const before = await world.tree();
          if (op.op === 'redo' && undone.length === 0) continue;
          const calls = (await world.undo.log()).calls.length;
          await perform(world, op, serial);
          const now = await world.tree();
          if (op.op === 'call') {
            if ((await world.undo.log()).calls.length === calls) continue;
            standing = [...standing, before];
            undone = [];
          } else if (op.op === 'undo') {
            const target = standing.at(-op.count) ?? standing[0];
            expect(now).toEqual(target ?? before);
            if (target === undefined) continue;
            undone.push({ standing, tree: before });
            standing = standing.slice(0, Math.max(0, standing.length - op.count));
          } else {
            const last = undone.pop();
            expect(now).toEqual(last?.tree);
            standing = last?.standing ?? standing;
          }
        }
      }),
      limits,
    );
  });

  it(
    'no line of a person is lost, no file that no call changed is touched (property)',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(callOp, callOp, undoOp, oneOp, redoOp, personOp, personOp), { maxLength: 12 }),
          async (ops) => {
            const world = makeWorld();
            await world.write('a.txt', 'x\ny\r\nz\nx\n');
            await world.write('b.txt', 'one\ntwo\nthree\nfour\nfive\n');
            await world.write('mine.txt', 'person 999\n');
            await chmod(world.at('mine.txt'), 0o640);
            for (const [serial, op] of ops.entries()) {
              const before = personLines(await world.tree());
              await perform(world, op, serial);
              if (op.op === 'person') continue;
              const after = personLines(await world.tree());
              expect(before.filter((line) => !after.includes(line))).toEqual([]);
              expect(await world.tree()).toMatchObject({ 'mine.txt': { text: 'person 999\n', mode: 0o640 } });
            }
          },
        ),
        limits,
      );
    },
  );
});
