import { chmod, readdir, readFile, stat, truncate } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { createTempConfig } from '../testing/temp-config.js';
import { isModifiableTool } from './modifiable-tool.js';
import { Kind, type ToolResult } from './tools.js';
import { getCorrectedFileContent, WriteFileTool } from './write-file.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new WriteFileTool(config);
afterEach(reset);
afterAll(remove);

describe('WriteFileTool', () => {
  const { signal } = new AbortController();
  function write(name: string, content: string): Promise<ToolResult> {
    return tool.execute({ file_path: workspace.path(name), content }, signal);
  }

  it('creates a file with its missing folders (S77, S78)', async () => {
    const result = await write('src/new/a.ts', 'one\ntwo\n');
    expect(result.llmContent).toBe(`Created ${workspace.path('src/new/a.ts')} (2 lines, 8 bytes).`);
    expect(result.returnDisplay).toMatchObject({ fileName: 'a.ts', originalContent: '', newContent: 'one\ntwo\n' });
    expect(await workspace.read('src/new/a.ts')).toBe('one\ntwo\n');
  });

  it('overwrites completely, with a short answer (S79)', async () => {
    await workspace.write({ 'a.txt': 'old\n'.repeat(1000) });
    const result = await write('a.txt', 'new\n'.repeat(500_000));
    expect(result.llmContent).toBe(`Overwrote ${workspace.path('a.txt')} (500000 lines, 2000000 bytes).`);
    expect(await workspace.read('a.txt')).toBe('new\n'.repeat(500_000));
  });

  it('takes what is too long for a model as it is, marks of something left out included', async () => {
    const line = '// ... rest of the code unchanged ...\n';
    const { error } = await write('short.ts', `a();\n${line}`);
    expect(error?.type).toBe('invalid_tool_params');
    expect(error?.message).toBe(
      'Nothing was written. Line 2 of content: The new text has a placeholder for code that is left out (`// ... rest of the code unchanged ...`); write out the real lines. Or change parts of the file with edit.',
    );
    expect((await write('long.ts', 'code();\n'.repeat(150_000) + line)).error).toBeUndefined();
  });

  it('overwrites no function by a placeholder for it, and writes no signs of the call', async () => {
    const text = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n';
    await workspace.write({ 'a.ts': text });
    const { error } = await write('a.ts', 'function a() {\n  return 10;\n}\n\n// ...\n');
    expect(error?.message).toContain('Line 5 of content');
    expect(error?.message).toContain('or leave it out if the lines it stands for are to go');
    const tagged = await write('a.ts', 'a();\n</content>\n</invoke>\n');
    expect(tagged.error?.message).toContain('The content to send:\n```\na();\n```');
    expect(await workspace.read('a.ts')).toBe(text);
  });

  it('keeps the BOM (S80)', async () => {
    await workspace.write({ 'a.txt': '\ufeffold\n' });
    await write('a.txt', 'new\n');
    expect(await workspace.read('a.txt')).toBe('\ufeffnew\n');
  });

  it('keeps CRLF where all lines have it, and says so; anything else is written as given', async () => {
    await workspace.write({ 'win.txt': 'a\r\nb\r\n', 'mixed.txt': 'a\r\nb\n' });
    expect((await write('win.txt', 'x\ny\n')).llmContent).toContain('line endings stay CRLF');
    expect(await workspace.read('win.txt')).toBe('x\r\ny\r\n');
    await write('mixed.txt', 'x\ny\n');
    expect(await workspace.read('mixed.txt')).toBe('x\ny\n');
  });

  it('respects read-only files (S81)', async () => {
    await workspace.write({ 'a.txt': 'old' });
    await chmod(workspace.path('a.txt'), 0o444);
    const result = await write('a.txt', 'new');
    // Root may write whatever the mode says.
    if (process.getuid?.() === 0) expect((await stat(workspace.path('a.txt'))).mode & 0o777).toBe(0o444);
    else expect(result.error?.type).toBe('permission_denied');
  });

  it('shows a diff for approval (S54, S58, S83)', async () => {
    await workspace.write({ 'a.txt': 'old\n' });
    const details = await tool.shouldConfirmExecute({ file_path: workspace.path('a.txt'), content: 'new\n' }, signal);
    expect(details).toMatchObject({
      type: 'edit',
      title: 'Confirm Write: a.txt',
      fileDiff: expect.stringContaining('--- a.txt\tCurrent\n+++ a.txt\tProposed\n@@ -1,1 +1,1 @@\n-old\n+new'),
      originalContent: 'old\n',
      newContent: 'new\n',
    });
  });

  it('does not ask in AUTO_EDIT (S55, S83)', async () => {
    config.setApprovalMode(ApprovalMode.AUTO_EDIT);
    expect(await tool.shouldConfirmExecute({ file_path: workspace.path('a.txt'), content: 'x' }, signal)).toBe(false);
  });

  it('refuses a file that changed after it was approved, until it is asked about again', async () => {
    await workspace.write({ 'a.txt': 'old\n' });
    const invocation = tool.build({ file_path: workspace.path('a.txt'), content: 'new\n' });
    await invocation.shouldConfirmExecute?.(signal);
    await workspace.write({ 'a.txt': 'changed by someone\n' });
    expect((await invocation.execute(signal)).error?.type).toBe('file_changed');
    expect(await workspace.read('a.txt')).toBe('changed by someone\n');
    expect(await invocation.shouldConfirmExecute?.(signal)).toMatchObject({ originalContent: 'changed by someone\n' });
    expect((await invocation.execute(signal)).error).toBeUndefined();
    expect(await workspace.read('a.txt')).toBe('new\n');
  });

  it('refuses a file that appeared after its creation was approved', async () => {
    const invocation = tool.build({ file_path: workspace.path('a.txt'), content: 'new\n' });
    await invocation.shouldConfirmExecute?.(signal);
    await workspace.write({ 'a.txt': 'here first\n' });
    expect((await invocation.execute(signal)).error?.type).toBe('file_changed');
    expect(await workspace.read('a.txt')).toBe('here first\n');
  });

  it('says that nothing would change', async () => {
    await workspace.write({ 'a.txt': 'same\n' });
    const result = await write('a.txt', 'same\n');
    expect(result.error).toBeUndefined();
    expect(result.llmContent).toContain('nothing was written');
  });

  it('gives original and corrected content (S57)', async () => {
    await workspace.write({ 'win.txt': 'a\r\n' });
    expect(await getCorrectedFileContent(config, workspace.path('win.txt'), 'b\n')).toEqual({
      originalContent: 'a\r\n',
      correctedContent: 'b\r\n',
    });
    expect(await getCorrectedFileContent(config, workspace.path('none'), 'b\n')).toEqual({
      originalContent: '',
      correctedContent: 'b\n',
    });
  });

  it('writes exactly what the person made of it (S56, S82)', async () => {
    await workspace.write({ 'win.txt': 'a\r\n' });
    expect(isModifiableTool(tool)).toBe(true);
    const context = tool.getModifyContext(signal);
    const params = { file_path: workspace.path('win.txt'), content: 'b\n' };
    expect(context.getFilePath(params)).toBe(params.file_path);
    expect(await context.getCurrentContent(params)).toBe('a\r\n');
    expect(await context.getProposedContent(params)).toBe('b\r\n');
    await tool.build(context.createUpdatedParams('a\r\n', 'mine\nand\r\nmine', params)).execute(signal);
    expect(await workspace.read('win.txt')).toBe('mine\nand\r\nmine');
  });

  it('refuses folders and paths outside, with codes that say why (S60, S61)', async () => {
    await workspace.write({ 'dir/': '', file: 'old' });
    expect((await write('dir', 'x')).error?.type).toBe('target_is_directory');
    const code = async (path: string): Promise<string | undefined> =>
      (await tool.execute({ file_path: path, content: 'x' }, signal)).error?.type;
    expect(await code('/x')).toBe('path_not_in_workspace');
    expect(await code('x')).toBe('path_not_absolute');
    expect(await code(`${workspace.path('new')}/`)).toBe('target_is_directory');
    expect(await code(`${workspace.path('new')}/.`)).toBe('target_is_directory');
    expect(await code(`${workspace.path('file')}/`)).toBe('path_is_not_a_directory');
    expect((await readdir(workspace.root)).sort()).toEqual(['dir', 'file']);
    expect(await workspace.read('file')).toBe('old');
    expect(tool.validateToolParams({ file_path: 'x', content: '' })).toMatch(
      /^Path must be absolute: x\. In the workspace it is .*\/x\.$/,
    );
    expect(tool.validateToolParams({ file_path: '/x', content: '' })).toMatch(
      /^Path must be within workspace: \/x\. Give one in /,
    );
  });

  it('overwrites what is no text, and says what that was (S79)', async () => {
    const damaged = Buffer.concat([Buffer.from('größer für müde Bären €\n'), Buffer.from([0xff])]);
    await workspace.write({
      'a.png': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0', 'latin1'),
      'b.bin': new Uint8Array([0, 1, 2]),
      'c.txt': damaged,
    });
    const details = await tool.shouldConfirmExecute({ file_path: workspace.path('a.png'), content: 'ä\n' }, signal);
    expect(details).toMatchObject({
      originalContent: '[Not shown: an image (image/png) of 12 bytes. It is replaced as a whole.]\n',
      newContent: 'ä\n',
    });
    expect((await write('a.png', 'ä\n')).llmContent).toBe(
      `Overwrote ${workspace.path('a.png')} (1 line, 3 bytes). It was an image (image/png) of 12 bytes; now it is UTF-8 text.`,
    );
    expect((await write('b.bin', 'x')).error).toBeUndefined();
    expect((await write('c.txt', 'größer\n')).error).toBeUndefined();
    expect([await workspace.read('a.png'), await workspace.read('b.bin'), await workspace.read('c.txt')]).toEqual([
      'ä\n',
      'x',
      'größer\n',
    ]);
  });

  it('overwrites a file that is too large to be shown (S79)', async () => {
    await workspace.write({ 'big.txt': 'old\n' });
    await truncate(workspace.path('big.txt'), 65 * 1024 * 1024);
    const params = { file_path: workspace.path('big.txt'), content: 'small\n' };
    expect(await tool.shouldConfirmExecute(params, signal)).toMatchObject({
      originalContent: expect.stringContaining('68157440 bytes') as string,
    });
    expect((await tool.execute(params, signal)).error).toBeUndefined();
    expect(await workspace.read('big.txt')).toBe('small\n');
  });

  it('does not write over a binary file that is not the one that was shown', async () => {
    await workspace.write({ 'a.bin': new Uint8Array([0, 1, 2]) });
    const invocation = tool.build({ file_path: workspace.path('a.bin'), content: 'x' });
    await invocation.shouldConfirmExecute?.(signal);
    await workspace.write({ 'a.bin': new Uint8Array([0, 1, 3]) });
    expect((await invocation.execute(signal)).error?.type).toBe('file_changed');
    expect(await readFile(workspace.path('a.bin'))).toEqual(Buffer.from([0, 1, 3]));
  });

  it('states what it writes, through links', async () => {
    await workspace.write({ 'real.txt': 'x', 'link.txt': { linkTo: 'real.txt' } });
    const invocation = tool.build({ file_path: workspace.path('link.txt'), content: 'y' });
    expect(await invocation.effects?.()).toEqual([
      { kind: 'write', path: workspace.path('real.txt'), requested: workspace.path('link.txt'), zone: 'workspace' },
    ]);
    expect(invocation.toolLocations?.()).toEqual([{ path: workspace.path('link.txt') }]);
    expect(invocation.getDescription()).toBe('link.txt');
    expect([tool.name, tool.displayName, tool.kind]).toEqual(['write_file', 'WriteFile', Kind.Edit]);
  });
});
