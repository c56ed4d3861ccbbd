import { chmodSync, linkSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../effects/call-context.js';
import { FileVersions } from '../files/file-versions.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash, MISSING } from '../files/write-handle.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { FileJournal } from './file-journal.js';
import { WorkspaceChanges } from './workspace-changes.js';

let workspace: TempWorkspace;
let data: TempWorkspace;
let versions: FileVersions;
let changes: WorkspaceChanges;
let gate: WorkspaceGate;

const context: CallContext = {
  callId: 'c1',
  toolName: 'some_tool',
  title: 'Change things',
  agent: 'main',
  stillShown: () => true,
};

beforeEach(async () => {
  workspace = await createTempWorkspace({});
  data = await createTempWorkspace({ 'tmp/': '' });
  const ignore = new IgnoreRules(QWEN_IGNORE, [workspace.root]);
  gate = new WorkspaceGate({ roots: [workspace.root], tempDir: data.path('tmp'), ignore });
  versions = new FileVersions();
  changes = new WorkspaceChanges({ gate, versions, journalDir: data.path('journal') });
});

afterEach(async () => {
  await workspace.remove();
  await data.remove();
});

const bytesOf = (name: string): Promise<Buffer> => readFile(workspace.path(name));
const hashOf = async (name: string): Promise<string> => contentHash(await bytesOf(name));

describe('WorkspaceChanges', () => {
  it('keeps the encoding, the BOM and the mode of each file (S80)', async () => {
    const wide = Buffer.from('\ufeffeins\r\nzwei', 'utf16le');
    await workspace.write({
      'wide.txt': wide,
      'latin.txt': Buffer.from('Gr\u00fc\u00dfe aus M\u00fcnchen, sch\u00f6ne Stra\u00dfe', 'latin1'),
      'mark.txt': '\ufeffa',
    });
    chmodSync(workspace.path('latin.txt'), 0o640);
    const change = async (name: string, content: string) => ({
      path: workspace.path(name),
      expected: await hashOf(name),
      content,
    });
    const done = await changes.apply([
      await change('wide.txt', 'drei\r\n'),
      await change('latin.txt', 'Gr\u00fc\u00dfe'),
      await change('mark.txt', '\ufeffb'),
    ]);
    expect(await bytesOf('wide.txt')).toEqual(Buffer.from('\ufeffdrei\r\n', 'utf16le'));
    expect(await bytesOf('latin.txt')).toEqual(Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
    expect(String(await bytesOf('mark.txt'))).toBe('\ufeffb');
    expect(statSync(workspace.path('latin.txt')).mode & 0o777).toBe(0o640);
    expect(done.map(({ change: what, links }) => [what, links])).toEqual([1, 2, 3].map(() => ['modified', undefined]));
    expect(done[0]?.hash).toBe(await hashOf('wide.txt'));
  });

  it('makes several files or none: a character that one of them cannot hold stops them all', async () => {
    await workspace.write({
      'latin.txt': Buffer.from('Gr\u00fc\u00dfe aus M\u00fcnchen, sch\u00f6ne Stra\u00dfe', 'latin1'),
    });
    const before = await hashOf('latin.txt');
    const work = changes.apply([
      { path: workspace.path('new.txt'), expected: MISSING, content: 'x' },
      { path: workspace.path('latin.txt'), expected: before, content: '\u4f60' },
    ]);
    await expect(work).rejects.toMatchObject({ code: 'file_write_failure' });
    await expect(bytesOf('new.txt')).rejects.toThrow('ENOENT');
  });

  it('refuses binary files unless they are overwritten', async () => {
    await workspace.write({ 'a.bin': new Uint8Array([1, 0, 2, 0, 0]) });
    const change = { path: workspace.path('a.bin'), expected: await hashOf('a.bin'), content: 'text' };
    await expect(changes.apply([change])).rejects.toMatchObject({ code: 'binary_file' });
    await changes.apply([{ ...change, overwrite: true }]);
    expect(String(await bytesOf('a.bin'))).toBe('text');
  });

  it('gives a moved file the mode and the form of where it was', async () => {
    const wide = Buffer.from('\ufeffeins', 'utf16le');
    await workspace.write({ 'old.sh': wide });
    chmodSync(workspace.path('old.sh'), 0o755);
    const [from, to] = [workspace.path('old.sh'), workspace.path('in/new.sh')];
    const done = await changes.apply([
      { path: to, expected: MISSING, content: 'zwei', movedFrom: from },
      { path: from, expected: contentHash(wide), content: null },
    ]);
    expect(done.map(({ change }) => change)).toEqual(['created', 'deleted']);
    expect(await bytesOf('in/new.sh')).toEqual(Buffer.from('\ufeffzwei', 'utf16le'));
    expect(statSync(to).mode & 0o777).toBe(0o755);
  });

  it('says how many names a file has, knows the new version, and writes the call down', async () => {
    await workspace.write({ a: 'old' });
    linkSync(workspace.path('a'), workspace.path('b'));
    const [changed] = await changes.apply(
      [{ path: workspace.path('a'), expected: await hashOf('a'), content: 'new' }],
      context,
    );
    expect(changed).toEqual({
      path: workspace.path('a'),
      change: 'modified',
      bytes: 3,
      hash: await hashOf('b'),
      links: 2,
    });
    expect(versions.acquaintance('main', workspace.path('a'), { hash: changed?.hash })).toEqual({ known: 'all' });
    const { entries } = await new FileJournal({ gate, folder: data.path('journal') }).entries();
    expect(entries.map(({ kind, call }) => [kind, call])).toEqual([
      ['change', { callId: 'c1', toolName: 'some_tool', title: 'Change things', agent: 'main' }],
    ]);
  });

  it('knows which command wrote a file', async () => {
    await workspace.write({ a: 'old' });
    const version = { hash: await hashOf('a') };
    const seen = { first: 0, end: 1, totalLines: 1, request: 'all', version };
    versions.noteRead({ agent: 'other', callId: 'c0', path: workspace.path('a'), ...seen });
    const watched = await changes.watch(async () => workspace.write({ a: 'new' }), context);
    expect(watched).toEqual({
      result: undefined,
      changes: expect.objectContaining({ modified: [workspace.path('a')] }),
    });
    const acquaintance = versions.acquaintance('other', workspace.path('a'), { hash: await hashOf('a') });
    expect(acquaintance).toMatchObject({ known: 'older', author: { title: 'Change things' } });
  });
});
