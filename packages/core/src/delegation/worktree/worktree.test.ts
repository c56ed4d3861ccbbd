import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FileJournal } from '../../journal/file-journal.js';
import { ownMark, type ProcessMark } from '../../journal/process-mark.js';
import { createUndo } from '../../journal/undo.js';
import { ApprovalMode } from '../../policy/approval-mode.js';
import { createWorktreeBench, type BenchOptions, type WorktreeBench } from '../../testing/worktree-bench.js';
import { ToolConfirmationOutcome } from '../../tools/confirmation.js';
import type { Worktree } from './worktree.js';
import { passingFolder } from './worktree-record.js';

const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
let bench: WorktreeBench;
afterEach(async () => bench.remove());

const start = async (options: BenchOptions = {}): Promise<WorktreeBench> =>
  (bench = await createWorktreeBench(options));
const text = (worktree: Worktree, path: string): string => readFileSync(join(worktree.folder, path), 'utf8');
const put = (worktree: Worktree, path: string, content: string | Uint8Array): void =>
  writeFileSync(join(worktree.folder, path), content);
const gone = { trees: [], records: [], known: [] };

describe('a worktree', () => {
  it('begins with what the person sees: what is committed, changed, staged, deleted and new, but not what git ignores', async () => {
    await start({
      entries: {
        'a.txt': 'one\n',
        'b.txt': 'b\n',
        'c.txt': 'c\n',
        'run.sh': '#!/bin/sh\n',
        '.gitignore': 'out/\n',
        'd/e.txt': 'e\n',
      },
    });
    const { workspace } = bench.at;
    await workspace.write({
      'a.txt': 'one\ntwo\n',
      'new.txt': 'new\n',
      'out/x.js': 'x',
      'crlf.txt': 'a\r\nb\r\n',
      'bin.dat': Buffer.from([0, 255, 1]),
      link: { linkTo: 'a.txt' },
    });
    chmodSync(workspace.path('run.sh'), 0o755);
    rmSync(workspace.path('b.txt'));
    await workspace.write({ 'c.txt': 'staged\n' });
    bench.git(['add', 'c.txt']);
    const worktree = await bench.open();
    expect(worktree.roots).toEqual([worktree.folder]);
    expect([
      text(worktree, 'a.txt'),
      text(worktree, 'new.txt'),
      text(worktree, 'crlf.txt'),
      text(worktree, 'd/e.txt'),
    ]).toEqual(['one\ntwo\n', 'new\n', 'a\r\nb\r\n', 'e\n']);
    expect(readFileSync(join(worktree.folder, 'bin.dat'))).toEqual(Buffer.from([0, 255, 1]));
    expect(statSync(join(worktree.folder, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(worktree.folder, 'link')).isSymbolicLink()).toBe(true);
    expect([existsSync(join(worktree.folder, 'b.txt')), existsSync(join(worktree.folder, 'out'))]).toEqual([
      false,
      false,
    ]);
    expect(bench.git(['status', '--porcelain'], worktree.folder)).toBe(bench.git(['status', '--porcelain']));
    expect(bench.git(['rev-parse', 'HEAD'], worktree.folder)).toBe(bench.git(['rev-parse', 'HEAD']));
    expect(worktree.note).toContain(workspace.root);
    expect(await bench.finish(worktree)).toEqual({ changed: [], state: 'unchanged' });
    expect([bench.left(), bench.events, bench.person.requests]).toEqual([gone, [], []]);
    expect(bench.git(['worktree', 'list']).trim().split('\n')).toHaveLength(1);
  });

  it('goes with folders in it that nobody may write to, or look into', async () => {
    await start({ entries: { 'a.txt': 'a\n', '.gitignore': 'cache/\n' } });
    const worktree = await bench.open();
    mkdirSync(join(worktree.folder, 'cache/module'), { recursive: true });
    put(worktree, 'cache/module/x.go', 'x\n');
    chmodSync(join(worktree.folder, 'cache/module'), 0o100);
    chmodSync(join(worktree.folder, 'cache'), 0o555);
    expect(await bench.finish(worktree)).toEqual({ changed: [], state: 'unchanged' });
    expect(bench.left()).toEqual(gone);
  });

  it('leaves nothing where somebody was killed while it was written down, or forgotten', async () => {
    await start({ entries: { 'a.txt': 'a\n' } });
    const records = join(bench.tenonHome, 'projects/p-1/worktrees');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const folderOf = (owner: ProcessMark): string => passingFolder({ records, trees: '' }, owner, 'tenon-a1-00000000');
    const dead = folderOf({ ...ownMark(), pid });
    const others = [folderOf(ownMark()), folderOf({ ...ownMark(), realm: 'another machine' }), join(records, '.other')];
    for (const folder of [dead, ...others]) mkdirSync(join(folder, 'base'), { recursive: true });
    expect(await bench.tend()).toEqual([]);
    expect(new Set(bench.left().records.map((name) => join(records, name)))).toEqual(new Set(others));
    expect(existsSync(dead)).toBe(false);
  });

  it('gives its changes back as one that is approved with its diff, and undone as one', async () => {
    await start({
      entries: {
        'a.txt': 'one\n',
        'dead.txt': 'dead\n',
        'run.sh': '#!/bin/sh\n',
        'crlf.txt': 'a\r\nb\r\n',
        'bin.dat': Buffer.from([0, 255]),
        'old.txt': 'moved\n',
      },
      answers: [ProceedOnce],
    });
    const worktree = await bench.open();
    put(worktree, 'a.txt', 'one\ntwo\n');
    put(worktree, 'crlf.txt', 'a\r\nB\r\n');
    put(worktree, 'bin.dat', Buffer.from([0, 254]));
    mkdirSync(join(worktree.folder, 'deep/er'), { recursive: true });
    put(worktree, 'deep/er/new.txt', 'new\n');
    rmSync(join(worktree.folder, 'dead.txt'));
    bench.git(['mv', 'old.txt', 'fresh.txt'], worktree.folder);
    chmodSync(join(worktree.folder, 'run.sh'), 0o755);
    bench.git(['commit', '-aqm', 'mine'], worktree.folder);
    const report = await bench.finish(worktree);
    expect(report).toEqual({
      changed: ['a.txt', 'bin.dat', 'crlf.txt', 'dead.txt', 'deep/er/new.txt', 'fresh.txt', 'old.txt', 'run.sh'],
      state: 'applied',
    });
    const { workspace } = bench.at;
    expect(
      await Promise.all(['a.txt', 'crlf.txt', 'deep/er/new.txt', 'fresh.txt'].map((path) => workspace.read(path))),
    ).toEqual(['one\ntwo\n', 'a\r\nB\r\n', 'new\n', 'moved\n']);
    expect(readFileSync(workspace.path('bin.dat'))).toEqual(Buffer.from([0, 254]));
    expect(['dead.txt', 'old.txt'].map((path) => existsSync(workspace.path(path)))).toEqual([false, false]);
    expect(statSync(workspace.path('run.sh')).mode & 0o111).toBe(0o111);
    expect(bench.git(['log', '--oneline']).trim().split('\n')).toHaveLength(1);
    const [request] = bench.person.requests;
    // The question has both, one behind the other.
    expect(request?.details).toMatchObject({ type: 'edit', title: 'Confirm Taking Over' });
    expect(request?.description).toContain('What general (a1) changed in its worktree: ');
    expect(JSON.stringify(request?.details)).toContain('+two');
    expect(request?.description).toContain('can be run: run.sh');
    expect(request?.effects.map(({ kind }) => kind).sort()).toEqual([
      'delete',
      'delete',
      'write',
      'write',
      'write',
      'write',
      'write',
      'write',
    ]);
    expect(bench.left()).toEqual(gone);
    expect(bench.events.map(({ type }) => type)).toEqual([
      'tool-call-start',
      'approval-request',
      'approval-answer',
      'tool-call-end',
    ]);

    const gate = bench.at.config.getWorkspaceGate();
    const journal = new FileJournal({ gate, folder: bench.at.journalDir });
    const { entries } = await journal.entries();
    expect(entries.map(({ call, kind }) => [call?.agent, call?.sessionId, kind])).toEqual([['a1', 's-1', 'change']]);
    await createUndo({ gate, journal }).undo();
    expect([await workspace.read('a.txt'), await workspace.read('dead.txt'), await workspace.read('old.txt')]).toEqual([
      'one\n',
      'dead\n',
      'moved\n',
    ]);
    expect([
      existsSync(workspace.path('deep')),
      existsSync(workspace.path('fresh.txt')),
      statSync(workspace.path('run.sh')).mode & 0o111,
    ]).toEqual([false, false, 0]);
    expect(readFileSync(workspace.path('bin.dat'))).toEqual(Buffer.from([0, 255]));
  });

  it('is kept when the person says no, with a patch that can be read', async () => {
    await start({ entries: { 'a.txt': 'one\n' }, answers: [{ outcome: Cancel, feedback: 'not like this' }] });
    const worktree = await bench.open();
    put(worktree, 'a.txt', 'two\n');
    const report = await bench.finish(worktree);
    expect(report).toMatchObject({ state: 'kept', changed: ['a.txt'], folder: worktree.folder });
    expect(report.problem).toBe('the user did not want them taken over. Their words: "not like this".');
    expect(readFileSync(report.patch ?? '', 'utf8')).toBe(
      'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n',
    );
    expect([await bench.at.workspace.read('a.txt'), text(worktree, 'a.txt')]).toEqual(['one\n', 'two\n']);
    expect(bench.git(['diff', '--stat'], worktree.folder)).toContain('a.txt');
    // It was reported, so that the next start says nothing; once the person removed it, nothing is left.
    expect(await bench.tend()).toEqual([]);
    expect(bench.left().trees).toHaveLength(1);
    bench.git(['worktree', 'remove', '--force', worktree.folder]);
    expect(await bench.tend()).toEqual([]);
    expect(bench.left()).toEqual(gone);
  });

  it('which git applies, whatever was changed, or refuses as a whole', async () => {
    await start({
      entries: {
        'a.txt': 'one\n',
        'dead.txt': 'dead\n',
        'run.sh': '#!/bin/sh\n',
        'was link': { linkTo: 'a.txt' },
        'bin.dat': Buffer.from([0, 1]),
      },
      mode: ApprovalMode.PLAN,
    });
    const changed = ['a.txt', 'b "q" é.txt', 'end.txt', 'link', 'run.sh', 'was link'];
    const edit = (worktree: Worktree): void => {
      put(worktree, 'a.txt', 'two\n');
      put(worktree, 'b "q" é.txt', 'new\n');
      put(worktree, 'end.txt', 'no line feed');
      put(worktree, 'empty.txt', '');
      rmSync(join(worktree.folder, 'dead.txt'));
      chmodSync(join(worktree.folder, 'run.sh'), 0o755);
      symlinkSync('a.txt', join(worktree.folder, 'link'));
      rmSync(join(worktree.folder, 'was link'));
      put(worktree, 'was link', 'a file\n');
    };
    const worktree = await bench.open();
    edit(worktree);
    const report = await bench.finish(worktree);
    bench.git(['apply', '--index', report.patch ?? '']);
    const { workspace } = bench.at;
    for (const name of changed)
      expect([name, readFileSync(workspace.path(name), 'utf8')]).toEqual([name, text(worktree, name)]);
    expect(['dead.txt', 'empty.txt'].map((name) => existsSync(workspace.path(name)))).toEqual([false, true]);
    expect([
      statSync(workspace.path('run.sh')).mode & 0o111,
      lstatSync(workspace.path('link')).isSymbolicLink(),
    ]).toEqual([0o111, true]);
    bench.git(['reset', '-q', '--hard']);
    const other = await bench.open();
    edit(other);
    put(other, 'bin.dat', Buffer.from([0, 2]));
    const { patch = '' } = await bench.finish(other);
    expect(() => bench.git(['apply', patch])).toThrow('binary');
    expect(bench.git(['status', '--porcelain'])).toBe('');
  });

  it('is taken over without a question where the mode allows it, and not at all in plan mode', async () => {
    await start({ entries: { 'a.txt': 'one\n' }, mode: ApprovalMode.AUTO_EDIT });
    const worktree = await bench.open();
    put(worktree, 'a.txt', 'two\n');
    expect((await bench.finish(worktree)).state).toBe('applied');
    expect([await bench.at.workspace.read('a.txt'), bench.person.requests]).toEqual(['two\n', []]);
    await bench.remove();
    await start({ entries: { 'a.txt': 'one\n' }, mode: ApprovalMode.PLAN });
    const other = await bench.open();
    put(other, 'a.txt', 'two\n');
    expect(await bench.finish(other)).toMatchObject({ state: 'kept' });
    expect(await bench.at.workspace.read('a.txt')).toBe('one\n');
  });

  it('asks about a control file in every mode but yolo', async () => {
    await start({ entries: { 'a.txt': 'one\n' }, mode: ApprovalMode.AUTO_EDIT, answers: [Cancel] });
    const worktree = await bench.open();
    put(worktree, '.mcp.json', '{}');
    expect((await bench.finish(worktree)).state).toBe('kept');
    expect(bench.person.requests[0]?.reason).toContain('control file');
    expect(existsSync(bench.at.workspace.path('.mcp.json'))).toBe(false);
  });

  it('is kept, and nobody is asked, when the agent was ended; the next start tells of it once', async () => {
    await start({ entries: { 'a.txt': 'one\n' } });
    const worktree = await bench.open();
    put(worktree, 'a.txt', 'two\n');
    const report = await bench.finish(worktree, AbortSignal.abort(new Error('over')));
    expect(report).toMatchObject({
      state: 'kept',
      folder: worktree.folder,
      problem: expect.stringContaining('ended') as unknown,
    });
    expect(bench.person.requests).toEqual([]);
    const [said, ...more] = await bench.tend();
    expect(said).toContain(worktree.folder);
    expect(said).toContain('(a.txt)');
    expect([more, await bench.tend()]).toEqual([[], []]);
  });
});

describe('what changed in the workspace meanwhile', () => {
  const ours = { 'a.txt': '1\n2\n3\n4\n5\n6\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

  it('is merged where both changed other lines, also of what is not committed', async () => {
    await start({ entries: ours, answers: [ProceedOnce] });
    await bench.at.workspace.write({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n', 'new.txt': 'x\ny\nz\nw\n' });
    const worktree = await bench.open();
    put(worktree, 'a.txt', '1\n2\n3\n4\n5\n6\nseven\n');
    put(worktree, 'new.txt', 'x\ny\nz\nW\n');
    await bench.at.workspace.write({ 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n', 'new.txt': 'X\ny\nz\nw\n' });
    expect((await bench.finish(worktree)).state).toBe('applied');
    expect([await bench.at.workspace.read('a.txt'), await bench.at.workspace.read('new.txt')]).toEqual([
      'one\n2\n3\n4\n5\n6\nseven\n',
      'X\ny\nz\nW\n',
    ]);
  });

  it.each<[string, Readonly<Record<string, string | null>>, (worktree: Worktree) => void, RegExp]>([
    [
      'the same line',
      { 'a.txt': '1\nTWO\n3\n4\n5\n6\n' },
      (worktree) => put(worktree, 'a.txt', '1\ntwo\n3\n4\n5\n6\n'),
      /a\.txt was changed .* same place \(line 2 there\)/,
    ],
    [
      'a deletion there',
      { 'a.txt': null },
      (worktree) => put(worktree, 'a.txt', 'x\n'),
      /a\.txt was deleted in the workspace/,
    ],
    [
      'a deletion by the agent',
      { 'a.txt': 'x\n' },
      (worktree) => rmSync(join(worktree.folder, 'a.txt')),
      /a\.txt was changed .* agent deleted it/,
    ],
    [
      'the same new file',
      { 'n.txt': 'x\n' },
      (worktree) => put(worktree, 'n.txt', 'y\n'),
      /n\.txt was made in the workspace meanwhile too/,
    ],
    [
      'a folder in its place',
      { 'n.txt/f': 'x\n' },
      (worktree) => put(worktree, 'n.txt', 'y\n'),
      /n\.txt cannot be changed in the workspace/,
    ],
  ])('is not written over, and nothing else is taken over then: %s', async (_what, theirs, change, problem) => {
    await start({ entries: ours, mode: ApprovalMode.YOLO });
    const worktree = await bench.open();
    put(worktree, 'b.txt', 'by the agent\n');
    change(worktree);
    for (const [path, content] of Object.entries(theirs)) {
      if (content === null) rmSync(bench.at.workspace.path(path));
      else await bench.at.workspace.write({ [path]: content });
    }
    const report = await bench.finish(worktree);
    expect(report).toMatchObject({ state: 'kept', folder: worktree.folder });
    expect(report.problem).toMatch(problem);
    expect(await bench.at.workspace.read('b.txt')).toBe('b\n');
    for (const [path, content] of Object.entries(theirs))
      if (content !== null) expect(await bench.at.workspace.read(path)).toBe(content);
  });

  it('needs nothing where both came to the same', async () => {
    await start({ entries: ours });
    const worktree = await bench.open();
    put(worktree, 'a.txt', 'same\n');
    rmSync(join(worktree.folder, 'b.txt'));
    await bench.at.workspace.write({ 'a.txt': 'same\n' });
    rmSync(bench.at.workspace.path('b.txt'));
    expect(await bench.finish(worktree)).toMatchObject({ state: 'applied' });
    expect([bench.person.requests, bench.left()]).toEqual([[], gone]);
  });

  it('is asked about again when it happens while the question waits', async () => {
    await start({
      entries: ours,
      answers: [
        async () => {
          await bench.at.workspace.write({ 'a.txt': 'ONE\n2\n3\n4\n5\n6\n' });
          return { outcome: ProceedOnce };
        },
        ProceedOnce,
      ],
    });
    const worktree = await bench.open();
    put(worktree, 'a.txt', '1\n2\n3\n4\n5\nsix\n');
    expect((await bench.finish(worktree)).state).toBe('applied');
    expect(bench.person.requests.map(({ changedSinceApproval }) => changedSinceApproval)).toEqual([false, true]);
    expect(await bench.at.workspace.read('a.txt')).toBe('ONE\n2\n3\n4\n5\nsix\n');
  });

  it.each(['new link', 'changed link', 'folder that became a link'])('cannot be a link: %s', async (what) => {
    await start({ entries: { 'a/b.txt': 'b\n', 'l.txt': 'l\n' }, mode: ApprovalMode.YOLO });
    symlinkSync('l.txt', bench.at.workspace.path('link'));
    const worktree = await bench.open();
    const at = (path: string): string => join(worktree.folder, path);
    if (what === 'new link') symlinkSync('/etc/passwd', at('mine'));
    else if (what === 'changed link') {
      rmSync(at('link'));
      symlinkSync('/etc/passwd', at('link'));
    } else {
      rmSync(at('a'), { recursive: true });
      mkdirSync(join(bench.tenonHome, 'b'));
      writeFileSync(join(bench.tenonHome, 'b', 'b.txt'), 'secret\n');
      symlinkSync(join(bench.tenonHome, 'b'), at('a'));
    }
    const report = await bench.finish(worktree);
    expect(report.problem).toContain('is a link');
    expect(report.state).toBe('kept');
    expect(report.patch === undefined ? '' : readFileSync(report.patch, 'utf8')).not.toContain('secret');
  });
});
