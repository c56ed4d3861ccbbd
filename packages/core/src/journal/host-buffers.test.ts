import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostFiles } from '../files/host-files.js';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { ToolNames } from '../tools/tool-names.js';
import { toParts, type ToolResult } from '../tools/tools.js';

/** An editor: buffers by path, and what it was given. */
class Editor {
  readonly buffers = new Map<string, string>();
  readonly given: (readonly [string, string])[] = [];
  fails = false;

  files(canWrite = true): HostFiles {
    const readText: HostFiles['readText'] = async (file) => (this.fails ? undefined : this.buffers.get(file));
    if (!canWrite) return { readText };
    return {
      readText,
      wroteText: async (file, text) => {
        if (this.fails) return false;
        this.given.push([file, text]);
        this.buffers.set(file, text);
        return true;
      },
    };
  }
}

let temp: TempConfig | undefined;
afterEach(async () => temp?.remove());

async function open(files: Readonly<Record<string, string>>, editor: Editor, canWrite = true) {
  temp = await createTempConfig({ entries: files, hostFiles: editor.files(canWrite) });
  const { config, workspace } = temp;
  const place = (name: string): string => path.join(workspace.root, name);
  // Files that were not written just now: there is nothing that an editor could still have to notice.
  const old = new Date(Date.now() - 60_000);
  for (const name of Object.keys(files)) await utimes(place(name), old, old);
  const call = (tool: string, args: object): Promise<ToolResult> => {
    const found = config.getToolRegistry().getTool(tool);
    if (found === undefined) throw new Error(`no ${tool}`);
    const context = { agent: 'main', callId: 'c', toolName: tool, title: 't', stillShown: () => false };
    return found.invoke(args).execute(new AbortController().signal, undefined, context);
  };
  return { config, place, call };
}

function textOf({ llmContent }: ToolResult): string {
  return toParts(llmContent)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}

describe('what an editor has not saved', () => {
  it('is what is read, by every tool that reads', async () => {
    const editor = new Editor();
    const { place, call } = await open({ 'a.txt': 'saved\n' }, editor);
    editor.buffers.set(place('a.txt'), 'unsaved\n');
    expect(textOf(await call(ToolNames.READ_FILE, { absolute_path: place('a.txt') }))).toContain('unsaved');
    expect(textOf(await call(ToolNames.READ_MANY_FILES, { paths: [place('a.txt')] }))).toContain('unsaved');
  });

  it('is what an edit is made of; the editor gets the result, and undo has what was on the disk', async () => {
    const editor = new Editor();
    const { place, call, config } = await open({ 'a.txt': 'one\ntwo\n' }, editor);
    const file = place('a.txt');
    editor.buffers.set(file, 'one\ntwo\nthree, unsaved\n');
    const result = await call(ToolNames.EDIT, { file_path: file, old_string: 'three', new_string: 'THREE' });
    expect(result.error).toBeUndefined();
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\nTHREE, unsaved\n');
    expect(editor.given).toEqual([[file, 'one\ntwo\nTHREE, unsaved\n']]);
    expect(result.returnDisplay).toMatchObject({ originalContent: 'one\ntwo\nthree, unsaved\n' });
    const { createUndo } = await import('./undo.js');
    const { FileJournal } = await import('./file-journal.js');
    const gate = config.getWorkspaceGate();
    const undo = createUndo({ gate, journal: new FileJournal({ gate, folder: temp?.journalDir ?? '' }) });
    expect((await undo.undo()).complete).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  });

  it('keeps an edit away where the editor cannot be given the result, and nothing is changed', async () => {
    const editor = new Editor();
    const { place, call } = await open({ 'a.txt': 'one\n' }, editor, false);
    editor.buffers.set(place('a.txt'), 'one\nmore\n');
    const result = await call(ToolNames.EDIT, { file_path: place('a.txt'), old_string: 'one', new_string: '1' });
    expect(result.error).toMatchObject({ type: 'file_has_unsaved_changes' });
    expect(result.error?.message).toContain('Ask the user to save');
    expect(await readFile(place('a.txt'), 'utf8')).toBe('one\n');
  });

  it('is not known when the editor fails: then what is on the disk counts', async () => {
    const editor = new Editor();
    editor.fails = true;
    const { place, call } = await open({ 'a.txt': 'one\n' }, editor);
    const result = await call(ToolNames.EDIT, { file_path: place('a.txt'), old_string: 'one', new_string: '1' });
    expect(result.error).toBeUndefined();
    expect(await readFile(place('a.txt'), 'utf8')).toBe('1\n');
  });

  it('is told from other line endings and a byte order mark, which stay in the file', async () => {
    const editor = new Editor();
    const { place, call } = await open({ 'a.txt': '\ufeffone\r\ntwo\r\n' }, editor);
    const file = place('a.txt');
    editor.buffers.set(file, 'one\ntwo\n');
    await call(ToolNames.EDIT, { file_path: file, old_string: 'one', new_string: '1' });
    expect(await readFile(file, 'utf8')).toBe('\ufeff1\r\ntwo\r\n');
    editor.buffers.set(file, '1\ntwo\nthree\n');
    const old = new Date(Date.now() - 60_000);
    await utimes(file, old, old);
    await call(ToolNames.EDIT, { file_path: file, old_string: 'two', new_string: '2' });
    expect(await readFile(file, 'utf8')).toBe('\ufeff1\r\n2\r\nthree\r\n');
  });

  it('is not what an editor shows that has not noticed yet that a command changed the file', async () => {
    const editor = new Editor();
    const { place, call } = await open({ 'a.txt': 'before\n' }, editor);
    const file = place('a.txt');
    editor.buffers.set(file, 'before\n');
    expect(textOf(await call(ToolNames.READ_FILE, { absolute_path: file }))).toContain('before');
    await writeFile(file, 'after\n');
    expect(textOf(await call(ToolNames.READ_FILE, { absolute_path: file }))).toContain('after');
  });

  it('makes an approval void when the person types on before the edit is made', async () => {
    const editor = new Editor();
    const { place, config } = await open({ 'a.txt': 'one\n' }, editor);
    const file = place('a.txt');
    editor.buffers.set(file, 'one, unsaved\n');
    const tool = config.getToolRegistry().getTool(ToolNames.EDIT);
    const invocation = tool?.build({ file_path: file, old_string: 'one', new_string: '1' });
    const { signal } = new AbortController();
    const details = await invocation?.confirmationDetails?.(signal);
    expect(details).toMatchObject({ originalContent: 'one, unsaved\n', newContent: '1, unsaved\n' });
    editor.buffers.set(file, 'one, unsaved and more\n');
    const result = (await invocation?.execute(signal)) as ToolResult;
    expect(result.error).toMatchObject({ type: 'file_changed' });
    expect(await readFile(file, 'utf8')).toBe('one\n');
  });

  it('leaves files alone that are no text of UTF-8: an editor shows them as something else', async () => {
    const editor = new Editor();
    const { place, call } = await open({ 'a.txt': 'x' }, editor);
    const file = place('a.txt');
    await writeFile(file, Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x65, 0x0a]));
    const old = new Date(Date.now() - 60_000);
    await utimes(file, old, old);
    editor.buffers.set(file, 'gr\ufffd\ufffde\n');
    expect(textOf(await call(ToolNames.READ_FILE, { absolute_path: file }))).toContain('grüße');
  });
});
