import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../effects/call-context.js';
import type { CommandChanges } from '../files/file-changes.js';
import { FileVersions } from '../files/file-versions.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash } from '../files/write-handle.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { FileJournal } from './file-journal.js';
import { revert } from './revert.js';
import { mendLeftJobs } from './tend-journal.js';
import { createUndo, type Undo } from './undo.js';
import { WorkspaceChanges } from './workspace-changes.js';

const GAP = '\n-\n-\n-\n';
/** Parts of a file that lie so far apart that changes of one are never mixed up with those of another. */
const PARTS = ['call', 'job', 'command'] as const;
type Part = (typeof PARTS)[number];
const FIRST = PARTS.map((part) => `${part} 0`).join(GAP);

let workspace: TempWorkspace;
let outside: TempWorkspace;
let gate: WorkspaceGate;
let changes: WorkspaceChanges;
let journal: FileJournal;
let undo: Undo;

async function open(): Promise<void> {
  workspace = await createTempWorkspace({ 'a.txt': FIRST, 'b.txt': FIRST });
  outside = await createTempWorkspace({ 'temp/x': '' });
  const ignore = new IgnoreRules(QWEN_IGNORE, [workspace.root]);
  gate = new WorkspaceGate({ roots: [workspace.root], tempDir: outside.path('temp'), ignore });
  const journalDir = outside.path('journal');
  changes = new WorkspaceChanges({ gate, versions: new FileVersions(), journalDir });
  journal = new FileJournal({ gate, folder: journalDir });
  undo = createUndo({ gate, journal });
}

async function shut(): Promise<void> {
  await workspace.remove();
  await outside.remove();
}

