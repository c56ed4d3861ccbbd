import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';
import { detailOf } from './resume.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench({ turns: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] });
});

afterEach(async () => bench.close());

it('/clear begins a session that knows nothing of the one before', async () => {
  await bench.prompt('the first words');
  const { sessionId, sessionFile } = bench.agent;
  expect(await bench.say('/clear')).toContain(`/resume ${sessionId.slice(0, 8)} goes back`);
  expect(bench.agent.sessionId).not.toBe(sessionId);
  expect(bench.done.shownAgain).toBe(1);
  await bench.prompt('the second words');
  expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).not.toContain('the first words');
  expect(await readFile(sessionFile, 'utf8')).toContain('the first words');
});

describe('/resume', () => {
  it('goes on with the session that is picked', async () => {
    await bench.prompt('the first words');
    const { sessionId } = bench.agent;
    await bench.run('/clear');
    await bench.run('/resume', [['enter']]);
    expect(bench.frames()[0]).toContain('the first words');
    expect(bench.agent.sessionId).toBe(sessionId);
    expect(bench.done.shownAgain).toBe(2);
    await bench.prompt('and now');
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('the first words');
  });

  it('goes on with one that is named by the beginning of its id', async () => {
    await bench.prompt('the first words');
    const { sessionId } = bench.agent;
    await bench.run('/clear');
    await bench.run(`/resume ${sessionId.slice(0, 8)}`);
    expect(bench.agent.sessionId).toBe(sessionId);
    expect(await bench.say(`/resume ${sessionId.slice(0, 8)}`)).toContain('is open');
  });

  it('leaves all as it is when nothing is picked, or there is none', async () => {
    expect(await bench.say('/resume')).toContain('no earlier session');
    await bench.prompt('the first words');
    await bench.run('/clear');
    const { sessionId } = bench.agent;
    await bench.run('/resume', [['escape']]);
    expect(bench.agent.sessionId).toBe(sessionId);
    expect(await bench.say('/resume nothing-like-it')).toContain('There is no session');
  });

  it('tells how long ago, and how much was said', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    const told = (lastAt: string, messages = 2, more = {}): string =>
      detailOf({ id: 'x', file: '/x', startedAt: lastAt, lastAt, title: '', messages, bytes: 1, ...more }, now);
    expect(told('2026-11-22T11:59:40Z', 1)).toBe('just now, 1 message');
    expect(told('2026-11-22T11:20:00Z')).toBe('40 min ago, 2 messages');
    expect(told('2026-11-22T02:00:00Z')).toBe('10 h ago, 2 messages');
    expect(told('2026-11-21T02:00:00Z', 2, { openBy: 7 })).toBe('yesterday, 2 messages, open elsewhere');
    expect(told('2026-11-02T02:00:00Z')).toBe('20 days ago, 2 messages');
  });
});
