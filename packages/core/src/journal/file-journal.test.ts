import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash, MISSING } from '../files/write-handle.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { Failure } from '../util/failure.js';
import { FileJournal } from './file-journal.js';
import type { StateChange, TransactionRequest } from './journal.js';
import { PathLocks } from './path-locks.js';

const STEPS = ['create', 'delete', 'draft', 'intent', 'keep', 'overwrite', 'replace', 'stage', 'sync', 'clear']
  .flatMap((step) => [`before ${step}`, `after ${step}`])
  .concat('locked', 'in folder', 'before done')
  .toSorted();

let workspace: TempWorkspace;
let data: TempWorkspace;

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  data = await createTempWorkspace({ 'tmp/': '' });
});

afterEach(async () => {
  await workspace.remove();
  await data.remove();
});

function journalOf(onStep?: (step: string) => void, home = data): FileJournal {
  const ignore = new IgnoreRules(QWEN_IGNORE, [workspace.root]);
  const gate = new WorkspaceGate({ roots: [workspace.root], tempDir: data.path('tmp'), ignore });
  return new FileJournal({ gate, folder: home.path('journal'), ...(onStep === undefined ? {} : { onStep }) });
}

/** All of a tree: content, mode, target of a link, number of names. */
function treeOf(folder: string, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[prefix + name] = `link to ${readlinkSync(path)}`;
    else if (stat.isDirectory())
      Object.assign(tree, { [`${prefix}${name}/`]: mode }, treeOf(path, `${prefix}${name}/`));
    else tree[prefix + name] = `${mode} ${stat.nlink} ${readFileSync(path, 'latin1')}`;
  }
  return tree;
}

function to(name: string, content: string | null, more: Partial<StateChange> = {}): StateChange {
  let expected: string = MISSING;
  try {
    expected = contentHash(readFileSync(workspace.path(name)));
  } catch {
    // It is to be made.
  }
  return { path: workspace.path(name), expected, content: content === null ? null : Buffer.from(content), ...more };
}

function request(...changes: StateChange[]): TransactionRequest {
  return { kind: 'change', changes };
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const thrown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof Failure) return thrown;
  throw new Error(`no failure but ${String(thrown)}`);
}

