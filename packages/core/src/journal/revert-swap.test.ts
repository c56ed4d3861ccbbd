import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { Failure } from '../util/failure.js';
import { FileJournal } from './file-journal.js';
import type { Journal } from './journal.js';
import { createUndo, type Undo } from './undo.js';
import { CommandWatch } from './watch-command.js';

let workspace: TempWorkspace;
let outside: TempWorkspace;
let root: string;
let gate: WorkspaceGate;
let journal: FileJournal;
let undo: Undo;

beforeEach(async () => {
  workspace = await createTempWorkspace({
    'src/a.txt': 'a\n',
    'src/deep/b.txt': 'b\n',
    f: 'file\n',
    'rest.txt': 'rest\n',
  });
  outside = await createTempWorkspace({ 'temp/x': '' });
  root = workspace.root;
  gate = new WorkspaceGate({
    roots: [root],
    tempDir: outside.path('temp'),
    ignore: new IgnoreRules(QWEN_IGNORE, [root]),
  });
  journal = new FileJournal({ gate, folder: outside.path('journal') });
  undo = createUndo({ gate, journal });
});

afterEach(async () => {
  for (const folder of [workspace, outside]) await folder.remove();
});

/** Runs it as a watched command. */
async function command(line: string): Promise<void> {
  const watch = new CommandWatch({ gate, journal, folder: outside.path('watch') });
  const run = (): Promise<void> => Promise.resolve(void execFileSync('bash', ['-c', line], { cwd: root }));
  await watch.watch(run, {
    callId: `call ${line}`,
    toolName: 'shell',
    title: line,
    agent: 'main',
    stillShown: () => true,
  });
}

function tree(folder = root): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return [`${path.slice(root.length)}/`, ...tree(path)];
      return [`${path.slice(root.length)} ${readFileSync(path, 'utf8')}`];
    });
}

/** A journal whose `n`th commit fails as if the disk were full. */
function failing(nth: number): Journal {
  let count = 0;
  return {
    entries: () => journal.entries(),
    content: (hash) => journal.content(hash),
    keep: (bytes, durable) => journal.keep(bytes, durable),
    record: (entry) => journal.record(entry),
    newId: () => journal.newId(),
    commit: (request) => {
      count += 1;
      if (count === nth) return Promise.reject(new Failure('no_space_left', 'full'));
      return journal.commit(request);
    },
  };
}

const SWAPS = [
  'rm -r src && echo now-a-file > src',
  'rm f && mkdir f && echo inner > f/x',
  'rm f && mkdir -p f/g && echo inner > f/g/x && echo y > f/y',
  'rm -r src && echo src > src && rm f && mkdir f && echo inner > f/x && echo more >> rest.txt',
  'rm -r src/deep && echo deep > src/deep && mv f src/f && mkdir f && mv src/f f/f',
];

describe('a file and a folder of one name that changed places', () => {
  it.each(SWAPS)('are put back, made again and put back: %s', async (line) => {
    const before = tree();
    await command(line);
    const after = tree();
    const dry = await undo.undo({ last: 1 }, { dryRun: true });
    expect(tree()).toEqual(after);
    const undone = await undo.undo({ last: 1 });
    expect(undone.complete).toBe(true);
    expect(dry.files).toEqual(undone.files);
    expect(tree()).toEqual(before);
    const { calls } = await undo.log();
    expect(calls.map(({ kind, undone: isUndone }) => [kind, isUndone])).toEqual([
      ['undo', false],
      ['command', true],
    ]);
    await undo.redo();
    expect(tree()).toEqual(after);
    await expect(undo.redo()).rejects.toThrow('nothing to redo');
    await undo.undo({ last: 1 });
    expect(tree()).toEqual(before);
    await undo.redo();
    expect(tree()).toEqual(after);
  });

  it('stay as they are when somebody put a file of their own in the way', async () => {
    await command('rm f && mkdir f && echo inner > f/x');
    writeFileSync(workspace.path('f/mine'), 'mine');
    const { files, complete } = await undo.undo({ last: 1 });
    expect(complete).toBe(false);
    expect(files).toEqual([
      { path: workspace.path('f'), result: 'left', reason: 'a folder is there by now' },
      { path: workspace.path('f/x'), result: 'deleted' },
    ]);
    expect(readFileSync(workspace.path('f/mine'), 'utf8')).toBe('mine');
  });

  it.each([1, 2])('are as they were when commit %i of an undo fails, which can be tried again', async (nth) => {
    const before = tree();
    await command('rm -r src && echo now-a-file > src');
    const after = tree();
    const broken = createUndo({ gate, journal: failing(nth) });
    await expect(broken.undo({ last: 1 })).rejects.toThrow('full');
    expect(tree()).toEqual(after);
    expect((await undo.undo({ last: 1 })).complete).toBe(true);
    expect(tree()).toEqual(before);
    await undo.redo();
    expect(tree()).toEqual(after);
  });

  it('are put back by the next undo when one was killed between its halves', async () => {
    const before = tree();
    await command('rm -r src && echo now-a-file > src');
    const after = tree();
    // What the first half leaves.
    const [entry] = (await journal.entries()).entries;
    const made = entry?.changes.find(({ path }) => path === workspace.path('src'));
    const hash = made?.after.kind === 'file' ? made.after.hash : '';
    await journal.commit({
      kind: 'undo',
      reverts: [],
      changes: [{ path: workspace.path('src'), expected: hash, content: null }],
    });
    await expect(undo.redo()).rejects.toThrow('nothing to redo');
    expect((await undo.undo({ last: 1 })).complete).toBe(true);
    expect(tree()).toEqual(before);
    await undo.redo();
    expect(tree()).toEqual(after);
  });

  it('are left alone where a link stands in the way', async () => {
    await command('rm -r src && echo x > src');
    rmSync(workspace.path('src'));
    mkdirSync(workspace.path('other'));
    execFileSync('ln', ['-s', 'other', workspace.path('src')]);
    const { complete } = await undo.undo({ last: 1 });
    expect(complete).toBe(false);
    expect(existsSync(workspace.path('other/a.txt'))).toBe(false);
  });
});
