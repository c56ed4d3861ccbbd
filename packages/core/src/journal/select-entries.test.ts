import { expect, it } from 'vitest';
import type { JournalEntry } from './journal-entry.js';
import { filesWithin, selectCalls } from './select-entries.js';

const MISSING = { kind: 'missing' } as const;

function entry(id: string, sessionId: string, minute: number, more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    version: 1,
    id,
    time: `2026-01-02T03:0${minute}:00.000Z`,
    kind: 'change',
    call: { callId: `call-${id}`, toolName: 'edit', title: id, sessionId },
    reverts: [],
    changes: [{ path: `/w/${id}`, before: MISSING, after: MISSING }],
    madeFolders: [],
    ...more,
  };
}

const entries = [
  entry('1', 'one', 1),
  entry('2', 'one', 2),
  entry('3', 'two', 3),
  entry('4', 'one', 4),
  entry('5', 'two', 5, { background: true }),
  entry('6', 'two', 6),
  entry('7', 'two', 7, { kind: 'undo', reverts: ['6'] }),
];
const since = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;

it('takes what sessions changed from a moment on, until another, and is not undone or the work of a job', () => {
  const stretches = [
    { sessionId: 'two', since: since(2) },
    { sessionId: 'one', since: since(2), until: since(3) },
  ];
  expect(selectCalls(entries, { stretches }).map(({ id }) => id)).toEqual(['3', '2']);
  expect(filesWithin(entries, [stretches, [{ sessionId: 'one', since: since(4) }], []])).toEqual([
    ['/w/2', '/w/3'],
    ['/w/4'],
    [],
  ]);
  expect(() => selectCalls(entries, { stretches: [{ sessionId: 'two', since: since(4) }] })).toThrow(
    expect.objectContaining({ code: 'nothing_to_undo' }),
  );
});
