import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectFolders } from '../../session/project-folders.js';
import { collectStats, type StatsRequest } from './collect-stats.js';
import { Spread } from './spread.js';

let home: string;
let root: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-project-')));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(root, { recursive: true, force: true });
});

const START = Date.parse('2026-03-01T10:00:00.000Z');
const never = new AbortController().signal;
const collect = (more: Partial<StatsRequest> = {}) => collectStats({ tenonHome: home, root, ...more }, never);

/** `seconds` after the start. */
type Line = readonly [seconds: number, event: object];

function logText(lines: readonly Line[]): string {
  return lines
    .map(([seconds, event], index) => {
      const time = new Date(START + seconds * 1000).toISOString();
      return `${JSON.stringify({ sequence: index + 1, time, event })}\n`;
    })
    .join('');
}

function write(name: string, lines: readonly Line[], of = root): string {
  const file = join(projectFolders(home, of).sessions, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, logText(lines));
  return file;
}

const begin = (model = 'openai m', more: object = {}): object => ({
  type: 'session-start',
  sessionId: 's',
  model,
  ...more,
});
const said: object = { type: 'user-message', text: 'go', id: '1-a' };
const answer = (inputTokens: number, outputTokens: number): object => ({
  type: 'assistant-message',
  content: [],
  finish: 'stop',
  usage: { inputTokens, outputTokens, cachedInputTokens: 1 },
});
const call = (callId: string, toolName: string, kind = 'read'): object => ({
  type: 'tool-call-start',
  callId,
  toolName,
  kind,
  args: {},
});
const end = (callId: string, toolName: string, status: string, durationMs = 10, error?: string): object => ({
  type: 'tool-call-end',
  callId,
  toolName,
  status,
  durationMs,
  ...(error !== undefined && { error: { type: error, message: 'm' } }),
});
const ended = (stopReason = 'completed'): object => ({ type: 'prompt-end', stopReason });
const ask = (callId: string): object => ({ type: 'approval-request', callId, request: {} });
const answered = (callId: string, outcome: string, by = 'person'): object => ({
  type: 'approval-answer',
  callId,
  outcome,
  by,
});

describe('what sessions were', () => {
  it('is added up: prompts, calls with how they ended, tokens by model, edits, approvals, time', async () => {
    write('one.jsonl', [
      [0, begin()],
      [0, said],
      [2, answer(100, 10)],
      [3, call('c1', 'edit', 'edit')],
      [3, ask('c1')],
      [13, answered('c1', 'proceed_once')],
      [14, end('c1', 'edit', 'success', 900)],
      [14, call('c2', 'edit', 'edit')],
      [15, end('c2', 'edit', 'error', 100, 'edit_no_occurrence_found')],
      [15, { type: 'tool-call-start', callId: 'c3', toolName: 'edit', kind: 'other', args: '{' }],
      [15, end('c3', 'edit', 'error', 0, 'invalid_tool_params')],
      [15, call('c4', 'made up', 'other')],
      [15, end('c4', 'made up', 'error', 0, 'tool_not_registered')],
      [16, call('c5', 'run_shell_command', 'execute')],
      [16, ask('c5')],
      [16, answered('c5', 'cancel', 'nobody')],
      [16, end('c5', 'run_shell_command', 'denied', 0, 'execution_denied')],
      [17, { type: 'model-change', model: 'anthropic c' }],
      [18, { type: 'assistant-message', content: [], finish: 'stop' }],
      [20, ended()],
      [20, said],
      [21, { type: 'user-message', text: 'also', isSteering: true }],
      [22, ended('cancelled')],
    ]);
    write('two.jsonl', [
      [0, begin()],
      [0, said],
      [1, answer(5, 5)],
      [1, { type: 'compaction', trigger: 'auto', usage: { inputTokens: 1, outputTokens: 1 } }],
    ]);
    const stats = await collect({
      pricesOf: (label) => (label === 'openai m' ? { input: 1e6, output: 0 } : undefined),
    });
    expect(stats).toEqual({
      sessions: 2,
      subagents: 0,
      prompts: 3,
      stops: { completed: 1, cancelled: 1 },
      turns: 3,
      compactions: 1,
      models: [
        {
          model: 'openai m',
          requests: 3,
          uncounted: 0,
          inputTokens: 106,
          cachedInputTokens: 2,
          cacheWriteTokens: 0,
          outputTokens: 16,
          cost: 106,
        },
        {
          model: 'anthropic c',
          requests: 1,
          uncounted: 1,
          inputTokens: 0,
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          outputTokens: 0,
        },
      ],
      tools: [
        {
          tool: 'edit',
          calls: 3,
          success: 1,
          error: 2,
          denied: 0,
          cancelled: 0,
          median: 100,
          p95: 900,
          errors: { edit_no_occurrence_found: 1, invalid_tool_params: 1 },
        },
        {
          tool: '(no such tool)',
          calls: 1,
          success: 0,
          error: 1,
          denied: 0,
          cancelled: 0,
          median: 0,
          p95: 0,
          errors: { tool_not_registered: 1 },
        },
        { tool: 'run_shell_command', calls: 1, success: 0, error: 0, denied: 1, cancelled: 0, errors: {} },
      ],
      edits: { landed: 1, failed: 2, denied: 0, reasons: { edit_no_occurrence_found: 1, invalid_tool_params: 1 } },
      approvals: { asked: 2, answers: { proceed_once: 1 }, unanswered: 1, median: 10_000 },
      time: { worked: 12_000, waited: 10_000, inTools: 1000 },
      problems: [],
    });
  });

  it('counts what subagents did, and them as no sessions; what a copy took over counts once', async () => {
    const first: readonly Line[] = [
      [0, begin()],
      [0, said],
      [1, call('c', 'task')],
      [5, end('c', 'task', 'success', 4000)],
      [6, ended()],
    ];
    write('one.jsonl', first);
    write('agents/one.a1.jsonl', [
      [1, begin('openai small')],
      [1, said],
      [2, answer(7, 7)],
      [3, end('k', 'read_file', 'success')],
      [4, ended()],
    ]);
    write('fork.jsonl', [
      ...first,
      [60, begin('openai m', { forkedFrom: 's' })],
      [60, said],
      [61, answer(1, 1)],
      [62, ended()],
    ]);
    write('untouched.jsonl', [[0, begin()]]);
    const stats = await collect();
    expect(stats).toMatchObject({ sessions: 2, subagents: 1, prompts: 2, time: { worked: 8000 } });
    expect(stats.tools.map(({ tool, calls }) => [tool, calls])).toEqual([
      ['task', 1],
      ['read_file', 1],
    ]);
    expect(stats.models.map(({ model }) => model)).toEqual(['openai small', 'openai m']);
  });

  it('is that of one project, or of all, and of the last days where only these are meant', async () => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-other-')));
    try {
      write('one.jsonl', [
        [0, begin()],
        [0, said],
        [86_400 * 3, said],
      ]);
      write(
        'two.jsonl',
        [
          [0, begin()],
          [0, said],
        ],
        other,
      );
      expect(await collect()).toMatchObject({ sessions: 1, prompts: 2 });
      expect(await collectStats({ tenonHome: home }, never)).toMatchObject({ sessions: 2, prompts: 3 });
      const since = new Date(START + 86_400_000);
      expect(await collect({ since })).toMatchObject({ sessions: 1, prompts: 1, since: since.toISOString() });
      expect(await collect({ since: new Date(Date.now() + 1e6) })).toMatchObject({ sessions: 0, prompts: 0 });
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });
});

