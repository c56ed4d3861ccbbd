import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childProgram } from './bundle-child.js';
import { IgnoreRules } from '../packages/core/src/files/ignore-rules.js';
import { QWEN_IGNORE } from '../packages/core/src/files/ignore-stack.js';
import { WorkspaceGate } from '../packages/core/src/files/workspace-gate.js';
import { contentHash } from '../packages/core/src/files/write-handle.js';
import { FileJournal } from '../packages/core/src/journal/file-journal.js';
import type { StateChange } from '../packages/core/src/journal/journal.js';
import { Failure } from '../packages/core/src/util/failure.js';
import { treeOf } from './journal-trees.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;

const { base, child } = childProgram('journal-lines-child.ts');
let root: string;
let folder: string;
let temp: string;
let mounts: string[];

beforeEach(() => {
  const place = mkdtempSync(join(base, 'case-'));
  [root, folder, temp] = [join(place, 'ws'), join(place, 'journal'), join(place, 'temp')];
  mounts = [];
  for (const path of [root, folder, temp]) mkdirSync(path);
});

afterEach(() => {
  for (const path of mounts.reverse()) system('umount', path);
});

/** Says nothing when it fails but by throwing. */
function system(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

function mount(path: string, options: string): void {
  system('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path);
  mounts.push(path);
}

/** Needs root and the right to mount, which containers often lack: then the disks cannot be made full here. */
function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'tenon-mount-'));
  try {
    system('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path);
    system('umount', path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true });
  }
}

function canMakeImmutable(): boolean {
  const path = join(mkdtempSync(join(tmpdir(), 'tenon-immutable-')), 'file');
  try {
    writeFileSync(path, '');
    system('chattr', '+i', path);
    system('chattr', '-i', path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(join(path, '..'), { recursive: true });
  }
}

function journal(): FileJournal {
  const gate = new WorkspaceGate({ roots: [root], tempDir: temp, ignore: new IgnoreRules(QWEN_IGNORE, [root]) });
  return new FileJournal({ gate, folder });
}

function change(name: string, content: Uint8Array | string): StateChange {
  const path = join(root, name);
  let expected = 'missing';
  try {
    expected = contentHash(readFileSync(path));
  } catch {
    // It is to be made.
  }
  return { path, expected, content: typeof content === 'string' ? Buffer.from(content) : content };
}

async function failureOf(...changes: StateChange[]): Promise<Failure> {
  try {
    await journal().commit({ kind: 'change', changes });
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error('It went well.');
}

describe.skipIf(!canMount())('a disk that is full or may not be written to', () => {
  it('full: a typed error, the old content, no stray file, and room again afterwards', async () => {
    mount(root, 'size=1m');
    writeFileSync(join(root, 'a.txt'), 'old a');
    writeFileSync(join(root, 'b.txt'), 'old b');
    const [before, free] = [treeOf(root), statfsSync(root).bavail];
    const failure = await failureOf(
      change('a.txt', 'new a'),
      change('new/c', 'c'),
      change('b.txt', Buffer.alloc(2 * MIB)),
    );
    expect(failure.code).toBe('no_space_left');
    expect([treeOf(root), statfsSync(root).bavail]).toEqual([before, free]);
    await journal().commit({ kind: 'change', changes: [change('b.txt', 'small')] });
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('small');
  });

  it('full in the middle of a file with several names: they all have the old content', async () => {
    mount(root, 'size=1m');
    writeFileSync(join(root, 'a.txt'), 'old a');
    system('ln', join(root, 'a.txt'), join(root, 'same'));
    const before = treeOf(root);
    expect((await failureOf(change('a.txt', Buffer.alloc(2 * MIB, 'x')))).code).toBe('no_space_left');
    expect(treeOf(root)).toEqual(before);
  });

  it('the journal is on a full disk: refused, because it could not be undone, and it says what to do', async () => {
    mount(folder, 'size=1m');
    writeFileSync(join(root, 'a.txt'), Buffer.alloc(2 * MIB, 'old'));
    const before = treeOf(root);
    const { code, message } = await failureOf(change('a.txt', 'new'), change('b.txt', 'b'));
    expect([code, message]).toEqual(['no_space_left', expect.stringMatching(/^Nothing was changed.*Free some space/)]);
    expect(treeOf(root)).toEqual(before);
  });

  it('mounted read-only: a code of its own', async () => {
    mount(root, 'size=1m');
    writeFileSync(join(root, 'a.txt'), 'old');
    system('mount', '-o', 'remount,ro', root);
    expect((await failureOf(change('a.txt', 'new'))).code).toBe('read_only_file_system');
    expect((await failureOf(change('new', 'new'))).code).toBe('read_only_file_system');
    expect((await failureOf({ ...change('a.txt', ''), content: null })).code).toBe('read_only_file_system');
  });

  it('the journal is on a read-only disk: refused', async () => {
    mount(folder, 'size=1m,ro');
    const { code, message } = await failureOf(change('a.txt', 'new'));
    expect([code, message]).toEqual(['read_only_file_system', expect.stringContaining('TENON_HOME')]);
    expect(treeOf(root)).toEqual([]);
  });
});

describe('a file that resists', () => {
  it.skipIf(!canMakeImmutable())('immutable: permission denied, and the others stay as they were', async () => {
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(root, name), 'old');
    system('chattr', '+i', join(root, 'b.txt'));
    try {
      const before = treeOf(root);
      expect((await failureOf(change('a.txt', 'new'), change('b.txt', 'new'))).code).toBe('permission_denied');
      const gone = { ...change('b.txt', ''), content: null };
      expect((await failureOf(change('a.txt', 'new'), gone)).code).toBe('permission_denied');
      expect(treeOf(root)).toEqual(before);
    } finally {
      system('chattr', '-i', join(root, 'b.txt'));
    }
  });
});

describe('processes', () => {
  it('with too many open files get a typed error, and leave nothing behind', async () => {
    const outcomes = new Set<string>();
    for (let limit = 16; limit < 64; limit += 2) {
      const script = `ulimit -n ${limit}; exec "$0" "$@"`;
      const args = ['-c', script, process.execPath, child, 'files', root, folder, temp, 'x', '6'];
      const ended = await run('bash', args).then(
        ({ stdout }) => stdout.trim(),
        () => 'Node cannot start',
      );
      outcomes.add(ended.split(':')[0] ?? '');
      if (ended === 'done') break;
      expect(treeOf(root)).toEqual([]);
    }
    expect([...outcomes].toSorted()).toEqual(['Node cannot start', 'done', 'too_many_open_files']);
  });

  it('that edit one file at once lose no line', async () => {
    writeFileSync(join(root, 'shared.txt'), '');
    const lines = (name: string): Promise<unknown> =>
      run(process.execPath, [child, 'lines', root, folder, temp, name, '100']);
    await Promise.all([lines('one'), lines('two')]);
    const written = readFileSync(join(root, 'shared.txt'), 'utf8').trim().split('\n');
    const expected = ['one', 'two'].flatMap((name) => Array.from({ length: 100 }, (_, line) => `${name} ${line}`));
    expect(written.toSorted()).toEqual(expected.toSorted());
    const { entries } = await journal().entries();
    expect(entries).toHaveLength(200);
  });
});
