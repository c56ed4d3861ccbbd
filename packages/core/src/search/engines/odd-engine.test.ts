import {
  mkdtempSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  closeSync,
  ftruncateSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeJis } from '../../files/iso-2022-jp.js';
import { readHead, readTextWindow } from '../../files/read-text-window.js';
import type { FileLines } from '../report/shown-line.js';
import { createOddEngine, type OddEngine } from './odd-engine.js';

let root = '';
let engines: OddEngine[] = [];
const never = new AbortController().signal;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-odd-')));
});
afterEach(async () => {
  await Promise.all(engines.map(async (engine) => engine.close()));
  engines = [];
  rmSync(root, { recursive: true });
});

function engineFor(pattern: string): OddEngine {
  const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false };
  const engine = createOddEngine({ pattern: wanted, folder: { path: root, workingDirectory: root } });
  engines.push(engine);
  return engine;
}

interface Told {
  counted: Record<string, number>;
  binary: string[];
  notDecodable: string[];
  tooLarge: string[];
  failed: (string | undefined)[][];
}

async function count(engine: OddEngine, files: string[], signal: AbortSignal = never): Promise<Told> {
  const told: Told = { counted: {}, binary: [], notDecodable: [], tooLarge: [], failed: [] };
  const sink = {
    counted: (path: string, matches: number) => void (told.counted[path] = matches),
    binary: (path: string) => void told.binary.push(path),
    notDecodable: (path: string) => void told.notDecodable.push(path),
    tooLarge: (path: string) => void told.tooLarge.push(path),
    failed: (path: string | undefined, reason: string) => void told.failed.push([path, reason]),
  };
  await engine.count(files, sink, signal);
  return told;
}

async function lines(engine: OddEngine, path: string): Promise<FileLines | undefined> {
  let found: FileLines | undefined;
  const sink = {
    found: (_: string, told: FileLines) => void (found = told),
    failed: (name: string | undefined, reason: string) => expect.fail(`${name}: ${reason}`),
  };
  await engine.lines({ files: [{ path, maxMatches: 50_000 }], before: 0, after: 0 }, sink, never);
  return found;
}

/** The lines as `read_file` shows them, without carriage returns. */
async function readLines(path: string): Promise<string[]> {
  await using file = await open(join(root, path));
  const { size } = await file.stat();
  const head = await readHead(file, size);
  const all = { offset: 0, column: 0, limit: 50_000, maxBytes: 1e8, name: path, signal: never };
  const { lines: read } = await readTextWindow({ file, size, head, ...all });
  return read.map((line) => line.replace(/\r$/, ''));
}

const RUSSIAN = 'Это обычный русский текст, в котором ищется слово.\r\nВторая строка без него.\r\n';
const SAMPLES: readonly (readonly [encoding: string, text: string, needle: string])[] = [
  ['latin1', 'Un café au lait, s’il vous plaît\nDéjà vu\n'.replace('’', "'"), 'café'],
  ['windows-1252', 'He said “hello” — and it’s “fine”\nnothing else here\n', '“hello”'],
  ['Shift_JIS', '日本語のテキストです。検索してください。\n二行目はここにあります。\n', '検索'],
  ['gb18030', '这是一个中文的文本文件，我们在这里搜索。\n第二行没有。\n', '搜索'],
  ['euc-kr', '이것은 한국어 텍스트 파일입니다. 검색하세요.\n둘째 줄입니다.\n', '검색'],
  ['koi8-r', RUSSIAN, 'СЛОВО'],
  ['cp850', 'rem vérifie que la clé est présente\nrem ─────\necho ok\n', 'vérifie que'],
  ['windows-1255', '// הקובץ לא נמצא\nint x;\n', 'הקובץ'],
  ['shift_jis', '// ﾃｽﾄ ﾃﾞｰﾀ\nint x;\n', 'ﾃﾞｰﾀ'],
  ['utf-32le', '\ufeffplain wide text with é\nand a needle 😀\n', 'needle 😀'],
  ['utf-32be', '\ufeffplain wide text with é\nand a needle 😀\n', 'needle 😀'],
  ['utf-16le', 'plain wide text with é\nand a needle\n', 'needle'],
  ['utf-16be', 'plain wide text with é\nand a needle\n', 'needle'],
];

