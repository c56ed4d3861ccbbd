import { expect, test } from 'vitest';
import type { AgentEvent } from '../agent/events.js';
import { SessionTrail } from './session-trail.js';

const begun = (agentId: string): AgentEvent => ({
  type: 'subagent-start',
  callId: 'c1',
  agentId,
  agent: 'general',
  description: 'a task',
  model: 'm',
  logFile: '/log',
});

test('no number of a subagent is given twice, also where one that was given never began', () => {
  const trail = new SessionTrail();
  for (const [index, agentId] of ['a1', 'a3', 'a2', 'a3.7', 'a10'].entries())
    trail.add({ sequence: index, time: '2026-01-01T00:00:00.000Z', event: begun(agentId) });
  expect(trail.agents).toBe(10);
});
