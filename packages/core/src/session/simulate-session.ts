import { isLooserMode, type ApprovalMode } from '../policy/approval-mode.js';
import type { Decision } from '../policy/verdict.js';
import { errorMessage } from '../util/failure.js';
import { mergeByTime, type AgentLog } from './agent-logs.js';
import { examineCall, type ExaminationServices } from './examine-call.js';
import type { LoggedEvent } from './session-log.js';

/** A call as a session log has it. */
export interface RecordedCall {
  readonly callId: string;
  /** The subagent that made it, as it is named to people. */
  readonly agent?: string;
  /** In which that subagent worked; absent for the agent that talks with the person. */
  readonly mode?: ApprovalMode;
  readonly toolName: string;
  readonly title: string;
  readonly argumentsText: string;
  /** How it was judged then; absent when it never got that far. */
  readonly before?: Judgement;
}

export interface Judgement {
  readonly decision: Decision;
  readonly reason: string;
}

export interface SimulatedCall extends RecordedCall {
  /** How it would be judged now; absent when it could not be. */
  readonly after?: Judgement;
  /** Why it could not be judged, then or now. */
  readonly problem?: string;
}

export interface Simulation {
  /** In the order of the session. */
  readonly calls: readonly SimulatedCall[];
  readonly same: number;
  readonly changed: readonly SimulatedCall[];
  readonly notJudged: readonly SimulatedCall[];
}

/** The calls of a session and its subagents, in the order in which they began. */
export function recordedCalls(
  events: readonly LoggedEvent[],
  agents: readonly Pick<AgentLog, 'label' | 'events'>[] = [],
): RecordedCall[] {
  const all = agents.map((agent) => {
    const start = agent.events.find(({ event }) => event.type === 'session-start')?.event;
    const mode = start?.type === 'session-start' ? { mode: start.approvalMode } : {};
    return timedCalls(agent.events, { agent: agent.label, ...mode });
  });
  return mergeByTime([timedCalls(events, {}), ...all]).map(({ call }) => call);
}

interface TimedCall {
  readonly time: string;
  readonly call: RecordedCall;
}

function timedCalls(events: readonly LoggedEvent[], by: Pick<RecordedCall, 'agent' | 'mode'>): TimedCall[] {
  const calls: TimedCall[] = [];
  // Some models count their calls anew in each answer, so an id means the last call that began with it.
  const places = new Map<string, number>();
  for (const { event, time } of events) {
    if (event.type === 'tool-call-start') {
      const { callId, toolName, title, args } = event;
      // Arguments that were never understood are recorded as the text that came.
      const argumentsText = typeof args === 'string' ? args : JSON.stringify(args);
      places.set(callId, calls.push({ time, call: { callId, ...by, toolName, title, argumentsText } }) - 1);
    } else if (event.type === 'tool-call-end' && event.verdict !== undefined) {
      const place = places.get(event.callId);
      const known = place === undefined ? undefined : calls[place];
      const { decision, reason } = event.verdict;
      if (place !== undefined && known !== undefined)
        calls[place] = { ...known, call: { ...known.call, before: { decision, reason } } };
    }
  }
  return calls;
}

/**
 * Judges every call of a session again. What the calls would do is worked out on the files as they are now, so a decision
 * may also change because a file did.
 */
export async function simulateSession(
  recorded: readonly RecordedCall[],
  services: ExaminationServices,
  signal: AbortSignal,
): Promise<Simulation> {
  const calls: SimulatedCall[] = [];
  for (const call of recorded) calls.push(await judgeAgain(call, services, signal));
  const judged = calls.filter(({ problem }) => problem === undefined);
  const changed = judged.filter(({ before, after }) => before?.decision !== after?.decision);
  return {
    calls,
    changed,
    same: judged.length - changed.length,
    notJudged: calls.filter(({ problem }) => problem !== undefined),
  };
}

async function judgeAgain(
  call: RecordedCall,
  services: ExaminationServices,
  signal: AbortSignal,
): Promise<SimulatedCall> {
  if (call.before === undefined) return { ...call, problem: 'it was not judged when it was made' };
  try {
    const { context } = services;
    const { mode = context.mode } = call;
    // A subagent never has a looser mode than the session.
    const own = isLooserMode(mode, context.mode) ? context : { ...context, mode };
    const { explanation } = await examineCall(call, { ...services, context: own }, signal);
    return { ...call, after: { decision: explanation.decision, reason: explanation.reason } };
  } catch (thrown) {
    return { ...call, problem: errorMessage(thrown) };
  }
}
