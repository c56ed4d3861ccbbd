import { expect, it } from 'vitest';
import { taskReport, toldAgents } from './task-words.js';

const agents = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `agent-${index}`, description: 'd'.repeat(length) }));

it('tells what agents are for within four thousand characters, and the rest by name', () => {
  const lines = toldAgents(agents(60, 500));
  expect(lines.join('\n').length).toBeLessThan(4800);
  expect(lines[0]).toContain('agent-0: ddd');
  expect(lines.at(-1)).toMatch(/^- also, by name only: agent-\d+, /);
  expect(toldAgents(agents(3, 50))).toHaveLength(3);
  expect(toldAgents(agents(1, 5000))[0]?.length).toBeLessThan(650);
  expect(toldAgents([])).toEqual([]);
});

it('says how work ended, and why where it did not come to its end', () => {
  const report = { agentId: 'a1', text: ' found it ', turns: 1, toolCalls: 2, durationMs: 1499, transcript: '/t.md' };
  expect(taskReport('explore', { ...report, stopReason: 'completed' })).toBe(
    'found it\n\n[explore (a1): 1 turn, 2 calls, 1 s. All that it did: /t.md]',
  );
  const cut = taskReport('explore', {
    ...report,
    text: '',
    stopReason: 'max-turns',
    message: 'Stopped after 50 turns.',
  });
  expect(cut).toContain('(It said nothing.)');
  expect(cut).toContain('did not come to its end: max-turns, Stopped after 50 turns.');
});
