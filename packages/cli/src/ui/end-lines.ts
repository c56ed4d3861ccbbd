import type { AgentEvent, Denial } from '@tenon/core';
import type { Refusals } from './refusals.js';

/** The last event of a prompt. */
export type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

/** Why it stopped, when it did not stop by itself, or not at the end of its words. */
export function endLines(end: PromptEnd): string[] {
  if (end.stopReason === 'completed') return end.message === undefined ? [] : [end.message];
  const reasons = {
    cancelled: 'interrupted',
    'max-turns': `stopped after ${end.turns} turns: the budget is used up (--max-turns raises it)`,
    'max-tool-calls': `stopped after ${end.toolCalls} tool calls: the budget is used up (--max-calls raises it)`,
    'max-seconds': 'stopped: the time is used up (--max-seconds raises it)',
    'max-cost': 'stopped: what it may cost is used up (--max-cost raises it)',
    loop: 'stopped: the model repeated itself',
    'empty-answer': 'the model gave no answer',
    'model-error': 'the model failed',
  } as const;
  const more = end.message === undefined ? '' : `: ${end.message}`;
  return [`${reasons[end.stopReason]}${more}`];
}

/**
 * Each denial with the rules that would have allowed it, ready to be given: to whoever could not be asked. A person
 * who said no knows it.
 */
export function denialLines(
  denials: readonly Denial[],
  refusals: Pick<Refusals, 'wasByPerson' | 'wasByNobody'>,
): string[] {
  return denials.flatMap((denial) => {
    if (refusals.wasByPerson(denial.callId)) return [];
    const who = denial.agent === undefined ? denial.agentId : `${denial.agent} (${denial.agentId})`;
    const head = `denied: ${who === undefined ? '' : `${who}: `}${denial.title} (${denial.reason})`;
    if (denial.rules.length === 0) return refusals.wasByNobody(denial.callId) ? [head, NO_RULE] : [head];
    const options = denial.rules.map((rule) => `--allow ${shellQuoted(rule)}`).join(' ');
    return [head, `  to allow it: ${options}`];
  });
}

/** Better than silence, which leaves the person to wonder why other calls come with a rule. */
const NO_RULE = '  no rule that is safe to suggest allows it: in a session (`tenon`) you are asked about it';

/** One word for a POSIX shell. */
export function shellQuoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