const context = (callId: string): CallContext => ({ callId, toolName: 'x', title: callId, stillShown: () => true });
const read = (name: string): string => readFileSync(workspace.path(name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(workspace.path(name), text);
const change = (name: string, part: Part, value: string): void =>
  write(name, read(name).replace(new RegExp(`^${part} .*$`, 'm'), `${part} ${value}`));

async function edit(callId: string, name: string, value: string): Promise<void> {
  const text = read(name);
  const content = text.replace(/^call .*$/m, `call ${value}`);
  const path = workspace.path(name);
  await changes.apply(
    [{ path, resolvedPath: path, expected: contentHash(Buffer.from(text)), content }],
    context(callId),
  );
}

interface StartedJob {
  readonly end: () => Promise<CommandChanges>;
}

/** A call that starts a job; what the job does is done by the test. */
async function startJob(callId: string, first: () => void = () => undefined): Promise<StartedJob> {
  let over: (value?: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => (over = resolve));
  let found: Promise<CommandChanges> | undefined;
  await changes.watch(
    async () => first(),
    context(callId),
    () => ({ ended, follow: (promise) => void (found = promise) }),
  );
  return {
    end: async () => {
      over();
      if (found === undefined) throw new Error('nobody follows the job');
      return found;
    },
  };
}

const command = (callId: string, run: () => void): Promise<unknown> =>
  changes.watch(async () => run(), context(callId));
const entries = async (): Promise<readonly string[]> =>
  (await journal.entries()).entries.map(
    ({ kind, background, call, changes: all }) =>
      `${call?.callId} ${kind}${background === true ? ' later' : ''}: ${all.map(({ path }) => path.slice(workspace.root.length + 1)).join(' ')}`,
  );

describe('a job that goes on behind its call', () => {
  beforeEach(open);
  afterEach(shut);

  it('has what it changed later written down at its end, under its call and apart from it', async () => {
    const job = await startJob('start', () => change('a.txt', 'job', '1'));
    change('a.txt', 'job', '2');
    write('new.txt', 'new');
    expect(await job.end()).toEqual({
      created: [workspace.path('new.txt')],
      modified: [workspace.path('a.txt')],
      deleted: [],
    });
    expect(await entries()).toEqual(['start command: a.txt', 'start command later: a.txt new.txt']);
    const report = await undo.undo({ id: 'start' });
    expect(report.beside).toMatchObject([{ title: 'start', files: 2 }]);
    expect([existsSync(workspace.path('new.txt')), read('a.txt')]).toEqual([true, FIRST.replace('job 0', 'job 2')]);
    expect(report.files).toMatchObject([{ result: 'left', reason: 'the same lines were changed since' }]);
    const [later] = (await undo.log()).calls.filter(({ background }) => background === true);
    expect((await undo.undo({ id: later?.id ?? '' })).complete).toBe(true);
    expect(existsSync(workspace.path('new.txt'))).toBe(false);
    expect(read('a.txt')).toBe(FIRST.replace('job 0', 'job 1'));
  });

  it('costs no look while none runs, nor before an edit of what it did not touch', async () => {
    await command('x', () => change('b.txt', 'command', '1'));
    await edit('1', 'a.txt', '1');
    const job = await startJob('start');
    await edit('2', 'a.txt', '2');
    await sleep(80);
    change('b.txt', 'job', '1');
    await edit('3', 'a.txt', '3');
    expect((await entries()).filter((line) => line.includes('later'))).toEqual([]);
    await edit('4', 'b.txt', '1');
    expect((await entries()).slice(-2)).toEqual(['start command later: b.txt', '4 change: b.txt']);
    await job.end();
  });

  it('is looked at when an undo wants to know what it did until now', async () => {
    const job = await startJob('start');
    change('a.txt', 'job', '1');
    await changes.catchUp();
    expect(await entries()).toEqual(['start command later: a.txt']);
    change('a.txt', 'job', '0');
    expect(await job.end()).toEqual({ created: [], modified: [], deleted: [] });
  });

  it('keeps what it changed before, also while another command runs', async () => {
    const job = await startJob('start', () => write('server.log', '1'));
    await command('test', () => {
      write('server.log', '12');
      write('result.txt', 'ok');
    });
    await job.end();
    expect(await entries()).toEqual([
      'start command: server.log',
      'start command later: server.log',
      'test command: result.txt',
    ]);
  });

  it('of several takes the newest for the one that made something, and says that it is not alone', async () => {
    const [one, two] = [await startJob('one', () => write('one', '1')), await startJob('two')];
    write('one', '2');
    write('two', '1');
    expect(await two.end()).toMatchObject({ created: [workspace.path('two')], modified: [] });
    expect(await one.end()).toMatchObject({ created: [], modified: [workspace.path('one')] });
  });

  it('leaves no record behind when it ends', async () => {
    const job = await startJob('start');
    const folder = outside.path('journal/watch/jobs');
    expect(readdirSync(folder)).toHaveLength(1);
    await job.end();
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** What happens beside a job, in some order. */
type Step =
  { readonly kind: 'edit' | 'job' | 'command'; readonly file: string } | { readonly kind: 'look' | 'make' | 'drop' };

const file = fc.constantFrom('a.txt', 'b.txt');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('edit', 'job', 'command' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('look', 'make', 'drop' as const) }) },
);

/** Does the steps while a job runs. */
async function play(steps: readonly Step[]): Promise<void> {
  const job = await startJob('start');
  for (const [index, { kind, ...rest }] of steps.entries()) {
    const name = 'file' in rest ? rest.file : 'a.txt';
    const value = String(index + 1);
    if (kind === 'edit') await edit(`edit ${index}`, name, value);
    else if (kind === 'job') change(name, 'job', value);
    else if (kind === 'command') await command(`command ${index}`, () => change(name, 'command', value));
    else if (kind === 'look') await changes.catchUp();
    else if (kind === 'make') write('made.txt', value);
    else rmSync(workspace.path('made.txt'), { force: true });
  }
  await job.end();
}

const partOf = (name: string, part: Part): string | undefined =>
  new RegExp(`^${part} (.*)$`, 'm').exec(read(name))?.[1];
const values = (part: Part): (string | undefined)[] => ['a.txt', 'b.txt'].map((name) => partOf(name, part));

describe('whatever happens beside a job (property)', () => {
  it('taking back all that was written down gives the first tree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await open();
        try {
          await play(steps);
          const all = (await journal.entries()).entries;
          if (all.length > 0) await revert({ journal, gate }, { kind: 'undo', entries: all, dryRun: false });
          expect([read('a.txt'), read('b.txt')]).toEqual([FIRST, FIRST]);
          expect(existsSync(workspace.path('made.txt'))).toBe(false);
        } finally {
          await shut();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('taking back one of call and job leaves the parts of the other as they are', async () => {
    const only = fc.constantFrom<Part>('call', 'job');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), only, async (steps, part) => {
        await open();
        try {
          await play(steps);
          const before = { call: values('call'), job: values('job') };
          const all = (await journal.entries()).entries;
          const meant = all.filter(({ kind, background }) =>
            part === 'job' ? background === true : kind === 'change',
          );
          if (meant.length > 0) await revert({ journal, gate }, { kind: 'undo', entries: meant, dryRun: false });
          expect(values(part)).toEqual(['0', '0']);
          const other = part === 'job' ? 'call' : 'job';
          expect(values(other)).toEqual(before[other]);
        } finally {
          await shut();
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a process that is killed while a job runs', () => {
  beforeEach(open);
  afterEach(shut);

  /** As if the process that writes the records were gone. */
  function orphan(): void {
    const folder = outside.path('journal/watch/jobs');
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const record = JSON.parse(readFileSync(path, 'utf8')) as { owner: { start: string } };
      writeFileSync(path, JSON.stringify({ ...record, owner: { ...record.owner, start: '1' } }));
    }
  }
  const mend = (): Promise<readonly string[]> => mendLeftJobs(gate, outside.path('journal'), undefined);

  it('leaves what the job changed since to the next start, and nothing that was written down before', async () => {
    await command('before', () => write('gone.txt', 'x'));
    await command('before 2', () => rmSync(workspace.path('gone.txt')));
    await sleep(80);
    await startJob('start');
    change('a.txt', 'job', '1');
    await changes.catchUp();
    change('a.txt', 'job', '2');
    write('new.txt', 'new');
    await edit('1', 'b.txt', '1');
    expect(await mend()).toEqual([]);
    orphan();
    const [sentence, ...more] = await mend();
    expect(more).toEqual([]);
    expect(sentence).toMatch(/^"start" was running when Tenon was killed\. Since then 2 files changed/);
    expect((await entries()).at(-1)).toBe('start command later: a.txt new.txt');
    const id = /tenon undo (\w+)/.exec(sentence ?? '')?.[1] ?? '';
    expect((await undo.undo({ id })).complete).toBe(true);
    // All that is known of the job, what was written down before the kill included.
    expect(read('a.txt')).toBe(FIRST);
    expect(existsSync(workspace.path('new.txt'))).toBe(false);
    expect(partOf('b.txt', 'call')).toBe('1');
    expect(await mend()).toEqual([]);
  });

  it('claims no file that it cannot know to be new, nor one that was gone before', async () => {
    write('large.bin', '');
    await command('x', () => write('brief.txt', '1'));
    await sleep(80);
    await command('y', () => rmSync(workspace.path('brief.txt')));
    // So new that its content is not trusted yet.
    await startJob('start', () => {
      write('young.txt', '1');
      truncateSync(workspace.path('large.bin'), 9 * 1024 * 1024);
    });
    await sleep(80);
    change('a.txt', 'job', '1');
    write('young.txt', '2');
    write('large.bin', 'small');
    orphan();
    const [sentence = ''] = await mend();
    expect((await entries()).at(-1)).toBe('start command later: a.txt young.txt');
    expect(sentence).toContain('may have been missed');
    expect((await undo.undo({ id: /tenon undo (\w+)/.exec(sentence)?.[1] ?? '' })).complete).toBe(true);
    expect([read('a.txt'), read('young.txt')]).toEqual([FIRST, '1']);
  });
});
