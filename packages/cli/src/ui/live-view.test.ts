import { PassThrough } from 'node:stream';
import type { AgentEvent } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { createOutput, type Output } from '../output.js';
import { createLiveView } from './live-view.js';
import { createTurnstile } from './turnstile.js';

function recorder(isTTY: boolean, env: Record<string, string> = {}): { output: Output; text: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { output: createOutput(stream as never, env, () => undefined), text: () => text };
}

async function shown(events: readonly AgentEvent[], stdoutIsTerminal = false, quiet = false, env = { NO_COLOR: '1' }) {
  const out = recorder(stdoutIsTerminal, env);
  const err = recorder(true, env);
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
    expect(err).toBe('● Edit a\n● Edit b\n  ✓ a ok\n  ✓ ok\n');
  });

  it('shows a change with colours where they are wanted', async () => {
    const fileDiff = 'Index: a\n===\n--- a\tCurrent\n+++ a\tProposed\n@@ -1,1 +1,1 @@\n-old\n+new\n';
    const display = { fileDiff, fileName: 'a', filePath: '/a', originalContent: 'old\n', newContent: 'new\n' };
    const plain = await shown([start('1', 'a'), end('1', 'a', display)]);
    expect(plain.err).toContain('✓ 1 line added, 1 removed');
    expect(plain.err).not.toContain('Index:');
    const painted = await shown([start('1', 'a'), end('1', 'a', display)], false, false, { TERM: 'xterm' } as never);
    expect(painted.err).toMatch(/\u001b\[31m.*-old/);
    expect(painted.err).toMatch(/\u001b\[32m.*\+new/);
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
