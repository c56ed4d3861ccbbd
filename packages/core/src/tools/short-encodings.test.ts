import { readFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { EditTool } from './edit.js';
import { ReadFileTool } from './read-file.js';
import type { ToolResult } from './tools.js';
import { WriteFileTool } from './write-file.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

const { signal } = new AbortController();
const CLEAR = '// 初始化配置：读取文件并检查参数\nint main() { return 0; }\n';

const bytesOf = (text: string, encoding: string): Buffer => iconv.encode(text, encoding, { addBOM: false });

async function read(name: string): Promise<string> {
  const result = await new ReadFileTool(config).execute({ absolute_path: workspace.path(name) }, signal);
  return typeof result.llmContent === 'string' ? result.llmContent : JSON.stringify(result.llmContent);
}

function edit(name: string, old_string: string, new_string: string): Promise<ToolResult> {
  return new EditTool(config).execute({ file_path: workspace.path(name), old_string, new_string }, signal);
}

describe('a short file that is not UTF-8', () => {
  it.each([
    ['gbk', 'name: 张三'],
    ['gbk', '<h1>首页</h1>'],
    ['gbk', '你好 = 1'],
    ['gbk', '// 测试'],
    ['gbk', 'title=首页;user=张三'],
    ['big5', '// 測試'],
    ['euc-kr', 'x = "끝"'],
    ['shift_jis', '# 朝'],
  ])(
    'is read and edited in the encoding that another file of the folder is clearly in (%s): %s',
    async (encoding, text) => {
      const clear: Readonly<Record<string, string>> = {
        gbk: CLEAR,
        big5: '// 初始化設定：讀取檔案並檢查參數是否正確\n',
        'euc-kr': '// 파일을 열고 설정을 읽은 다음 결과를 반환한다\n',
        shift_jis: '// ファイルを開いて設定を読み込み、結果を返します\n',
      };
      await workspace.write({
        'clear.c': bytesOf(clear[encoding] ?? '', encoding),
        'plain.c': 'int x;\n',
        's.txt': bytesOf(`${text}\nend\n`, encoding),
      });
      const shown = await read('s.txt');
      expect(shown).toContain(`1→${text}\n`);
      expect(shown).toContain(`encoded in ${encoding}; edits keep that`);
      expect((await edit('s.txt', 'end', 'END')).error).toBeUndefined();
      expect(await readFile(workspace.path('s.txt'))).toEqual(bytesOf(`${text}\nEND\n`, encoding));
      expect((await edit('s.txt', text, `${text}${text}`)).error).toBeUndefined();
      expect(await readFile(workspace.path('s.txt'))).toEqual(bytesOf(`${text}${text}\nEND\n`, encoding));
    },
  );

  it('is said to be a guess where no other file tells', async () => {
    await workspace.write({ 's.txt': bytesOf('name: 张三\n', 'gbk') });
    expect(await read('s.txt')).toMatch(/The encoding is a guess: [\w-]+\. The file has too few characters/);
  });

  it('keeps its accents beside a file of another encoding', async () => {
    await workspace.write({ 'clear.c': bytesOf(CLEAR, 'gbk'), 's.txt': bytesOf('// für déjà\n', 'windows-1252') });
    expect(await read('s.txt')).toContain('1→// für déjà\n');
  });
});

describe('a GBK file', () => {
  it('stays GBK: what it cannot hold is refused', async () => {
    await workspace.write({ 'a.c': bytesOf(CLEAR, 'gbk') });
    const { error } = await edit('a.c', 'return 0', 'return 0; // 😀');
    expect(error?.message).toContain('the file is gbk, which has no "😀" (U+1F600)');
    await edit('a.c', 'return 0', 'return 1; // 返回');
    expect(await readFile(workspace.path('a.c'))).toEqual(
      bytesOf(CLEAR.replace('return 0', 'return 1; // 返回'), 'gbk'),
    );
    const written = await new WriteFileTool(config).execute(
      { file_path: workspace.path('a.c'), content: '// 测试 ᠠ\n' },
      signal,
    );
    expect(written.error?.message).toContain('the file is gbk');
  });

  it('is GB18030 where it has characters that only that has', async () => {
    const text = CLEAR.replace('return 0;', 'return 0; /* 😀 */');
    await workspace.write({ 'a.c': bytesOf(text, 'gb18030') });
    expect(await read('a.c')).toContain('encoded in gb18030');
    expect((await edit('a.c', '😀', '😀😁')).error).toBeUndefined();
    expect(await readFile(workspace.path('a.c'))).toEqual(bytesOf(text.replace('😀', '😀😁'), 'gb18030'));
  });
});
