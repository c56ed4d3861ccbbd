import { expect, it } from 'vitest';
import type { JournalEntry } from '../journal/journal-entry.js';
import { auditTrail } from './audit-trail.js';
import type { LoggedEvent } from './log-lines.js';

const time = '2026-01-02T03:04:05.000Z';
const logged = (events: readonly object[]): LoggedEvent[] =>
  events.map((event, index) => ({ sequence: index + 1, time, event: event as LoggedEvent['event'] }));
const write = { kind: 'write', path: '/w/a', requested: '/w/a', zone: 'workspace' };
const change = (sessionId: string, turn: number): JournalEntry => ({
  version: 1,
  id: `${sessionId}-${turn}`,
  time,
  kind: 'change',
  call: { callId: 'c', toolName: 'edit', title: '', sessionId, turn },
  reverts: [],
  changes: [{ path: `/w/${sessionId}-${turn}`, before: { kind: 'missing' }, after: { kind: 'missing' } }],
  madeFolders: [],
});

it('tells for each call what it would do, how it was judged, who let it, and what it changed', () => {
  const steps = auditTrail(
    logged([
      { type: 'session-start', sessionId: 's', version: '1', model: 'm', roots: ['/w'], approvalMode: 'default' },
      { type: 'user-message', text: 'first' },
      { type: 'user-message', text: 'go', id: '2-x' },
      { type: 'user-message', text: 'and', id: '3-x', isSteering: true },
      { type: 'tool-call-start', callId: 'c', toolName: 'edit', title: 'a', args: { x: 1 } },
      {
        type: 'approval-request',
        callId: 'c',
        request: { reason: 'it writes', effects: [write], alwaysRules: ['Edit'] },
      },
      { type: 'approval-answer', callId: 'c', outcome: 'proceed_always', by: 'person', rules: ['Edit(a)'] },
      {
        type: 'tool-call-end',
        callId: 'c',
        status: 'success',
        durationMs: 7,
        verdict: { decision: 'ask', reason: 'it writes', rule: { text: 'Edit(*)' }, parts: [{ effect: write }] },
      },
      { type: 'rewind', to: '2-x', conversation: true, files: { reverted: 1, left: 0 } },
      { type: 'notice', level: 'warning', text: 'careful' },
      { type: 'notice', level: 'info', text: 'never mind' },
    ]),
    [change('s', 1), change('s', 2), change('other', 2)],
  );
  expect(steps.map(({ kind }) => kind)).toEqual(['session', 'prompt', 'prompt', 'prompt', 'call', 'change', 'warning']);
  expect(steps[4]).toEqual({
    kind: 'call',
    time,
    callId: 'c',
    toolName: 'edit',
    title: 'a',
    args: { x: 1 },
    effects: ['write /w/a'],
    verdict: { decision: 'ask', reason: 'it writes', rule: 'Edit(*)' },
    approvals: [{ time, reason: 'it writes', outcome: 'proceed_always', by: 'person', granted: ['Edit(a)'] }],
    status: 'success',
    durationMs: 7,
    changed: ['/w/s-2'],
  });
});

it('shows calls that were denied by nobody, and those of which the log tells no end', () => {
  const steps = auditTrail(
    logged([
      { type: 'tool-call-start', callId: 'a', toolName: 't', title: '', args: {} },
      { type: 'approval-request', callId: 'a', request: { reason: 'r', effects: [], alwaysRules: [] } },
      { type: 'approval-answer', callId: 'a', outcome: 'cancel', by: 'nobody' },
      { type: 'tool-call-end', callId: 'a', status: 'denied', durationMs: 0, error: { message: 'no', type: 'x' } },
      { type: 'tool-call-start', callId: 'a', toolName: 't', title: '', args: {} },
    ]),
  );
  expect(steps).toMatchObject([
    { status: 'denied', error: 'no', approvals: [{ outcome: 'cancel', by: 'nobody', granted: [] }] },
    { approvals: [] },
  ]);
  expect(steps[1]).not.toHaveProperty('status');
});