describe('FileJournal', () => {
  it('makes, changes and deletes files in one transaction, with the folders on the way', async () => {
    const journal = journalOf();
    const { entry, done } = await journal.commit(
      request(to('a.txt', 'ONE\n'), to('new/deep/c.txt', 'three\n'), to('sub/b.txt', null)),
    );
    const tree = treeOf(workspace.root);
    expect(tree).toEqual({
      'a.txt': '644 1 ONE\n',
      'new/': '755',
      'new/deep/': '755',
      'new/deep/c.txt': '644 1 three\n',
      'sub/': '755',
    });
    expect(entry.madeFolders).toEqual([workspace.path('new'), workspace.path('new/deep')]);
    expect(done.map(({ after, links }) => [after.kind, links])).toEqual([
      ['file', 1],
      ['file', 1],
      ['missing', 0],
    ]);
    expect(await journal.entries()).toEqual({ entries: [entry], problems: [] });
    expect(String(await journal.content(contentHash(Buffer.from('two\n'))))).toBe('two\n');
    expect(readdirSync(data.path('journal/pending'))).toEqual([]);
    expect(readdirSync(data.path('journal/locks'))).toEqual([]);
  });

  it('keeps what belongs to it from other users', async () => {
    await journalOf().commit(request(to('a.txt', 'ONE\n')));
    const open = Object.entries(treeOf(data.path('journal'))).filter(([, facts]) => !/^[67]00/.test(facts));
    expect(open).toEqual([]);
    expect(statSync(data.path('journal')).mode & 0o777).toBe(0o700);
  });

  it('changes nothing when one file is not what was expected', async () => {
    const before = treeOf(workspace.root);
    const changes = [to('new/c.txt', 'c'), to('a.txt', 'x'), { ...to('sub/b.txt', 'y'), expected: '0'.repeat(64) }];
    const { code, message } = await failureOf(journalOf().commit(request(...changes)));
    expect([code, message]).toEqual(['file_changed', expect.stringContaining('b.txt')]);
    const missing = { ...to('a.txt', 'x'), expected: MISSING };
    expect((await failureOf(journalOf().commit(request(missing)))).code).toBe('file_changed');
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('refuses two changes of one file, and a path that leads elsewhere by now', async () => {
    symlinkSync('a.txt', workspace.path('link'));
    const twice = await failureOf(journalOf().commit(request(to('a.txt', 'x'), to('link', 'y'))));
    expect(twice.message).toContain('the same file');
    const moved = to('link', 'x', { resolvedPath: workspace.path('sub/b.txt') });
    expect((await failureOf(journalOf().commit(request(moved)))).code).toBe('file_changed');
    expect(await workspace.read('a.txt')).toBe('one\n');
  });

  it('writes nothing down when nothing changes', async () => {
    const journal = journalOf();
    const { entry, done } = await journal.commit(request(to('a.txt', 'one\n')));
    expect([entry.changes, done.length]).toEqual([[], 1]);
    expect((await journal.entries()).entries).toEqual([]);
  });

  it('keeps modes, sets those that are asked for, and takes a change of the mode alone', async () => {
    chmodSync(workspace.path('a.txt'), 0o755);
    const journal = journalOf();
    await journal.commit(
      request(to('a.txt', 'x'), to('sub/b.txt', 'two\n', { mode: 0o600 }), to('c', 'c', { mode: 0o750 })),
    );
    expect(treeOf(workspace.root)).toMatchObject({ 'a.txt': '755 1 x', 'sub/b.txt': '600 1 two\n', c: '750 1 c' });
  });

  it('writes through links, and to all names of a file', async () => {
    symlinkSync(workspace.path('sub'), workspace.path('folder'));
    symlinkSync('folder/b.txt', workspace.path('link'));
    linkSync(workspace.path('a.txt'), workspace.path('sub/same'));
    const { done } = await journalOf().commit(request(to('link', 'x'), to('a.txt', 'longer than before')));
    expect(done.map(({ links }) => links)).toEqual([1, 2]);
    expect(treeOf(workspace.root)).toMatchObject({
      link: 'link to folder/b.txt',
      'sub/b.txt': '644 1 x',
      'a.txt': '644 2 longer than before',
      'sub/same': '644 2 longer than before',
    });
  });

  it.skipIf(process.platform !== 'linux' || !hasPython())('keeps extended attributes', async () => {
    const attribute = (code: string): string =>
      execFileSync('python3', ['-c', `import os\nf=${JSON.stringify(workspace.path('a.txt'))}\n${code}`]).toString();
    attribute("os.setxattr(f,'user.tenon',b'kept')");
    await journalOf().commit(request(to('a.txt', 'x')));
    expect(attribute("print(os.getxattr(f,'user.tenon'))")).toContain('kept');
    expect(await workspace.read('a.txt')).toBe('x');
  });

  it('removes the folders that an undone call had made, if they are empty', async () => {
    mkdirSync(workspace.path('sub/empty'));
    const emptyFolders = [workspace.path('sub/empty'), workspace.path('sub')];
    await journalOf().commit({ kind: 'undo', changes: [to('a.txt', 'x')], emptyFolders });
    expect(Object.keys(treeOf(workspace.root))).toEqual(['a.txt', 'sub/', 'sub/b.txt']);
  });

  it('leaves the tree as it was when any step fails', async () => {
    const changes = (): TransactionRequest =>
      request(
        to('a.txt', 'changed'),
        to('new/x/y.txt', 'y'),
        to('sub/b.txt', 'B'),
        to('c.txt', null),
        to('new/z', 'z'),
      );
    /** How it ends when it fails at a step for the nth time; undefined when the step is not met so often. */
    const failAt = async (step: string, nth: number): Promise<string | undefined> => {
      await workspace.remove();
      workspace = await createTempWorkspace({ 'a.txt': 'one', 'sub/b.txt': 'two', 'c.txt': 'c', 'd.txt': 'd' });
      linkSync(workspace.path('a.txt'), workspace.path('same'));
      const before = treeOf(workspace.root);
      const home = await createTempWorkspace({ 'journal/pending/': '' });
      let count = 0;
      const onStep = (met: string): void => {
        if (met === step && ++count === nth) throw new Failure('injected', step);
      };
      const outcome = await journalOf(onStep, home)
        .commit(changes())
        .then(
          () => 'done',
          (thrown: unknown) => (thrown instanceof Failure ? thrown.code : String(thrown)),
        );
      const pending = readdirSync(home.path('journal/pending'));
      await home.remove();
      if (count < nth) return undefined;
      // The new content, which is kept for a better undo, is not needed.
      if (outcome !== 'done' || !step.endsWith('keep'))
        expect([step, outcome, treeOf(workspace.root), pending]).toEqual([step, 'injected', before, []]);
      return outcome;
    };
    for (const step of STEPS) {
      const outcomes: string[] = [];
      for (
        let outcome = await failAt(step, 1);
        outcome !== undefined;
        outcome = await failAt(step, outcomes.length + 1)
      )
        outcomes.push(outcome);
      expect([step, outcomes.includes('injected')]).toEqual([step, true]);
    }
  });

  it('is undone by the inverse of what it did: content, mode, existence', async () => {
    const content = fc.oneof(fc.constant(null), fc.uint8Array({ maxLength: 40 }));
    const names = ['a.txt', 'sub/b.txt', 'sub/new', 'n/m/o'];
    const mode = fc.option(fc.constantFrom(0o600, 0o644, 0o755, 0o700), { nil: undefined });
    const step = fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), content, mode }), {
      selector: ({ name }) => name,
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(step, async (wanted) => {
        const journal = journalOf();
        const before = treeOf(workspace.root);
        const { entry } = await journal.commit(
          request(
            ...wanted.map(({ name, content: bytes, mode: bits }) => to(name, null, { content: bytes, mode: bits })),
          ),
        );
        const inverse = await Promise.all(
          entry.changes.map(async (change): Promise<StateChange> => {
            const expected = change.after.kind === 'file' ? change.after.hash : MISSING;
            if (change.before.kind === 'missing') return { path: change.path, expected, content: null };
            const bytes = await journal.content(change.before.hash);
            return { path: change.path, expected, content: bytes ?? null, mode: change.before.mode };
          }),
        );
        await journal.commit({ kind: 'undo', changes: inverse, emptyFolders: [...entry.madeFolders].reverse() });
        expect(treeOf(workspace.root)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });

  it('does not write over what somebody else wrote in between', async () => {
    const steps = ['before replace', 'after intent', 'after stage'];
    for (const at of steps) {
      const journal = journalOf((step) => {
        if (step === at) writeFileSync(workspace.path('a.txt'), `theirs at ${at}`);
      });
      const { code } = await failureOf(journal.commit(request(to('sub/b.txt', `mine ${at}`), to('a.txt', 'mine'))));
      expect(code).toBe('file_changed');
      expect(treeOf(workspace.root)).toEqual({
        'a.txt': `644 1 theirs at ${at}`,
        'sub/': '755',
        'sub/b.txt': '644 1 two\n',
      });
    }
    const appears = journalOf((step) => {
      if (step === 'before create') writeFileSync(workspace.path('new'), 'theirs');
    });
    expect((await failureOf(appears.commit(request(to('new', 'mine'))))).code).toBe('file_changed');
    expect(await workspace.read('new')).toBe('theirs');
  });

  it('takes one after the other when two change the same file, and neither is lost', async () => {
    const [one, two] = [journalOf(), journalOf()];
    const add = async (journal: FileJournal, line: string): Promise<void> => {
      for (;;) {
        const old = readFileSync(workspace.path('a.txt'), 'utf8');
        const change = to('a.txt', `${old}${line}\n`, { expected: contentHash(Buffer.from(old)) });
        const failure = await journal.commit(request(change)).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (failure === undefined) return;
        if (!(failure instanceof Failure) || failure.code !== 'file_changed') throw failure;
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].flatMap((n) => [add(one, `one ${n}`), add(two, `two ${n}`)]));
    expect((await workspace.read('a.txt')).split('\n')).toHaveLength(14);
  });

  it('waits for whoever changes the same file through another of its names', async () => {
    linkSync(workspace.path('a.txt'), workspace.path('same'));
    const { dev, ino } = statSync(workspace.path('a.txt'));
    const locks = new PathLocks(data.path('journal/locks'));
    let done = false;
    const work = await locks.holding([`inode ${dev}:${ino}`], async () => {
      const committing = journalOf()
        .commit(request(to('same', 'mine')))
        .finally(() => (done = true));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(done).toBe(false);
      return { committing };
    });
    await work.committing;
    expect(await workspace.read('a.txt')).toBe('mine');
  });

  it('refuses to change what its journal cannot keep, and says what to do', async () => {
    writeFileSync(data.path('journal'), 'a file, where the folder should be');
    const { message } = await failureOf(journalOf().commit(request(to('a.txt', 'x'))));
    expect(message).toMatch(/^Nothing was changed, because the journal.*TENON_HOME/s);
    expect(await workspace.read('a.txt')).toBe('one\n');
  });

  it('leaves out damaged entries and says so; damaged contents are not given', async () => {
    const journal = journalOf();
    const { entry } = await journal.commit(request(to('a.txt', 'x')));
    writeFileSync(data.path('journal/entries/0.json'), '{"version":1,"id":"0"');
    const { entries, problems } = await journalOf().entries();
    expect([entries, problems]).toEqual([[entry], [expect.stringContaining('0.json is damaged')]]);
    const hash = contentHash(Buffer.from('one\n'));
    writeFileSync(data.path(`journal/blobs/${hash.slice(0, 2)}/${hash}`), 'two\n');
    expect(await journal.content(hash)).toBeUndefined();
    // Kept again, it is mended.
    await journal.keep(Buffer.from('one\n'), true);
    expect(String(await journal.content(hash))).toBe('one\n');
  });

  it('gives ids that sort by time', () => {
    const journal = journalOf();
    const ids = Array.from({ length: 2000 }, () => journal.newId());
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(2000);
  });

  it('steals the locks of the dead, and waits for the living only so long', async () => {
    const locks = new PathLocks(data.path('locks'), 100);
    const other = new PathLocks(data.path('locks'), 100);
    await locks.holding(['/x'], async () => {
      const { code, message } = await failureOf(other.holding(['/x'], () => Promise.resolve()));
      expect([code, message]).toEqual(['file_busy', expect.stringContaining(String(process.pid))]);
      const [lock = ''] = readdirSync(data.path('locks')).filter((name) => name.endsWith('.lock'));
      renameSync(data.path(`locks/${lock}`), data.path('locks/kept'));
      const dead = JSON.stringify({ ...JSON.parse(readFileSync(data.path('locks/kept'), 'utf8')), start: '1' });
      writeFileSync(data.path(`locks/${lock}`), dead);
      expect(await other.holding(['/x'], () => Promise.resolve('mine'))).toBe('mine');
    });
    expect(readdirSync(data.path('locks'))).toEqual(['kept']);
  });
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import os; os.setxattr']);
    return true;
  } catch {
    return false;
  }
}
