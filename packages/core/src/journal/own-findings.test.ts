import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash } from '../files/write-handle.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { FileJournal } from './file-journal.js';
import type { FileState, JournalEntry } from './journal-entry.js';
import type { Finding, KnownFile } from './manifest.js';
import { ownFindings } from './own-findings.js';
import { createUndo, type Undo } from './undo.js';
import { CommandWatch } from './watch-command.js';

const state = (text: string): FileState =>
  text === '' ? { kind: 'missing' } : { kind: 'file', hash: text, bytes: text.length, mode: 0o644 };

const known = (text: string): KnownFile | undefined =>
  text === ''
    ? undefined
    : { size: text.length, mtimeMs: 1, ctimeMs: 1, ino: 1, mode: 0o644, hash: text, bytes: text.length, settled: true };

const finding = (before: string, after: string): Finding => ({
  path: '/f',
  before: known(before),
  after: known(after),
});

function entry(...steps: readonly (readonly [before: string, after: string])[]): JournalEntry {
  const changes = steps.map(([before, after]) => ({ path: '/f', before: state(before), after: state(after) }));
  return { version: 1, id: 'x', time: '', kind: 'change', reverts: [], changes, madeFolders: [] };
}

const texts = (findings: readonly Finding[]): (readonly [string, string])[] =>
  findings.map(({ before, after }) => [before?.hash ?? '', after?.hash ?? '']);

describe('what a command changed itself', () => {
  it.each([
    ['nothing else was changed', ['a', 'b'], [], [], [['a', 'b']]],
    ['another call did all of it', ['a', 'b'], [['a', 'b']], [], []],
    ['another call made the file', ['', 'b'], [['', 'b']], [], []],
    ['several calls did all of it', ['a', 'c'], [['a', 'b'], ['b', 'c']], [], []], // prettier-ignore
    ['it went on where the other had ended', ['a', 'c'], [['a', 'b']], [], [['b', 'c']]],
    ['the other went on where it had ended', ['a', 'c'], [['b', 'c']], [['a', 'b']], []],
    ['the other was in the middle', ['a', 'd'], [['b', 'c']], [['a', 'b']], [['c', 'd']]],
    ['the other came after all of it', ['a', 'b'], [['b', 'c']], [['a', 'b']], []],
    ['the look before had seen the other already', ['b', 'c'], [['a', 'b']], [], [['b', 'c']]],
    ['the entries do not fit', ['a', 'e'], [['b', 'c'], ['d', 'e']], [], [['a', 'e']]], // prettier-ignore
  ] as const)('when %s', (_, [before, after], steps, early, late) => {
    const own = ownFindings([finding(before, after)], [entry(...steps)]);
    expect([texts(own.early), texts(own.late)]).toEqual([early, late]);
  });

  it('and what the others did lead from before to after together (property)', () => {
    const name = fc.constantFrom('', 'a', 'b', 'c', 'd');
    fc.assert(
      fc.property(name, name, fc.array(fc.tuple(name, name), { maxLength: 4 }), (before, after, steps) => {
        fc.pre(before !== after);
        const own = ownFindings([finding(before, after)], [entry(...steps)]);
        for (const [from, to] of texts([...own.early, ...own.late])) expect(from).not.toBe(to);
        const [first] = texts([...own.early, ...own.late]);
        if (own.early.length > 0) expect(first?.[0]).toBe(before);
        expect(own.early.length + own.late.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('a command beside which another call changed files', () => {
  let workspace: TempWorkspace;
  let outside: TempWorkspace;
  let journal: FileJournal;
  let watch: CommandWatch;
  let undo: Undo;

  beforeEach(async () => {
    workspace = await createTempWorkspace({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'b\n' });
    outside = await createTempWorkspace({ 'temp/x': '' });
    const ignore = new IgnoreRules(QWEN_IGNORE, [workspace.root]);
    const gate = new WorkspaceGate({ roots: [workspace.root], tempDir: outside.path('temp'), ignore });
    journal = new FileJournal({ gate, folder: outside.path('journal') });
    watch = new CommandWatch({ gate, journal, folder: outside.path('journal/watch') });
    undo = createUndo({ gate, journal });
  });

  afterEach(async () => {
    for (const folder of [workspace, outside]) await folder.remove();
  });

  const read = (name: string): string => readFileSync(workspace.path(name), 'utf8');
  const bash = (line: string): void => void execFileSync('bash', ['-c', line], { cwd: workspace.root });
  const call = (callId: string): JournalEntry['call'] => ({ callId, toolName: 'x', title: callId });

  async function edit(name: string, text: string): Promise<void> {
    const path = join(workspace.root, name);
    const change = { path, expected: contentHash(readFileSync(path)), content: Buffer.from(text) };
    await journal.commit({ kind: 'change', call: call(`edit ${name}`), changes: [change] });
  }

  it('is taken back alone', async () => {
    const { changes, written } = await watch.watch(
      async () => {
        bash('sed -i s/one/ONE/ a.txt');
        await edit('a.txt', read('a.txt').replace('three', 'THREE'));
        await edit('b.txt', 'B\n');
        bash('sed -i s/five/FIVE/ a.txt; echo c > c.txt');
      },
      { callId: 'cmd', toolName: 'shell', title: 'cmd', stillShown: () => true },
    );
    expect(changes).toEqual({ created: [workspace.path('c.txt')], modified: [workspace.path('a.txt')], deleted: [] });
    expect(written).toEqual([
      { path: workspace.path('a.txt'), hash: contentHash(readFileSync(workspace.path('a.txt'))) },
      { path: workspace.path('c.txt'), hash: contentHash(Buffer.from('c\n')) },
    ]);
    expect((await undo.undo({ id: 'cmd' })).complete).toBe(true);
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\ntwo\nTHREE\nfour\nfive\n', 'B\n']);
    await undo.redo();
    expect(read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n');
    expect((await undo.undo({ last: 3 })).complete).toBe(true);
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\ntwo\nthree\nfour\nfive\n', 'b\n']);
  });

  it('writes down nothing when all of it was the other call', async () => {
    const { changes } = await watch.watch(() => edit('b.txt', 'B\n'));
    expect(changes).toEqual({ created: [], modified: [], deleted: [] });
    const { entries } = await journal.entries();
    expect(entries.map(({ kind }) => kind)).toEqual(['change']);
  });
});
