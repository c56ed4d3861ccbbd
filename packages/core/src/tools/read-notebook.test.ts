import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { contentHash } from '../files/write-handle.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ReadFileTool, type ReadFileToolParams } from './read-file.js';
import { toParts, type ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new ReadFileTool(config);
afterEach(reset);
afterAll(remove);

const NOTE = '[This is a notebook, shown by cells. Edits need its raw text: offset: 0 shows the lines of the JSON.]';

function notebook(cells: readonly object[]): string {
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
}

describe('ReadFileTool with a notebook', () => {
  function read(name: string, more: Partial<ReadFileToolParams> = {}): Promise<ToolResult> {
    return tool.execute({ absolute_path: workspace.path(name), ...more }, new AbortController().signal);
  }

  it('shows cells with number, type, id, numbered source and outputs', async () => {
    const stream = { output_type: 'stream', name: 'stdout', text: ['1\n'] };
    await workspace.write({
      'a.ipynb': notebook([
        { cell_type: 'markdown', id: 'm1', source: ['# Title\n', '\n', 'text'] },
        { cell_type: 'code', id: 'c1', execution_count: 2, source: 'print(1)', outputs: [stream] },
        { cell_type: 'code', source: [], outputs: [] },
      ]),
    });
    expect((await read('a.ipynb')).llmContent).toBe(
      [
        '--- cell 1 of 3: markdown, id m1 ---\n1→# Title\n2→\n3→text',
        '--- cell 2 of 3: code, id c1, run 2 ---\n1→print(1)\n[stdout]\n1',
        `--- cell 3 of 3: code ---\n(empty)\n\n${NOTE}`,
      ].join('\n'),
    );
    expect((await read('a.ipynb', { pages: '3' })).llmContent).toContain('--- cell 3 of 3: code ---');
  });

  it('gives images of outputs as media, and names those that are damaged', async () => {
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const output = (data: string): object => ({ output_type: 'display_data', data: { 'image/png': data } });
    await workspace.write({
      'a.ipynb': notebook([
        { cell_type: 'code', source: 'plot()', outputs: [output(png.toString('base64')), output('AAAA')] },
      ]),
    });
    const [text, image, ...more] = toParts((await read('a.ipynb')).llmContent);
    expect(text).toMatchObject({ text: expect.stringContaining('[image/png: damaged]') });
    expect(image).toEqual({ inlineData: { data: png.toString('base64'), mimeType: 'image/png' } });
    expect(more).toEqual([]);
  });

  it('shows the raw lines where lines are asked for', async () => {
    const raw = notebook([{ cell_type: 'code', source: 'x', outputs: [] }]);
    await workspace.write({ 'a.ipynb': raw });
    expect((await read('a.ipynb', { offset: 0, limit: 1 })).llmContent).toContain('1→{\n\n[Lines 1-1 of');
  });

  it('falls back to plain lines for what is no notebook, and says so', async () => {
    await workspace.write({ 'a.ipynb': '{"cells": [\n' });
    expect((await read('a.ipynb')).llmContent).toContain('1→{"cells": [\n\n[No notebook with cells');
  });

  it('can be read on cell by cell where it is long', async () => {
    const source = 'a line of code that is there many times\n'.repeat(300);
    const cells = Array.from({ length: 9 }, () => ({ cell_type: 'code', source, outputs: [] }));
    await workspace.write({ 'a.ipynb': notebook(cells) });
    expect((await read('a.ipynb')).llmContent).toMatch(/\[Cells 1-\d of 9 shown\. To go on, use pages: "\d-"\.\]/);
  });

  it('is not known whole by its cells, for they leave things out', async () => {
    const raw = notebook([{ cell_type: 'code', source: 'x', outputs: [] }]);
    await workspace.write({ 'a.ipynb': raw });
    const path = workspace.path('a.ipynb');
    const context = { callId: '1', toolName: 'read_file', title: '', agent: 'a', stillShown: () => true };
    const known = async (offset?: number): Promise<unknown> => {
      const params = { absolute_path: path, ...(offset !== undefined && { offset }) };
      const { data } = await tool.build(params).execute(new AbortController().signal, undefined, context);
      return [data, config.getFileVersions().acquaintance('a', path, { hash: contentHash(Buffer.from(raw)) })];
    };
    expect(await known()).toEqual([
      { path, unit: 'cell', first: 1, last: 1, count: 1 },
      { known: 'part', next: 0 },
    ]);
    expect(await known(0)).toEqual([expect.objectContaining({ firstLine: 0 }), { known: 'all' }]);
  });
});
