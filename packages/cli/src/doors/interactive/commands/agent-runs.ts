import { loadAgentLogs, type Agent, type AgentLog } from '@tenon/core';
import { duration } from '../../../ui/amounts.js';
import { tokensOf, workDone } from '../../../ui/subagent-line.js';

/** A subagent that works or worked in this session. All texts are untrusted. */
export interface AgentRun extends Pick<AgentLog, 'agentId' | 'label' | 'description' | 'model' | 'parentId' | 'file'> {
  readonly log: AgentLog;
  /** `lost`: nothing tells of its end, as when the process was killed. */
  readonly state: 'working' | 'ended' | 'lost';
  /** Why it ended. */
  readonly stopReason?: string;
  readonly calls: number;
  readonly tokens: number;
  /** In milliseconds. */
  readonly durationMs: number;
}

/** All of the session, those further down too, each behind the one that handed the work on. */
export function agentRuns(agent: Pick<Agent, 'history' | 'sessionFile' | 'config'>, now: number): readonly AgentRun[] {
  const { history, sessionFile } = agent;
  const logs = loadAgentLogs(sessionFile, history);
  const all = [history, ...logs.map(({ events }) => events)].flat();
  // What began before this process did does not work any more.
  const lastStart = history.findLast(({ event }) => event.type === 'session-start')?.time ?? '';
  const runs = logs.map((log): AgentRun => {
    const { agentId, label, description, model, parentId, file, startedAt, events } = log;
    const end = all.findLast(({ event }) => event.type === 'subagent-end' && event.agentId === agentId)?.event;
    const known = { agentId, label, description, model, ...(parentId !== undefined && { parentId }), file, log };
    if (end?.type === 'subagent-end') {
      const { input, output } = tokensOf(end);
      const { stopReason, toolCalls: calls, durationMs } = end;
      return { ...known, state: 'ended', stopReason, calls, tokens: input + output, durationMs };
    }
    // The end of one in the background is part of the session's own log with the next prompt only.
    const done = events.findLast(({ event }) => event.type === 'prompt-end');
    if (done?.event.type === 'prompt-end') {
      const { stopReason, toolCalls: calls } = done.event;
      const durationMs = Math.max(0, Date.parse(done.time) - Date.parse(startedAt));
      return { ...known, state: 'ended', stopReason, calls, tokens: usedIn(events), durationMs };
    }
    const isLost = startedAt < lastStart;
    const until = isLost ? Date.parse(events.at(-1)?.time ?? startedAt) : now;
    return {
      ...known,
      state: isLost ? 'lost' : 'working',
      calls: events.filter(({ event }) => event.type === 'tool-call-start').length,
      tokens: usedIn(events),
      durationMs: Math.max(0, until - Date.parse(startedAt)),
    };
  });
  return inTree(runs);
}

function usedIn(events: AgentLog['events']): number {
  return events.reduce((sum, { event }) => {
    if (event.type !== 'assistant-message' || event.usage === undefined) return sum;
    return sum + event.usage.inputTokens + event.usage.outputTokens;
  }, 0);
}

function inTree(runs: readonly AgentRun[], parentId?: string): AgentRun[] {
  const ids = new Set(runs.map(({ agentId }) => agentId));
  const own = runs.filter((run) => (parentId === undefined ? !ids.has(run.parentId ?? '') : run.parentId === parentId));
  return own.flatMap((run) => [run, ...(run.agentId === parentId ? [] : inTree(runs, run.agentId))]);
}

/** `a1 explore: find it … working, 3 calls, 2100 tokens, 12 s`; those further down are indented. Pure. */
export function runLine(run: AgentRun): string {
  const { label, description, state, stopReason, calls, tokens, durationMs, agentId } = run;
  const indent = '  '.repeat(agentId.split('.').length);
  const how = state === 'working' ? 'works' : state === 'lost' ? 'its end is not known' : (stopReason ?? 'ended');
  const facts = [how, workDone(calls, tokens), duration(durationMs)].filter((fact) => fact !== '');
  return `${indent}${label}: ${description.replaceAll(/\s+/g, ' ').trim()} … ${facts.join(', ')}`;
}
