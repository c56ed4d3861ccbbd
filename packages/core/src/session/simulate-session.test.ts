import { expect, it } from 'vitest';
import type { AgentEvent } from '../agent/events.js';
import type { Decision } from '../policy/verdict.js';
import { recordedCalls } from './simulate-session.js';

const logged = (events: readonly unknown[]) =>
  recordedCalls(events.map((event, index) => ({ sequence: index + 1, time: '', event: event as AgentEvent })));
const start = (callId: string, args: unknown) => ({ type: 'tool-call-start', callId, toolName: 't', title: 'T', args });
const end = (callId: string, decision?: Decision) => ({
  type: 'tool-call-end',
  callId,
  ...(decision !== undefined && { verdict: { decision, reason: `because ${decision}`, parts: [] } }),
});

it('reads the calls of a session, also those whose ids come again and those that were never judged', () => {
  expect(
    logged([
      start('a', { x: 1 }),
      start('b', '{"broken'),
      end('b'),
      end('a', 'allow'),
      start('a', {}),
      end('a', 'deny'),
    ]),
  ).toEqual([
    {
      callId: 'a',
      toolName: 't',
      title: 'T',
      argumentsText: '{"x":1}',
      before: { decision: 'allow', reason: 'because allow' },
    },
    { callId: 'b', toolName: 't', title: 'T', argumentsText: '{"broken' },
    {
      callId: 'a',
      toolName: 't',
      title: 'T',
      argumentsText: '{}',
      before: { decision: 'deny', reason: 'because deny' },
    },
  ]);
});
