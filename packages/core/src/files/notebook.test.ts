import { describe, expect, it } from 'vitest';
import { outputLines, parseNotebook } from './notebook.js';

describe('parseNotebook', () => {
  it('reads cells with their sources as one text, whichever way they are stored', () => {
    const cells = [
      { cell_type: 'markdown', id: 'a', source: ['# Title\n', 'text'] },
      { cell_type: 'code', execution_count: 3, source: 'x = 1\ny', outputs: [] },
    ];
    expect(parseNotebook(JSON.stringify({ cells, metadata: {} }))?.cells).toEqual([
      { type: 'markdown', id: 'a', executionCount: undefined, source: '# Title\ntext', outputs: [] },
      { type: 'code', id: undefined, executionCount: 3, source: 'x = 1\ny', outputs: [] },
    ]);
  });

  it('reads outputs: streams, results, errors without colours, images', () => {
    const outputs = [
      { output_type: 'stream', name: 'stderr', text: ['a\n', 'b\n'] },
      { output_type: 'execute_result', data: { 'text/html': '<b>1</b>', 'text/plain': ['1'] } },
      { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[31mE\u001b[0m: v'] },
      { output_type: 'display_data', data: { 'image/png': 'AA\nAA\n', 'text/plain': 'figure' } },
      { output_type: 'display_data', data: { 'application/x': {} } },
      { output_type: 'unheard of' },
      7,
    ];
    expect(
      parseNotebook(JSON.stringify({ cells: [{ cell_type: 'code', source: [], outputs }] }))?.cells[0]?.outputs,
    ).toEqual([
      { kind: 'text', name: 'stderr', text: 'a\nb\n' },
      { kind: 'text', name: 'result', text: '1' },
      { kind: 'text', name: 'error', text: 'E: v' },
      { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
      { kind: 'text', name: 'result', text: '(application/x: not shown)' },
    ]);
  });

  it('gives nothing for what is no notebook', () => {
    for (const text of ['', '{', '[]', '{"cells":{}}', 'null', '{"worksheets":{}}']) {
      expect(parseNotebook(text)).toBeUndefined();
    }
  });
});

describe('outputLines', () => {
  it('keeps a short output and shortens a long one to its beginning and its end', () => {
    expect(outputLines('a\nb\n')).toEqual(['a', 'b']);
    const long = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
    const lines = outputLines(long.join('\n'));
    expect(lines[0]).toBe('line 0');
    expect(lines.at(-1)).toBe('line 999');
    expect(lines.length).toBeLessThanOrEqual(81);
    const left = lines.find((line) => line.startsWith('[…'));
    expect(left).toBe(`[… ${1000 - (lines.length - 1)} lines left out …]`);
  });

  it('cuts one long line between characters', () => {
    const [line = ''] = outputLines(`x${'😀'.repeat(5000)}`);
    expect(Buffer.from(line).toString()).toBe(line);
    expect(line.length).toBeLessThan(1100);
  });

  it('reads notebooks of version 3', () => {
    const found = parseNotebook(
      JSON.stringify({
        nbformat: 3,
        worksheets: [
          {
            cells: [
              {
                cell_type: 'code',
                input: ['print 1\n', 'x'],
                prompt_number: 3,
                outputs: [
                  { output_type: 'stream', stream: 'stderr', text: ['1\n'] },
                  { output_type: 'pyout', text: ['42'] },
                  { output_type: 'display_data', png: 'AAAA', text: ['<Figure>'] },
                  { output_type: 'pyerr', ename: 'E', evalue: 'v', traceback: [] },
                ],
              },
              { cell_type: 'heading', level: 2, source: ['Title'] },
            ],
          },
        ],
      }),
    );
    expect(found?.cells).toEqual([
      {
        type: 'code',
        id: undefined,
        executionCount: 3,
        source: 'print 1\nx',
        outputs: [
          { kind: 'text', name: 'stderr', text: '1\n' },
          { kind: 'text', name: 'result', text: '42' },
          { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
          { kind: 'text', name: 'error', text: 'E: v' },
        ],
      },
      { type: 'heading', id: undefined, executionCount: undefined, source: 'Title', outputs: [] },
    ]);
  });

  it('shows outputs as a terminal would in the end', () => {
    const text = '\x1b[2K\r 10%\r 50%\x1b]8;;http://x\x07link\x1b]8;;\x07\r100%\x1b[?25h done\x1b(B\r\nnext\r\r\n';
    const found = parseNotebook(
      JSON.stringify({ cells: [{ cell_type: 'code', source: '', outputs: [{ output_type: 'stream', text }] }] }),
    );
    expect(found?.cells[0]?.outputs).toEqual([{ kind: 'text', name: 'stdout', text: '100% done\nnext\n' }]);
  });
});