describe('odd files', () => {
  it.each(SAMPLES)('%s is found as the text that read_file shows', async (encoding, text, needle) => {
    writeFileSync(join(root, 'a'), iconv.encode(text, encoding, { addBOM: false }));
    expect(await count(engineFor(needle), ['a'])).toMatchObject({ counted: { a: 1 }, binary: [], failed: [] });
    const shown = (await lines(engineFor(''), 'a'))?.lines.map((line) => line.text);
    expect(shown).toEqual(await readLines('a'));
  });

  it('sees of each file what is in it, whatever was read before into the same room', async () => {
    const sizes = [70_000, 300, 9_000, 8_192, 200_000, 20, 65_536, 12_000];
    const files = sizes.map((size, at) => {
      const name = `f${at}`;
      // In every second file the first line and the last one hold a match.
      const end = at % 2 === 0 ? 'Nadel für die Straße' : 'Straße';
      const text = 'Mühle grün\n'.repeat(Math.ceil(size / 11)).slice(0, Math.max(0, size - 2 * end.length));
      writeFileSync(join(root, name), iconv.encode(`${end}\n${text}\n${end}`, 'windows-1252'));
      return name;
    });
    const { counted, failed, binary } = await count(engineFor('nadel'), files);
    expect({ counted, failed, binary }).toEqual({ counted: { f0: 2, f2: 2, f4: 2, f6: 2 }, failed: [], binary: [] });
    for (const name of files) {
      const found = await lines(engineFor('Straße'), name);
      expect(found?.lines.filter(({ column }) => column !== undefined)).toHaveLength(2);
    }
  });

  it('ISO-2022-JP is found as the text that read_file shows, and a log with colours is what it is', async () => {
    const text = '件名: 日本語のテキスト ｶﾅ です\nplain\n検索してください。\n';
    writeFileSync(join(root, 'a'), encodeJis(text));
    writeFileSync(join(root, 'log'), '\x1b[31mred\x1b[0m \x1b(B\x1b[m検索\n');
    expect((await count(engineFor('検索|ｶﾅ'), ['a', 'log'])).counted).toEqual({ a: 2, log: 1 });
    const shown = (await lines(engineFor(''), 'a'))?.lines.map((line) => line.text);
    expect(shown).toEqual(text.split('\n').slice(0, -1));
    expect(shown).toEqual(await readLines('a'));
  });

  it('damaged UTF-8 is searched as the text around the damage', async () => {
    const bytes = Buffer.concat([Buffer.from('é ü ö ß sound\nbad '), Buffer.from([0xff]), Buffer.from(' needle é\n')]);
    writeFileSync(join(root, 'a'), bytes);
    const found = await lines(engineFor('needle'), 'a');
    expect(found).toEqual({
      lines: [{ line: 2, column: 7, text: 'bad \ufffd needle é', cutBefore: 0, cutAfter: 0 }],
      matches: 1,
    });
    expect(found?.lines[0]?.text).toBe((await readLines('a'))[1]);
  });

  it('a large file is judged by more than its head, as read_file judges it', async () => {
    const text = `${'plain line of text\n'.repeat(80_000)}Un café, déjà vu à côté\n`;
    writeFileSync(join(root, 'a'), Buffer.from(text, 'latin1'));
    const found = await lines(engineFor('café'), 'a');
    expect(found?.lines[0]).toMatchObject({ line: 80_001, column: 4, text: 'Un café, déjà vu à côté' });
  });

  it('binary files and too large ones are told, not searched', async () => {
    writeFileSync(join(root, 'png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    writeFileSync(join(root, 'nul'), Buffer.concat([Buffer.alloc(500, 'needle\n'), Buffer.alloc(9000)]));
    for (const [name, start] of [
      ['huge', 'caf\xe9\n'.repeat(20_000)],
      ['huge-binary', '\0\x01\x02\x03'],
    ] as const) {
      const fd = openSync(join(root, name), 'w');
      writeFileSync(fd, Buffer.from(start, 'latin1'));
      ftruncateSync(fd, 65 * 1024 * 1024);
      closeSync(fd);
    }
    const told = await count(engineFor('needle'), ['png', 'nul', 'huge', 'huge-binary']);
    expect(told).toEqual({
      counted: {},
      binary: ['png', 'nul', 'huge-binary'],
      notDecodable: [],
      tooLarge: ['huge'],
      failed: [],
    });
  });

  it('texts that cannot be read are told as such', async () => {
    // `HELLO WORLD FROM A MAINFRAME`, as all code pages of EBCDIC have it.
    const ebcdic = 'c8c5d3d3d640e6d6d9d3c440c6d9d6d440c140d4c1c9d5c6d9c1d4c515';
    writeFileSync(join(root, 'ebcdic'), Buffer.from(ebcdic.repeat(3), 'hex'));
    writeFileSync(join(root, 'utf-32'), Buffer.from(`fffe0000${'61626364'.repeat(8)}`, 'hex'));
    const { counted, binary, notDecodable } = await count(engineFor('h'), ['ebcdic', 'utf-32']);
    expect({ counted, binary, notDecodable }).toEqual({ counted: {}, binary: [], notDecodable: ['ebcdic', 'utf-32'] });
  });

  it('only regular files are read, from where they were listed', async () => {
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), Buffer.from('caf\xe9', 'latin1'));
    symlinkSync('d', join(root, 'linked'));
    symlinkSync('d/a', join(root, 'link'));
    const told = await count(engineFor('caf'), ['linked/a', 'link', 'd', 'gone', 'd/a']);
    expect(told.counted).toEqual({ 'd/a': 1 });
    expect(told.failed).toEqual([
      ['linked/a', 'it was moved or replaced meanwhile'],
      ['link', 'it became a symbolic link'],
      ['d', 'not a regular file any more'],
      ['gone', 'it was deleted meanwhile'],
    ]);
  });

  it('ends a pattern that never ends', async () => {
    writeFileSync(join(root, 'a'), Buffer.from(`caf\xe9 ${'a'.repeat(60)}!`, 'latin1'));
    await expect(count(engineFor('(?:a+)+b'), ['a'], AbortSignal.timeout(300))).rejects.toThrow('timeout');
  });
});
