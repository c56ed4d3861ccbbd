import { PassThrough } from 'node:stream';
import type { AgentEvent } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { createOutput, type Output } from '../output.js';
import { createLiveView } from './live-view.js';
import { createTurnstile } from './turnstile.js';

function recorder(
  isTTY: boolean,
  env: Record<string, string> = {},
  columns?: number,
): { output: Output; text: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { output: createOutput(stream as never, env, () => undefined), text: () => text };
}

async function shown(
  events: readonly AgentEvent[],
  stdoutIsTerminal = false,
  quiet = false,
  env: Record<string, string> = { NO_COLOR: '1' },
  columns?: number,
) {
  const out = recorder(stdoutIsTerminal, env);
  const err = recorder(true, env, columns);
  const view = createLiveView({ out: out.output, err: err.output, turnstile: createTurnstile(), quiet });
  for (const event of events) await view.onEvent(event);
  return { out: out.text(), err: err.text() };
}

const start = (callId: string, title: string): AgentEvent => ({
  type: 'tool-call-start',
  callId,
  toolName: 'edit',
  displayName: 'Edit',
  kind: 'edit',
  title,
  locations: [],
  args: {},
  repairs: [],
});

const end = (
  callId: string,
  title: string,
  display: Extract<AgentEvent, { type: 'tool-call-end' }>['display'],
): AgentEvent => ({
  type: 'tool-call-end',
  callId,
  toolName: 'edit',
  title,
  status: 'success',
  durationMs: 1,
  display,
  content: [],
});