describe('logs that are not as they should be', () => {
  it('are left out as far as they cannot be read, and told', async () => {
    const file = write('one.jsonl', [
      [0, begin()],
      [0, said],
    ]);
    appendFileSync(file, 'not json\n{"sequence":3}\n[]\n\n{"sequence":4,"time":"2026-');
    write('gone.jsonl', []);
    symlinkSync('/nowhere', join(file, '..', 'link.jsonl'));
    symlinkSync('/dev/zero', join(file, '..', 'zero.jsonl'));
    mkdirSync(join(file, '..', 'folder.jsonl'));
    const stats = await collect();
    expect(stats).toMatchObject({ sessions: 1, prompts: 1 });
    expect(stats.problems).toEqual([
      expect.stringMatching(/^The log folder\.jsonl could not be read: /),
      expect.stringMatching(/^The log link\.jsonl could not be read: /),
      'The log one.jsonl: 4 lines could not be read.',
      'The log zero.jsonl could not be read: it is no regular file',
    ]);
  });

  it('never make numbers that are none, whatever stands in them', async () => {
    const types = [
      'session-start',
      'user-message',
      'assistant-message',
      'tool-call-start',
      'tool-call-end',
      'approval-request',
      'approval-answer',
      'prompt-end',
      'compaction',
    ];
    const key = fc.constantFrom(
      'callId',
      'toolName',
      'status',
      'durationMs',
      'usage',
      'error',
      'kind',
      'by',
      'outcome',
      'model',
      'stopReason',
      '__proto__',
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(1e308, -5, '__proto__', { inputTokens: 1e308 }),
    );
    const event = fc
      .tuple(fc.constantFrom(...types), fc.dictionary(key, value))
      .map(([type, more]) => ({ ...more, type }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), event), { maxLength: 30 }),
        async (lines) => {
          write('one.jsonl', lines);
          const stats = await collect();
          for (const number of numbersIn(stats)) expect(number).toBeGreaterThanOrEqual(0);
          expect(stats.tools.length).toBeLessThanOrEqual(202);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('take little memory, however large they are and however long a line of them is', async () => {
    const file = write('one.jsonl', [
      [0, begin()],
      [0, said],
    ]);
    const noise = `${JSON.stringify({ sequence: 9, time: new Date(START).toISOString(), event: { type: 'notice', text: 'x'.repeat(1000) } })}\n`;
    for (let part = 0; part < 60; part++) appendFileSync(file, noise.repeat(1000));
    // 100 MB without an end.
    for (let part = 0; part < 100; part++) appendFileSync(file, 'y'.repeat(1024 * 1024));
    appendFileSync(file, `\n${logText([[1, ended()]])}`);
    const before = process.memoryUsage().rss;
    const stats = await collect();
    expect(stats).toMatchObject({ sessions: 1, stops: { completed: 1 } });
    expect(stats.problems).toEqual(['The log one.jsonl: 1 line could not be read.']);
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  it('are not read any further once nobody waits', async () => {
    write('one.jsonl', [[0, begin()]]);
    await expect(collectStats({ tenonHome: home, root }, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
  });
});

describe('a spread', () => {
  it('gives medians to a hundredth, exact for few values, however it is put together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 1e7 }), { maxLength: 700 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0.5, 0.95),
        (parts, share) => {
          const all = new Spread();
          for (const part of parts) {
            const one = new Spread();
            for (const value of part) one.add(value);
            all.addAll(one);
          }
          const sorted = parts.flat().sort((one, other) => one - other);
          const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
          const found = all.at(share);
          if (exact === undefined || found === undefined || sorted.length <= 512) expect(found).toBe(exact);
          else expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.011 * (exact + 1));
        },
      ),
    );
  });
});

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
