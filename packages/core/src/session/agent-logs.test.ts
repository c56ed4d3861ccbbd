import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../agent/events.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { loadAgentLogs, mergeByTime } from './agent-logs.js';
import { auditTrail } from './audit-trail.js';
import { listSessions } from './list-sessions.js';
import { projectFolders } from './project-folders.js';
import { playedCalls } from './replay-session.js';
import { loadSessionLog, SessionLog } from './session-log.js';
import { recordedCalls } from './simulate-session.js';
import { verifyAgents, verifySession } from './verify-session.js';

const ID = '00000000-0000-4000-8000-000000000001';
const usage = { inputTokens: 1, outputTokens: 1 };
let folder: string;
let main: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-agent-logs-'));
  main = path.join(folder, `2026-01-01T00-00-00-000Z-${ID}.jsonl`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const logOf = (agentId: string): string =>
  path.join(folder, 'agents', `2026-01-01T00-00-00-000Z-${ID}.${agentId}.jsonl`);

/** Each event with the second in which it happens. */
function write(file: string, events: readonly (readonly [number, AgentEvent])[]): void {
  const log = new SessionLog(file);
  for (const [second, event] of events) log.append(event, new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
  log.close();
}

const begin = (sessionId: string, root = '/w', approvalMode: 'default' | 'plan' = 'default') =>
  ({
    type: 'session-start',
    sessionId,
    version: '1',
    model: 'm',
    roots: [root],
    approvalMode,
    tools: [],
  }) as AgentEvent;
const call = (callId: string, title = callId) =>
  ({
    type: 'tool-call-start',
    callId,
    toolName: 'edit',
    displayName: 'Edit',
    kind: 'edit',
    title,
    locations: [],
    args: { x: 1 },
    repairs: [],
  }) as AgentEvent;
const done = (callId: string) =>
  ({
    type: 'tool-call-end',
    callId,
    toolName: 'edit',
    title: callId,
    status: 'success',
    durationMs: 7,
    display: '',
    content: [],
    verdict: { decision: 'allow', reason: 'it may', parts: [] },
  }) as unknown as AgentEvent;
const start = (agentId: string, callId: string, logFile = `/elsewhere/${path.basename(logOf(agentId))}`) =>
  ({
    type: 'subagent-start',
    callId,
    agentId,
    agent: 'explore',
    description: 'find it',
    model: 'm',
    logFile,
  }) as AgentEvent;
const end = (agentId: string, callId: string) =>
  ({
    type: 'subagent-end',
    callId,
    agentId,
    stopReason: 'completed',
    model: 'm',
    turns: 1,
    toolCalls: 2,
    usage,
    durationMs: 9,
  }) as AgentEvent;

/** A session whose subagent a1 hands work on to a1.1. */
function session(): void {
  write(main, [
    [0, begin(ID)],
    [1, { type: 'user-message', text: 'go', id: '1-x' }],
    [2, call('t1')],
    [3, start('a1', 't1')],
    [5, call('m1')],
    [6, done('m1')],
    [9, end('a1', 't1')],
    [10, done('t1')],
  ]);
  write(logOf('a1'), [
    [3, begin(`${ID}.a1`, '/w', 'plan')],
    [3, { type: 'user-message', text: 'find the parser' }],
    [4, call('x1')],
    [4, start('a1.1', 'x1')],
    [8, done('x1')],
  ]);
  write(logOf('a1.1'), [
    [5, begin(`${ID}.a1.1`, '/tmp/worktree')],
    [5, call('y1')],
    [7, done('y1')],
  ]);
}

const load = () => {
  const { events } = loadSessionLog(main);
  return { events, agents: loadAgentLogs(main, events) };
};

describe('the logs of subagents', () => {
  it('are found beside that of the session, wherever it says that they were, and those below them', () => {
    session();
    const { agents } = load();
    expect(agents.map(({ label, parentId, file }) => [label, parentId, file])).toEqual([
      ['explore (a1)', undefined, logOf('a1')],
      ['explore (a1.1)', 'a1', logOf('a1.1')],
    ]);
    expect(agents.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('are no sessions of their own', async () => {
    const { sessions } = projectFolders(folder, folder);
    write(path.join(sessions, path.basename(main)), [[1, { type: 'user-message', text: 'go', id: '1-x' }]]);
    write(path.join(sessions, 'agents', path.basename(logOf('a1'))), [[1, { type: 'user-message', text: 'look' }]]);
    const found = await listSessions({ root: folder, tenonHome: folder });
    expect(found.map(({ title }) => title)).toEqual(['go']);
  });

  it('tell in the audit who made which call, in the order of time, and what each changed', () => {
    session();
    const { events, agents } = load();
    const change = (callId: string, agent: string, turn: number): JournalEntry => ({
      version: 1,
      id: callId,
      time: '',
      kind: 'change',
      call: { callId, toolName: 'edit', title: '', sessionId: ID, turn, agent },
      reverts: [],
      changes: [{ path: `/w/${callId}`, before: { kind: 'missing' }, after: { kind: 'missing' } }],
      madeFolders: [],
    });
    const journal = [change('m1', 'main', 1), change('x1', 'a1', 1), change('y1', 'a1.1', 2)];
    const told = auditTrail(events, journal, agents).map((step) => {
      if (step.kind === 'call') return `${step.agent ?? '-'} ${step.title} ${step.changed.join()}`;
      return `${step.kind === 'session' ? '' : `${step.agent ?? '-'} `}${step.kind} ${step.text.slice(0, 90)}`;
    });
    expect(told).toEqual([
      expect.stringContaining(`session session ${ID}`),
      '- prompt go',
      '- t1 ',
      '- change the subagent explore (a1) begins with m: find it',
      'explore (a1) prompt find the parser',
      'explore (a1) x1 /w/x1',
      'explore (a1) change the subagent explore (a1.1) begins with m: find it',
      '- m1 /w/m1',
      'explore (a1.1) y1 /w/y1',
      expect.stringContaining('- change the subagent explore (a1) ended (completed) after 1 turn, 2 calls, 9 ms'),
    ]);
  });

  it('have their calls in a replay and in a simulation, each with who made it', () => {
    session();
    const { events, agents } = load();
    expect(playedCalls(events, agents).map(({ agent, callId, leftOut }) => [agent, callId, leftOut])).toEqual([
      [undefined, 't1', undefined],
      ['explore (a1)', 'x1', undefined],
      [undefined, 'm1', undefined],
      ['explore (a1.1)', 'y1', 'it was made in a worktree of its own'],
    ]);
    expect(recordedCalls(events, agents).map(({ agent, callId, mode }) => [agent, callId, mode])).toEqual([
      [undefined, 't1', undefined],
      ['explore (a1)', 'x1', 'plan'],
      [undefined, 'm1', undefined],
      ['explore (a1.1)', 'y1', 'default'],
    ]);
  });

  it('are verified with the session: what is intact, changed, put in place of another, or gone', async () => {
    session();
    expect(verifySession(main).status).toBe('intact');
    expect(verifyAgents(main).map(({ agent, status }) => [agent, status])).toEqual([
      ['explore (a1)', 'intact'],
      ['explore (a1.1)', 'intact'],
    ]);
    await writeFile(logOf('a1'), (await readFile(logOf('a1'), 'utf8')).replace('find the parser', 'find the passwd'));
    await rm(logOf('a1.1'));
    expect(verifyAgents(main)).toMatchObject([
      { agent: 'explore (a1)', status: 'broken', faults: [{ line: 2 }] },
      { agent: 'explore (a1.1)', status: 'missing' },
    ]);
    await rm(main);
    write(main, [[1, start('a7', 't1', logOf('a1'))]]);
    expect(verifyAgents(main)[0]).toMatchObject({ agent: 'explore (a7)', status: 'broken' });
  });

  it('lead nowhere else, nor round in circles, whatever a log says', async () => {
    const secret = path.join(folder, 'secret.jsonl');
    await writeFile(secret, 'not yours\n');
    write(logOf('a1'), [
      [1, start('a1', 'x', logOf('a1'))],
      [1, start('a2', 'y', logOf('a1'))],
      [1, start('a3', 'z', secret)],
      [1, start('a4', 'z', '../secret.jsonl')],
      [1, start('a5', 'z', '/')],
    ]);
    await symlink(secret, path.join(folder, 'agents', 'link.jsonl'));
    write(main, [
      [1, start('a1', 't1')],
      [1, start('a6', 't2', '/x/link.jsonl')],
    ]);
    const { agents } = load();
    expect(agents.map(({ agentId, isMissing }) => [agentId, isMissing])).toEqual([
      ['a1', false],
      ['a6', true],
      ['a3', true],
      ['a5', true],
    ]);
    expect(agents.at(-1)?.problems[0]).toContain('is missing');
  });
});

it('several lists become one in the order of time, and each keeps its own (property)', () => {
  const list = fc.array(fc.constantFrom('1', '2', '3', '4'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), (times) => {
      const lists = times.map((one, number) => one.map((time, place) => ({ time, number, place })));
      const merged = mergeByTime(lists);
      expect(merged).toHaveLength(times.flat().length);
      for (const [number, own] of lists.entries())
        expect(merged.filter((value) => value.number === number)).toEqual(own);
      if (times.every((one) => one.every((time, index) => index === 0 || time >= (one[index - 1] ?? ''))))
        expect(merged.map(({ time }) => time)).toEqual(times.flat().toSorted());
    }),
  );
});