describe('the live view', () => {
  it('streams the words to a terminal and keeps lines of calls off them', async () => {
    const events: AgentEvent[] = [
      { type: 'text-delta', text: 'Looking' },
      { type: 'text-delta', text: ' now' },
      start('1', 'a.txt'),
    ];
    expect(await shown(events, true)).toEqual({ out: 'Looking now\n', err: '● Edit a.txt\n' });
  });

  it('writes nothing to stdout that is no terminal', async () => {
    const events: AgentEvent[] = [
      { type: 'text-delta', text: 'Hello' },
      start('1', 'a.txt'),
      end('1', 'a.txt', 'done'),
    ];
    const { out, err } = await shown(events);
    expect(out).toBe('');
    expect(err).toBe('● Edit a.txt\n  ✓ done\n');
  });

  it('tells parallel calls apart by their titles', async () => {
    const { err } = await shown([start('1', 'a'), start('2', 'b'), end('1', 'a', 'ok'), end('2', 'b', 'ok')]);
    expect(err).toBe('● Edit a\n● Edit b\n  ✓ a ok\n  ✓ b ok\n');
  });

  it('says whose update or end a line is when another call stands between', async () => {
    const update = (callId: string): AgentEvent => ({ type: 'tool-call-update', callId, display: `${callId} works` });
    const alone = await shown([start('1', 'a'), update('1'), end('1', 'a', 'ok')]);
    expect(alone.err).toBe('● Edit a\n  … 1 works\n  ✓ ok\n');
    const events = [start('1', 'a'), start('2', 'b'), update('1'), end('2', 'b', 'ok'), end('1', 'a', 'ok')];
    expect((await shown(events)).err).toBe('● Edit a\n● Edit b\n  … a 1 works\n  ✓ b ok\n  ✓ a ok\n');
  });

  it('says of a denied call why, in words for a person', async () => {
    const denied = (decision: 'ask' | 'deny'): AgentEvent =>
      ({
        ...end('1', 'a', 'The user declined this call; it did not run. Do not repeat it as it is.'),
        status: 'denied',
        verdict: { decision, reason: 'the rule says so', parts: [] },
        error: { message: 'The file kept changing.', type: 'execution_denied' },
      }) as AgentEvent;
    const answer = (by: 'person' | 'nobody', outcome: 'cancel' | 'proceed_once' = 'cancel'): AgentEvent => ({
      type: 'approval-answer',
      callId: '1',
      outcome,
      by,
    });
    const lastLine = async (...events: AgentEvent[]): Promise<string> => {
      const { err } = await shown([start('1', 'a'), ...events]);
      return err.trimEnd().split('\n').at(-1) ?? '';
    };
    expect(await lastLine(answer('person'), denied('ask'))).toBe('  ⊘ you said no');
    expect(await lastLine(answer('nobody'), denied('ask'))).toBe('  ⊘ the rule says so; nobody can be asked');
    expect(await lastLine(denied('deny'))).toBe('  ⊘ the rule says so');
    expect(await lastLine(answer('person', 'proceed_once'), denied('ask'))).toBe('  ⊘ The file kept changing.');
  });

  it('cuts lines of calls at the width of the terminal, and no others', async () => {
    const wide = 'x'.repeat(100);
    const events: AgentEvent[] = [
      { type: 'notice', level: 'info', text: wide },
      start('1', wide),
      { type: 'tool-call-update', callId: '1', display: wide },
      end('1', 'a', `${wide}\n${wide}`),
    ];
    const narrow = (await shown(events, false, false, { NO_COLOR: '1' }, 20)).err.split('\n');
    expect(narrow[0]).toBe(wide);
    expect(narrow.slice(1)).toEqual([
      `● Edit ${'x'.repeat(12)}…`,
      `  … ${'x'.repeat(15)}…`,
      '  ✓',
      `    ${'x'.repeat(15)}…`,
      `    ${'x'.repeat(15)}…`,
      '',
    ]);
    expect((await shown(events)).err).toContain(`● Edit ${wide}\n`);
  });

  it('shows emoji and line breaks that come in pieces as what they are', async () => {
    const words = ['pilot 👨', '\u200d🚀', ' done\r', '\nnext 1', '\ufe0f\u20e3'];
    const events = words.map((text): AgentEvent => ({ type: 'text-delta', text }));
    const { out } = await shown([...events, start('1', 'a')], true);
    expect(out).toBe('pilot 👨\u200d🚀 done\nnext 1\ufe0f\u20e3\n');
  });

  it('shows a change with colours where they are wanted', async () => {
    const fileDiff = 'Index: a\n===\n--- a\tCurrent\n+++ a\tProposed\n@@ -1,1 +1,1 @@\n-old\n+new\n';
    const display = { fileDiff, fileName: 'a', filePath: '/a', originalContent: 'old\n', newContent: 'new\n' };
    const plain = await shown([start('1', 'a'), end('1', 'a', display)]);
    expect(plain.err).toContain('✓ 1 line added, 1 removed');
    expect(plain.err).not.toContain('Index:');
    const painted = await shown([start('1', 'a'), end('1', 'a', display)], false, false, { TERM: 'xterm' });
    expect(painted.err).toMatch(/\u001b\[31m.*-old/);
    expect(painted.err).toMatch(/\u001b\[32m.*\+new/);
  });

  it('does not repeat the diff that the person was asked about, but any other', async () => {
    const fileDiff = 'Index: a\n===\n--- a\tCurrent\n+++ a\tProposed\n@@ -1,1 +1,1 @@\n-old\n+new\n';
    const display = { fileDiff, fileName: 'a', filePath: '/a', originalContent: 'old\n', newContent: 'new\n' };
    const asked = (diff: string): AgentEvent => ({
      type: 'approval-request',
      callId: '1',
      request: {
        callId: '1',
        toolName: 'edit',
        displayName: 'Edit',
        description: 'a',
        effects: [],
        details: { type: 'edit', title: 'Confirm Edit: a', ...display, fileDiff: diff },
        reason: 'r',
        alwaysRules: [],
        canModify: false,
        changedSinceApproval: false,
      },
    });
    const same = await shown([start('1', 'a'), asked(fileDiff), end('1', 'a', display)]);
    expect(same.err).toBe('● Edit a\n  ✓ 1 line added, 1 removed\n');
    const other = await shown([start('1', 'a'), asked(fileDiff.replace('+new', '+mine')), end('1', 'a', display)]);
    expect(other.err).toContain('+new');
  });

  it('gives the reason of a failure several rows, not endlessly many', async () => {
    const failed = (text: string): AgentEvent => ({ ...end('1', 'a', text), status: 'error' }) as AgentEvent;
    const { err } = await shown([start('1', 'a'), failed('y'.repeat(60))], false, false, { NO_COLOR: '1' }, 20);
    expect(err).toBe(`● Edit a\n  ✗ ${'y'.repeat(60)}\n`);
    const long = await shown([start('1', 'a'), failed('y'.repeat(600))], false, false, { NO_COLOR: '1' }, 20);
    expect(long.err).toBe(`● Edit a\n  ✗ ${'y'.repeat(75)}…\n`);
  });

  it('makes escape sequences of tools and models visible instead of obeying them', async () => {
    const events: AgentEvent[] = [
      { type: 'text-delta', text: '\u001b[2Jhi\u202e' },
      start('1', 'a\u001b]0;title\u0007'),
      end('1', 'a', 'out\u009b31m\nx'),
    ];
    const { out, err } = await shown(events, true);
    for (const text of [out, err]) expect(text).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
  });

  it('shortens long output and says nothing when quiet', async () => {
    const long = Array.from({ length: 500 }, (_value, index) => `line ${index}`).join('\n');
    const { err } = await shown([start('1', 'a'), end('1', 'a', long)]);
    expect(err.split('\n').length).toBeLessThan(20);
    expect(err).toContain('  ✓\n    line 0\n');
    expect(err).toContain('    line 499\n');
    expect((await shown([start('1', 'a'), end('1', 'a', long)], false, true)).err).toBe('');
  });
});
