import { agentLabel, makeSafe, safeText, type Safe, type StopReason } from '@tenon/core';
import { workDone } from '../../../../ui/subagent-line.js';
import { askingIn } from '../../state/status.js';
import type { CallAgent, CallItem } from '../../state/session-state.js';
import type { Look } from '../block.js';
import { NOTHING, sign } from '../paint.js';

/** Names and descriptions are whatever a file or the model says. */
const LONGEST_NAME = 60;

/** Who works, and for what: what a call that hands work on is named by. */
export function agentNames({ name, agentId, description }: CallAgent): { readonly name: Safe; readonly title: Safe } {
  return { name: makeSafe(agentLabel(name, agentId), { maxLength: LONGEST_NAME }), title: makeSafe(description) };
}

/** What a subagent did so far, and what it does now where none of its calls tells it below. */
export function agentState(call: CallItem, agent: CallAgent, look: Look): Safe {
  const { theme } = look;
  if (agent.isBackground) return theme.paint('dim', safeText`works in the background`);
  const work = makeSafe(workDone(agent.calls, agent.tokens.input + agent.tokens.output));
  const how = agent.end === undefined ? undefined : STOPPED[agent.end.stopReason];
  const end = how === undefined ? NOTHING : theme.paint('warning', makeSafe(how));
  const now = call.phase === 'done' || agent.end !== undefined ? end : currentWork(call, agent, look);
  if (now === '' || work === '') return now === '' ? theme.paint('dim', work) : now;
  return safeText`${theme.paint('dim', work)}${theme.paint('dim', sign(look, safeText` · `, safeText`, `))}${now}`;
}

function currentWork(call: CallItem, agent: CallAgent, look: Look): Safe {
  const { theme } = look;
  const isFolded = look.branches === 0;
  if (isFolded && askingIn(call) > 0) return theme.paint('warning', safeText`waits for your answer`);
  const latest = call.children.findLast(({ phase }) => phase !== 'done');
  if (latest !== undefined && !isFolded) return NOTHING;
  if (latest === undefined) return theme.paint('dim', DOING[agent.doing]);
  const { displayName, title } = latest.start;
  return theme.paint('dim', safeText`${makeSafe(displayName)} ${makeSafe(title)}`);
}

const DOING: Readonly<Record<CallAgent['doing'], Safe>> = {
  waiting: safeText`waits for the model`,
  thinking: safeText`thinks`,
  answering: safeText`writes`,
  retrying: safeText`tries again`,
};

/** How it stopped, when not by itself; that a call was cancelled is told by the call. */
const STOPPED: Readonly<Partial<Record<StopReason, string>>> = {
  'max-turns': 'used up its turns',
  'max-tool-calls': 'used up its calls',
  'max-seconds': 'used up its time',
  'max-cost': 'used up what it may cost',
  loop: 'repeated itself',
  'empty-answer': 'the model gave no answer',
  'model-error': 'the model failed',
};

/** How many calls of each subagent are shown while so many of them work at once: twenty must be readable. */
export function branchesFor(running: number): number {
  if (running <= 1) return 5;
  if (running <= 3) return 3;
  return running <= 6 ? 1 : 0;
}
