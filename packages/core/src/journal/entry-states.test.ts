import { describe, expect, it } from 'vitest';
import { entriesInForce } from './entry-states.js';
import type { JournalEntry } from './journal-entry.js';
import { groupByCall, lastUndo, selectCalls, type Selection } from './select-entries.js';

interface Row {
  readonly id: string;
  readonly kind?: JournalEntry['kind'];
  readonly reverts?: readonly string[];
  readonly callId?: string;
  readonly sessionId?: string;
  readonly turn?: number;
}

function entry({ id, kind = 'change', reverts = [], callId, sessionId, turn }: Row): JournalEntry {
  const place = { ...(sessionId === undefined ? {} : { sessionId }), ...(turn === undefined ? {} : { turn }) };
  const call = callId === undefined ? {} : { call: { callId, toolName: 't', title: 'a title', ...place } };
  return { version: 1, id, time: '2026-01-01T00:00:00.000Z', kind, reverts, changes: [], madeFolders: [], ...call };
}

const undo = (id: string, ...reverts: string[]): JournalEntry => entry({ id, kind: 'undo', reverts });
const redo = (id: string, ...reverts: string[]): JournalEntry => entry({ id, kind: 'redo', reverts });

describe('entriesInForce', () => {
  it('leaves out what was undone, takes in what was redone, and undone again', () => {
    const log = [entry({ id: 'a' }), entry({ id: 'b' })];
    const states = (...more: JournalEntry[]): string[] => [...entriesInForce([...log, ...more])];
    expect(states()).toEqual(['a', 'b']);
    expect(states(undo('u', 'b'))).toEqual(['a', 'u']);
    expect(states(undo('u', 'b'), redo('r', 'u'))).toEqual(['a', 'b', 'r']);
    expect(states(undo('u', 'b'), redo('r', 'u'), undo('v', 'b', 'a'))).toEqual(['r', 'v']);
    expect(states(undo('u', 'b'), redo('r', 'u'), undo('v', 'r'))).toEqual(['a', 'u', 'v']);
  });

  it('does not need the order of a clock that went back', () => {
    expect([...entriesInForce([undo('u', 'b'), entry({ id: 'b' })])]).toEqual(['u']);
  });

  it('comes to an end with a damaged log', () => {
    expect(entriesInForce([undo('u', 'v'), undo('v', 'u'), undo('w', 'w'), undo('x', 'gone')]).has('x')).toBe(true);
  });
});

describe('selectCalls', () => {
  const log = [
    entry({ id: 't1-0-aa11', callId: 'call_1', sessionId: 's', turn: 1 }),
    entry({ id: 't2-0-bb22', callId: 'call_2', sessionId: 's', turn: 2 }),
    entry({ id: 't3-0-cc33', callId: 'call_3', sessionId: 's', turn: 2, kind: 'command' }),
    entry({ id: 't4-0-dd44', callId: 'call_2', sessionId: 's', turn: 2 }),
    entry({ id: 't5-0-ee55' }),
  ];
  const ids = (selection: Selection, entries: readonly JournalEntry[] = log): string[] =>
    selectCalls(entries, selection).map(({ id }) => id);

  it('takes the last calls, each with all of its entries', () => {
    expect(ids({ last: 1 })).toEqual(['t5-0-ee55']);
    expect(ids({ last: 3 })).toEqual(['t5-0-ee55', 't2-0-bb22', 't3-0-cc33']);
    expect(groupByCall(log)[1]?.entries.map(({ id }) => id)).toEqual(['t2-0-bb22', 't4-0-dd44']);
    expect(ids({ last: 99 })).toHaveLength(4);
  });

  it('passes over what is undone, and never takes an undo', () => {
    const more = [...log, undo('t6-0-ff66', 't5-0-ee55')];
    expect(ids({ last: 1 }, more)).toEqual(['t2-0-bb22']);
    expect(ids({ last: 1 }, [...more, redo('t7-0-0077', 't6-0-ff66')])).toEqual(['t5-0-ee55']);
  });

  it('finds one by call id, entry id, short id, and the beginning of any', () => {
    for (const id of ['call_1', 't1-0-aa11', 'aa11', 'aa', 't1']) expect(ids({ id })).toEqual(['t1-0-aa11']);
    expect(ids({ id: 'dd' })).toEqual(['t2-0-bb22']);
    expect(() => ids({ id: 'call_' })).toThrow('3 calls have an id that begins with "call_"');
    expect(() => ids({ id: 'nope' })).toThrow('No call of the log has the id "nope"');
    expect(() => ids({ id: '' })).toThrow('No call');
  });

  it('takes the last turn, and everything after a call', () => {
    expect(ids({ lastTurn: true }, log.slice(0, 4))).toEqual(['t2-0-bb22', 't3-0-cc33']);
    expect(ids({ lastTurn: true })).toEqual(['t5-0-ee55']);
    expect(ids({ after: 'call_1' })).toEqual(['t5-0-ee55', 't2-0-bb22', 't3-0-cc33']);
    expect(ids({ after: 'call_3' })).toEqual(['t5-0-ee55', 't2-0-bb22']);
    expect(() => ids({ after: 'ee55' })).toThrow('Nothing was changed after ee55');
  });

  it('keeps calls of two sessions apart that have the same id', () => {
    const two = [
      entry({ id: 'x-0-1', callId: 'call_1', sessionId: 's', turn: 1 }),
      entry({ id: 'y-0-2', callId: 'call_1', sessionId: 't', turn: 1 }),
    ];
    expect(ids({ last: 1 }, two)).toEqual(['y-0-2']);
    expect(() => ids({ id: 'call_1' }, two)).toThrow('2 calls');
  });

  it('says when there is nothing', () => {
    expect(() => ids({ last: 1 }, [])).toThrow('There is nothing to undo');
    expect(() => lastUndo(log)).toThrow('There is nothing to redo');
    const undone = [...log, undo('u', 't5-0-ee55'), undo('v', 't1-0-aa11')];
    expect(lastUndo(undone).id).toBe('v');
    expect(lastUndo([...undone, redo('r', 'v')]).id).toBe('u');
    expect(() => lastUndo([...undone, redo('r', 'v'), redo('q', 'u')])).toThrow('There is nothing to redo');
  });
});
