import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { IgnoreRules } from './ignore-rules.js';
import { QWEN_IGNORE } from './ignore-stack.js';
import { LocalFileSystem } from './local-file-system.js';
import { WorkspaceGate } from './workspace-gate.js';
import { contentHash } from './write-handle.js';

describe('LocalFileSystem', () => {
  let workspace: TempWorkspace;
  let temp: TempWorkspace;
  let files: LocalFileSystem;
  beforeEach(async () => {
    workspace = await createTempWorkspace();
    temp = await createTempWorkspace();
    const ignore = new IgnoreRules(QWEN_IGNORE, [workspace.root]);
    files = new LocalFileSystem(new WorkspaceGate({ roots: [workspace.root], tempDir: temp.root, ignore }));
  });
  afterEach(async () => {
    await workspace.remove();
    await temp.remove();
  });

  const bytesOf = (name: string): Promise<Buffer> => readFile(workspace.path(name));

  it('writes a new file as UTF-8 and makes its folders (S78)', async () => {
    const report = await files.writeTextFile(workspace.path('a/b/c.txt'), 'größe\n');
    expect(report).toEqual({ path: workspace.path('a/b/c.txt'), created: true, bytes: 8 });
    expect(await workspace.read('a/b/c.txt')).toBe('größe\n');
  });

  it('keeps BOM, encoding and mode of an existing file (S80)', async () => {
    const texts = {
      'bom.txt': ['utf-8', true],
      'wide.txt': ['utf-16le', true],
      'old.txt': ['windows-1252', false],
    } as const;
    for (const [name, [encoding, addBOM]] of Object.entries(texts)) {
      await writeFile(workspace.path(name), iconv.encode('naïve “quotes” über alles\n', encoding, { addBOM }));
      await chmod(workspace.path(name), 0o750);
      const { text } = await files.readTextFile(workspace.path(name));
      await files.writeTextFile(workspace.path(name), text.replace('alles', 'Österreich'));
      const expected = iconv.encode('naïve “quotes” über Österreich\n', encoding, { addBOM });
      expect(Buffer.compare(await bytesOf(name), expected)).toBe(0);
      expect((await stat(workspace.path(name))).mode & 0o777).toBe(0o750);
    }
  });

  it('does not double a BOM that the content brings too (S80)', async () => {
    await workspace.write({ 'a.txt': '\ufeffold' });
    await files.writeTextFile(workspace.path('a.txt'), '\ufeffnew');
    expect(await workspace.read('a.txt')).toBe('\ufeffnew');
  });

  it('refuses a write when the file is not the expected one, and leaves it alone', async () => {
    await workspace.write({ 'a.txt': 'theirs' });
    const path = workspace.path('a.txt');
    const expected = contentHash(Buffer.from('mine'));
    await expect(files.writeTextFile(path, 'x', { expected })).rejects.toMatchObject({ code: 'file_changed' });
    await expect(files.writeTextFile(path, 'x', { expected: 'missing' })).rejects.toMatchObject({
      code: 'file_changed',
    });
    expect(await workspace.read('a.txt')).toBe('theirs');
    const { hash } = await files.readTextFile(path);
    await files.writeTextFile(path, 'x', { expected: hash });
    expect(await workspace.read('a.txt')).toBe('x');
  });

  const shiftJis = iconv.encode('日本語のテキストファイルです。文字コードを正しく判定します。\n', 'shift_jis');
  /** Not all of it is text in the encoding that the rest is in. */
  const damaged = Buffer.concat([shiftJis, shiftJis, Buffer.from([0xfd, 0xff])]);

  it('refuses to write over binary files and those that it could not give back, and tells before', async () => {
    await workspace.write({ 'a.bin': new Uint8Array([1, 0, 2, 0, 0]), 'b.txt': damaged, 'c.txt': shiftJis });
    await expect(files.writeTextFile(workspace.path('a.bin'), 'x')).rejects.toMatchObject({ code: 'binary_file' });
    expect(await files.readTextFile(workspace.path('b.txt'))).toMatchObject({ faithful: false });
    expect(await files.readTextFile(workspace.path('c.txt'))).not.toHaveProperty('faithful');
    await expect(files.writeTextFile(workspace.path('b.txt'), 'x')).rejects.toMatchObject({
      code: 'file_write_failure',
    });
    expect(Buffer.compare(await bytesOf('b.txt'), damaged)).toBe(0);
  });

  it('changes no stray byte of damaged UTF-8 outside an edit', async () => {
    const [start, end] = [Buffer.from('größer für müde Bären €\nold '), Buffer.from([0xff, 0x0a, 0xc3])];
    await workspace.write({ 'a.txt': Buffer.concat([start, end]) });
    const { text, hash } = await files.readTextFile(workspace.path('a.txt'));
    await files.writeTextFile(workspace.path('a.txt'), text.replace('old', 'new'), { expected: hash });
    const expected = Buffer.concat([Buffer.from(start.toString().replace('old', 'new')), end]);
    expect(Buffer.compare(await bytesOf('a.txt'), expected)).toBe(0);
  });

  it('overwrites them in UTF-8 when told to, if they are still the same', async () => {
    await workspace.write({ 'a.gz': new Uint8Array([0x1f, 0x8b, 0, 0]), 'b.txt': damaged });
    const facts = await files.describeFile(workspace.path('a.gz'));
    expect(facts).toEqual({ hash: contentHash(await bytesOf('a.gz')), bytes: 4, kind: 'gzip data' });
    const options = { overwrite: true, expected: facts.hash };
    await files.writeTextFile(workspace.path('a.gz'), 'ä', options);
    await files.writeTextFile(workspace.path('b.txt'), 'ö', { overwrite: true });
    expect([await workspace.read('a.gz'), await workspace.read('b.txt')]).toEqual(['ä', 'ö']);
    await expect(files.writeTextFile(workspace.path('a.gz'), 'x', options)).rejects.toMatchObject({
      code: 'file_changed',
    });
  });

  it('reads and writes only where the path was judged to lead', async () => {
    await workspace.write({ 'a.txt': 'a', 'b.txt': 'b', link: { linkTo: 'b.txt' } });
    const path = workspace.path('link');
    const options = { resolvedPath: workspace.path('a.txt') };
    await expect(files.readTextFile(path, options)).rejects.toMatchObject({ code: 'file_changed' });
    await expect(files.describeFile(path, options)).rejects.toMatchObject({ code: 'file_changed' });
    await expect(files.writeTextFile(path, 'x', options)).rejects.toMatchObject({ code: 'file_changed' });
    expect((await files.readTextFile(path, { resolvedPath: workspace.path('b.txt') })).text).toBe('b');
  });

  it('writes nothing that the encoding of the file cannot hold', async () => {
    const bytes = iconv.encode('naïve “quotes” über alles\n', 'windows-1252');
    await workspace.write({ 'old.txt': bytes });
    await expect(files.writeTextFile(workspace.path('old.txt'), '漢')).rejects.toMatchObject({
      code: 'file_write_failure',
    });
    expect(Buffer.compare(await bytesOf('old.txt'), bytes)).toBe(0);
  });

  it('does not read outside the gate', async () => {
    await expect(files.readTextFile('/etc/hostname')).rejects.toMatchObject({ code: 'path_not_in_workspace' });
    await expect(files.readTextFile(workspace.path('none'))).rejects.toMatchObject({ code: 'file_not_found' });
  });

  it.runIf(process.platform === 'linux')('reads no file that the kernel makes up', async () => {
    const ignore = new IgnoreRules(QWEN_IGNORE, [`/proc/${process.pid}`]);
    const inProc = new LocalFileSystem(
      new WorkspaceGate({ roots: [`/proc/${process.pid}`], tempDir: temp.root, ignore }),
    );
    await expect(inProc.readTextFile(`/proc/${process.pid}/status`)).rejects.toMatchObject({
      code: 'not_a_regular_file',
    });
  });
});
