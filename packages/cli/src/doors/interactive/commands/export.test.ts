import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolNames } from '@tenon/core';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';
import { htmlOf } from './export/html.js';
import { markdownOf } from './export/markdown.js';
import { sessionEntries, type SessionEntry } from './export/session-entries.js';

describe('/export', () => {
  let bench: CommandBench;

  beforeEach(async () => {
    bench = await createCommandBench({
      args: ['--approval-mode', 'auto_edit'],
      turns: [
        () => ({
          text: 'I will write it.',
          toolCalls: [
            {
              name: ToolNames.WRITE_FILE,
              arguments: { file_path: bench.workspace.path('a.txt'), content: '<b>new</b>\n' },
            },
          ],
        }),
        { text: 'Done:\n```js\nlet x = "<i>";\n```' },
      ],
    });
    await bench.prompt('write <script>alert(1)</script>');
  });

  afterEach(async () => bench.close());

  const name = (): string => `tenon-session-${bench.agent.sessionId.slice(0, 8)}`;

  it('writes the whole session as Markdown under a name of its own', async () => {
    expect(await bench.say('/export')).toContain(bench.workspace.path(`${name()}.md`));
    const text = await bench.workspace.read(`${name()}.md`);
    expect(text).toContain('> write <script>alert(1)</script>');
    expect(text).toContain('I will write it.');
    expect(text).toMatch(/### WriteFile `a\.txt` \(success/);
    expect(text).toMatch(/```diff\n[\s\S]*\+<b>new<\/b>/);
  });

  it('writes it as a page that runs and loads nothing', async () => {
    await bench.run('/export report.html');
    const page = await bench.workspace.read('report.html');
    expect(page).toContain('write &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('<span class="add">+&lt;b&gt;new&lt;/b&gt;</span>');
    expect(page).toContain('<pre><code>let x = &quot;&lt;i&gt;&quot;;</code></pre>');
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<i>|<b>new|src=|href=/);
  });

  it('writes all events as JSON', async () => {
    await bench.run('/export json');
    const value = JSON.parse(await bench.workspace.read(`${name()}.json`)) as { events: unknown[]; sessionId: string };
    expect(value.sessionId).toBe(bench.agent.sessionId);
    expect(value.events).toEqual(JSON.parse(JSON.stringify(bench.agent.history)));
  });

  it('replaces a file only after a yes, and never what a link leads to', async () => {
    await bench.workspace.write({ 'a.md': 'mine', 'target.txt': 'kept', 'l.md': { linkTo: 'target.txt' } });
    expect(await bench.say('/export a.md', [['n']])).toContain('Nothing was written.');
    expect(await bench.workspace.read('a.md')).toBe('mine');
    await bench.run('/export a.md', [['y']]);
    expect(await bench.workspace.read('a.md')).toContain('# Session');
    await bench.run('/export l.md', [['y']]);
    expect(await bench.workspace.read('target.txt')).toBe('kept');
  });

  it('says what it cannot do', async () => {
    expect(await bench.say('/export a.pdf')).toContain('must end in .md, .json or .html');
    expect(await bench.say('/export missing/a.md')).toContain('could not be written');
  });
});

const TIME = '2026-11-22T10:00:00.000Z';

describe('an export', () => {
  it('keeps what stands in blocks of code inside of them', () => {
    const call: SessionEntry = {
      kind: 'call',
      time: TIME,
      call: {
        tool: 'Shell',
        title: 'a `b`',
        args: {},
        answers: [],
        status: 'error',
        durationMs: 2_500,
        output: '```\n# not a heading\n````',
        diff: '',
      },
    };
    const text = markdownOf([call]);
    expect(text).toContain('### Shell `` a `b` `` (error, 2.5 s)');
    expect(text).toContain('`````\n```\n# not a heading\n````\n`````');
  });

  it('tells of calls that never ended, of answers, and of what Tenon said', () => {
    const entries = sessionEntries([
      {
        sequence: 1,
        time: TIME,
        event: {
          type: 'tool-call-start',
          callId: '1',
          toolName: 'x',
          displayName: 'X',
          kind: 'other',
          title: 'x',
          locations: [],
          args: { a: 1 },
          repairs: [],
        },
      },
      {
        sequence: 2,
        time: TIME,
        event: { type: 'approval-answer', callId: '1', outcome: 'cancel', by: 'person', feedback: 'not now' },
      },
      { sequence: 3, time: TIME, event: { type: 'model-change', model: 'other' } },
    ]);
    const text = markdownOf(entries);
    expect(text).toContain('(never ended)');
    expect(text).toContain('- asked, and answered: cancel: not now');
    expect(text).toContain('*From here on other answers.*');
    expect(htmlOf(entries, '<t>')).toContain('<title>&lt;t&gt;</title>');
  });
});
