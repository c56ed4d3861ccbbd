import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openPdf } from '../files/pdf-text.js';
import { contentHash } from '../files/write-handle.js';
import { estimateTokens } from '../output/estimate-tokens.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ReadFileTool, type ReadFileToolParams } from './read-file.js';
import { toParts, type ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new ReadFileTool(config);
const { signal } = new AbortController();
afterEach(reset);
afterAll(remove);

interface SamplePdf {
  readonly encrypted?: boolean;
  /** Bytes that mean nothing, to make the file large. */
  readonly padding?: number;
  readonly font?: string;
}

const LATIN = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
/** Its characters stand in a table of Adobe's that PDFs name and do not have. */
const JAPANESE = `<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /90ms-RKSJ-H /DescendantFonts [
  << /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /DW 1000
     /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>
     /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /ItalicAngle 0 /Ascent 800
       /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 900] >> >>] >>`;
/** Numbers of glyphs, and nothing that says which characters they are. */
const GLYPHS = `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Any /Encoding /Identity-H /DescendantFonts [
  << /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Any /DW 1000
     /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
     /FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Any /Flags 4 /ItalicAngle 0 /Ascent 800
       /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 900] >> >>] >>`;

/** A PDF with these lines of text on its pages. */
function samplePdf(
  pages: readonly (readonly string[])[],
  { encrypted = false, padding = 0, font = LATIN }: SamplePdf = {},
): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font,
  ];
  for (const [index, lines] of pages.entries()) {
    const text = `BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(' ')} ET`;
    const resources = '/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>';
    objects.push(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + 2 * index} 0 R >>`);
    objects.push(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
  }
  let out = `%PDF-1.4\n%${' '.repeat(padding)}\n`;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(out.length);
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const key = `<${'41'.repeat(32)}>`;
  const lock = encrypted
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [${key} ${key}]`
    : '';
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${lock} >>\nstartxref\n${out.length}\n%%EOF\n`;
  return Buffer.from(`${out}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

describe('ReadFileTool with a PDF', () => {
  function read(name: string, more: Partial<ReadFileToolParams> = {}): Promise<ToolResult> {
    return tool.execute({ absolute_path: workspace.path(name), ...more }, signal);
  }

  function textOf({ llmContent }: ToolResult): string {
    return toParts(llmContent)
      .map((part) => ('text' in part ? part.text : ''))
      .join('');
  }

  const three = samplePdf([['One', 'and more'], ['Two'], ['Three']]);

  it('gives it as base64 with its type (S71)', async () => {
    await workspace.write({ 'a.pdf': three });
    expect((await read('a.pdf')).llmContent).toEqual({
      inlineData: { data: three.toString('base64'), mimeType: 'application/pdf' },
    });
  });

  it('gives the pages that are asked for as text, each under its number', async () => {
    await workspace.write({ 'a.pdf': three });
    expect((await read('a.pdf', { pages: '1-2' })).llmContent).toBe(
      '--- page 1 of 3 ---\nOne\nand more\n--- page 2 of 3 ---\nTwo\n\n[Pages 1-2 of 3 shown. To go on, use pages: "3-".]',
    );
    expect((await read('a.pdf', { pages: '3' })).llmContent).toBe('--- page 3 of 3 ---\nThree\n\n[Page 3 of 3 shown.]');
    expect((await read('a.pdf', { pages: '1-' })).llmContent).toMatch(/Three$/);
  });

  it('says how many pages there are when others are asked for', async () => {
    await workspace.write({ 'a.pdf': three });
    const { error } = await read('a.pdf', { pages: '7-9' });
    expect(error?.type).toBe('invalid_tool_params');
    expect(error?.message).toBe('There is no page 7. There are 3: use "1-3", or a part of that.');
    expect((await read('a.pdf', { pages: '3-1' })).error?.message).toContain('Not a range');
    expect((await read('a.pdf', { pages: 'all' })).error?.type).toBe('invalid_tool_params');
  });

  it('keeps to the size of one answer, by whole pages, and can be read on to the end (S73)', async () => {
    const pages = Array.from({ length: 48 }, (_, page) =>
      Array.from({ length: 50 }, (__, line) => `page ${page} line ${line} lorem ipsum dolor sit amet`),
    );
    await workspace.write({ 'a.pdf': samplePdf(pages) });
    let [from, text, answers] = ['1-', '', 0];
    for (; from !== '' && answers < 20; answers += 1) {
      const answer = textOf(await read('a.pdf', { pages: from }));
      expect(Buffer.byteLength(answer)).toBeLessThan(48 * 1024);
      expect(estimateTokens(answer)).toBeLessThan(12_000);
      text += answer;
      from = /To go on, use pages: "(\d+-)"/.exec(answer)?.[1] ?? '';
    }
    expect(answers).toBeGreaterThan(1);
    expect(text.match(/page \d+ line \d+ lorem/g)).toEqual(
      pages.flat().map((line) => line.slice(0, line.indexOf(' ipsum'))),
    );
  });

  it('gives text at once where the file is too large to be sent', async () => {
    await workspace.write({ 'a.pdf': samplePdf([['One']], { padding: 11 * 1024 * 1024 }) });
    const { llmContent } = await read('a.pdf');
    expect(llmContent).toContain('--- page 1 of 1 ---\nOne\n');
    expect(llmContent).toContain('too large to be shown as it is');
  });

  it('says what is wrong with one that is encrypted or damaged', async () => {
    await workspace.write({
      'locked.pdf': samplePdf([['One']], { encrypted: true }),
      'broken.pdf': '%PDF-1.4\nnothing that a PDF has',
    });
    const locked = await read('locked.pdf', { pages: '1' });
    expect(locked.error).toMatchObject({ type: 'read_content_failure', message: expect.stringContaining('password') });
    const broken = await read('broken.pdf', { pages: '1' });
    expect(broken.error).toMatchObject({ type: 'read_content_failure', message: expect.stringContaining('damaged') });
  });

  it('gives up on a page that takes too long, and on all of it when the call is cancelled', async () => {
    const open = (stop: AbortSignal, maxMilliseconds: number): Promise<unknown> =>
      openPdf({ bytes: Buffer.from(new Uint8Array(three).buffer), name: 'a.pdf', signal: stop, maxMilliseconds });
    await expect(open(signal, 0)).rejects.toMatchObject({ message: expect.stringContaining('it took too long') });
    const cancelled = new AbortController();
    const opening = open(cancelled.signal, 60_000);
    cancelled.abort(new Error('stop'));
    await expect(opening).rejects.toThrow('stop');
  });

  it('gives up on one that takes too much work or memory, however long the clock allows', async () => {
    const hard = samplePdf([[`a) Tj ${'q '.repeat(3_000_000)} (b`]]);
    const bytes = Buffer.from(new Uint8Array(hard).buffer);
    const readFirst = async (): Promise<void> => {
      const document = await openPdf({
        bytes,
        name: 'a.pdf',
        signal,
        maxMilliseconds: 300_000,
        maxWorkMilliseconds: 700,
      });
      try {
        await document.page(1);
      } finally {
        await document.close();
      }
    };
    await expect(readFirst()).rejects.toMatchObject({
      code: 'read_content_failure',
      message: expect.stringMatching(/it takes too much (?:work|memory)/),
    });
  });

  it('says that lines of a PDF cannot be asked for', async () => {
    await workspace.write({ 'a.pdf': three });
    const parts = toParts((await read('a.pdf', { offset: 3 })).llmContent);
    expect(parts[1]).toEqual({ text: '[offset, limit and column are for text, and were ignored.]' });
  });

  it('says that an empty page has no text', async () => {
    await workspace.write({ 'a.pdf': samplePdf([[]]) });
    const { llmContent } = await read('a.pdf', { pages: '1' });
    expect(llmContent).toContain('(no text on this page; it may be a picture)');
    expect(llmContent).toContain('[None of these pages has text: they may be scanned.');
  });

  it('says so where fonts do not tell their characters, and shows no nonsense for them', async () => {
    const japanese = String.fromCharCode(...Buffer.from('93fa967b8cea', 'hex'));
    const glyphs = String.fromCharCode(...[0x37, 0x4b, 0x48, 3, 0x47, 0x52, 0x4a, 3].flatMap((code) => [0, code]));
    await workspace.write({
      'japanese.pdf': samplePdf([[japanese]], { font: JAPANESE }),
      'glyphs.pdf': samplePdf([[glyphs]], { font: GLYPHS }),
    });
    for (const name of ['japanese.pdf', 'glyphs.pdf']) {
      const text = textOf(await read(name, { pages: '1' }));
      expect(text).toContain(
        '--- page 1 of 1 ---\n(no text that can be read on this page)\n\n[Some text cannot be told',
      );
    }
  });

  it('says of one without pages that it has none', async () => {
    await workspace.write({ 'a.pdf': samplePdf([]) });
    expect((await read('a.pdf', { pages: '1-' })).error?.message).toContain('The PDF has no pages');
  });

  it('tells programs which pages are given, and where to go on', async () => {
    await workspace.write({ 'a.pdf': three });
    const path = workspace.path('a.pdf');
    expect((await read('a.pdf', { pages: '1-2' })).data).toEqual({
      path,
      unit: 'page',
      first: 1,
      last: 2,
      count: 3,
      next: { pages: '3-' },
    });
    expect((await read('a.pdf')).data).toEqual({
      path,
      mimeType: 'application/pdf',
      bytes: three.length,
      givenMimeType: 'application/pdf',
    });
  });

  it('is known whole only when all of it was given', async () => {
    await workspace.write({ 'a.pdf': three });
    const path = workspace.path('a.pdf');
    const acquaintance = async (pages: string): Promise<unknown> => {
      const context = { callId: pages, toolName: 'read_file', title: '', agent: pages, stillShown: () => true };
      await tool.build({ absolute_path: path, pages }).execute(signal, undefined, context);
      return config.getFileVersions().acquaintance(pages, path, { hash: contentHash(three) });
    };
    expect(await acquaintance('1-2')).toEqual({ known: 'part', next: 0 });
    expect(await acquaintance('2-')).toEqual({ known: 'part', next: 0 });
    expect(await acquaintance('1-')).toEqual({ known: 'all' });
  });
});
