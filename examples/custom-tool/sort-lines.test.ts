import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode, createToolSystem, openUndo, type CallEvent, type ToolSystem } from '@tenon/core';
import { createTempWorkspace, type TempWorkspace } from '@tenon/core/testing';
import { SortLinesTool } from './sort-lines.js';

let workspace: TempWorkspace;
let home: TempWorkspace;
let system: ToolSystem;

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'names.txt': 'b\r\na\r\nc' });
  home = await createTempWorkspace();
  system = await createToolSystem({
    roots: [workspace.root],
    tenonHome: join(home.root, 'state'),
    userHome: home.root,
    approvalMode: ApprovalMode.AUTO_EDIT,
    rules: [{ list: 'deny', text: 'Edit(locked.txt)', origin: 'the test' }],
    environment: process.env,
    extraTools: (config) => [new SortLinesTool(config)],
  });
});

afterEach(async () => {
  await system.close();
  await workspace.remove();
  await home.remove();
});

async function sort(...names: string[]): Promise<Extract<CallEvent, { type: 'tool-call-end' }>[]> {
  const calls = names.map((name, index) => ({
    callId: String(index),
    toolName: SortLinesTool.Name,
    argumentsText: JSON.stringify({ file_path: join(workspace.root, name) }),
  }));
  const ends = [];
  for await (const event of system.runCalls(calls, new AbortController().signal)) {
    if (event.type === 'tool-call-end') ends.push(event);
  }
  return ends.toSorted((one, other) => one.callId.localeCompare(other.callId));
}

const read = (name: string): Promise<string> => readFile(join(workspace.root, name), 'utf8');

describe('SortLinesTool', () => {
  it('takes part in the journal: its changes are listed, undone and redone', async () => {
    await chmod(join(workspace.root, 'names.txt'), 0o640);
    expect(await sort('names.txt')).toMatchObject([{ status: 'success' }]);
    expect(await read('names.txt')).toBe('a\r\nb\r\nc');

    const undo = openUndo({ roots: [workspace.root], tenonHome: join(home.root, 'state') });
    const { calls } = await undo.log();
    expect(calls).toMatchObject([
      {
        toolName: 'sort_lines',
        title: join(workspace.root, 'names.txt'),
        files: [{ change: 'modified', name: 'names.txt' }],
      },
    ]);
    await undo.undo({ last: 1 });
    expect(await read('names.txt')).toBe('b\r\na\r\nc');
    await undo.redo();
    expect(await read('names.txt')).toBe('a\r\nb\r\nc');
    expect((await stat(join(workspace.root, 'names.txt'))).mode & 0o777).toBe(0o640);
  });

  it('is judged by its effects: rules of files hold for it, and nothing outside is touched', async () => {
    await writeFile(join(workspace.root, 'locked.txt'), 'b\na\n');
    await writeFile(join(home.root, 'outside.txt'), 'b\na\n');
    await symlink(join(home.root, 'outside.txt'), join(workspace.root, 'link.txt'));
    const [locked, link] = await sort('locked.txt', 'link.txt');
    expect(locked).toMatchObject({ status: 'denied' });
    expect(link).toMatchObject({ status: 'error' });
    expect(await read('locked.txt')).toBe('b\na\n');
    expect(await readFile(join(home.root, 'outside.txt'), 'utf8')).toBe('b\na\n');
  });

  it('changes a file once where two calls want the same, one after the other', async () => {
    const contents = (await sort('names.txt', 'names.txt')).map(({ content }) => JSON.stringify(content));
    expect(contents[0]).toContain('Sorted 3 lines');
    expect(contents[1]).toContain('sorted already');
  });
});
