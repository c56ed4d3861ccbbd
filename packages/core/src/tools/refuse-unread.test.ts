import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../effects/call-context.js';
import { contentHash } from '../files/write-handle.js';
import { createTempConfig } from '../testing/temp-config.js';
import { EditTool } from './edit.js';
import { ToolConfirmationOutcome, type ToolResult } from './tools.js';
import { WriteFileTool } from './write-file.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

const { signal } = new AbortController();
const by = (agent: string | undefined, callId = 'c1'): CallContext => ({
  callId,
  toolName: 'write_file',
  title: 'a call',
  stillShown: () => true,
  ...(agent === undefined ? {} : { agent }),
});
const write = (name: string, content: string, context?: CallContext): Promise<ToolResult> =>
  new WriteFileTool(config).build({ file_path: workspace.path(name), content }).execute(signal, undefined, context);
const edit = (name: string, from: string, to: string, context?: CallContext): Promise<ToolResult> =>
  new EditTool(config)
    .build({ file_path: workspace.path(name), old_string: from, new_string: to })
    .execute(signal, undefined, context);

/** What a read of the file would leave behind. */
async function see(agent: string, name: string, end?: number): Promise<void> {
  const text = await workspace.read(name);
  const lines = text.split('\n').length - 1;
  config.getFileVersions().noteRead({
    agent,
    callId: 'r1',
    path: workspace.path(name),
    version: { hash: contentHash(Buffer.from(text)) },
    request: '',
    first: 0,
    end: end ?? lines,
    totalLines: lines,
    text,
  });
}

describe('overwriting a file', () => {
  it('is refused to a model that has not read it, and nothing is lost', async () => {
    await workspace.write({ 'a.txt': 'kept\n' });
    const result = await write('a.txt', 'new\n', by('one'));
    expect(result.error?.type).toBe('file_not_read');
    expect(result.llmContent).toContain('read_file');
    expect(await workspace.read('a.txt')).toBe('kept\n');
  });

  it('is allowed once the person has approved the diff, and only then (S79)', async () => {
    for (const outcome of Object.values(ToolConfirmationOutcome)) {
      const agent = by(`one, ${outcome}`);
      await workspace.write({ 'a.txt': 'kept\n' });
      const call = new WriteFileTool(config).build({ file_path: workspace.path('a.txt'), content: 'new' });
      const details = await call.confirmationDetails?.(signal, agent);
      expect(details).toMatchObject({ fileDiff: expect.stringContaining('-kept') as string });
      const unanswered = await call.execute(signal, undefined, agent);
      expect(unanswered.error?.type).toBe('file_not_read');
      await details?.onConfirm?.(outcome);
      const { error } = await call.execute(signal, undefined, agent);
      expect(error?.type).toBe(outcome === ToolConfirmationOutcome.Cancel ? 'file_not_read' : undefined);
    }
  });

  it('is refused before anybody is asked about it if the file changed since it was read', async () => {
    await workspace.write({ 'a.txt': 'one\n' });
    await see('eight', 'a.txt');
    await edit('a.txt', 'one', 'two', by('nine'));
    const call = new WriteFileTool(config).build({ file_path: workspace.path('a.txt'), content: 'new' });
    await expect(call.confirmationDetails?.(signal, by('eight'))).rejects.toMatchObject({
      code: 'file_changed_since_read',
    });
  });

  it('is refused to a model that has read a part of it, with where to read on', async () => {
    await workspace.write({ 'a.txt': 'one\ntwo\nthree\n' });
    await see('two', 'a.txt', 2);
    const result = await write('a.txt', 'new\n', by('two'));
    expect(result.llmContent).toContain('offset 2');
    expect(await workspace.read('a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('is refused when another agent has read it', async () => {
    await workspace.write({ 'a.txt': 'kept\n' });
    await see('three', 'a.txt');
    expect((await write('a.txt', 'new\n', by('four'))).error?.type).toBe('file_not_read');
    expect((await write('a.txt', 'new\n', by('three'))).error).toBeUndefined();
  });

  it('is refused when it changed since, with what changed and by whom', async () => {
    await workspace.write({ 'a.txt': 'one\ntwo\n' });
    await see('five', 'a.txt');
    await edit('a.txt', 'two', 'zwei', { ...by('six'), title: 'edit of a.txt' });
    const result = await write('a.txt', 'new\n', by('five'));
    expect(result.error?.type).toBe('file_changed_since_read');
    expect(result.llmContent).toContain('-two\n+zwei');
    expect(result.llmContent).toContain('edit of a.txt');
    expect(await workspace.read('a.txt')).toBe('one\nzwei\n');
  });

  it('lands after a read, after a change of its own, for an empty file, and for one that is new', async () => {
    await workspace.write({ 'a.txt': 'one\n', 'empty.txt': '' });
    await see('seven', 'a.txt');
    for (const content of ['two\n', 'three\n'])
      expect((await write('a.txt', content, by('seven'))).error).toBeUndefined();
    expect((await write('empty.txt', 'x\n', by('seven'))).error).toBeUndefined();
    expect((await write('new.txt', 'x\n', by('seven'))).error).toBeUndefined();
    expect((await write('new.txt', 'y\n', by('seven'))).error).toBeUndefined();
    expect(await workspace.read('a.txt')).toBe('three\n');
  });

  it('is left to persons and programs that make the call themselves', async () => {
    await workspace.write({ 'a.txt': 'one\n' });
    expect((await write('a.txt', 'two\n', by(undefined))).error).toBeUndefined();
    expect((await write('a.txt', 'three\n')).error).toBeUndefined();
  });
});
