import type { AgentEvent, Denial } from '@tenon/core';

/** The last event of a prompt. */
export type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

/** Why it stopped, when it did not stop by itself. */
export function endLines(end: PromptEnd): string[] {
  if (end.stopReason === 'completed') return [];
  const reasons = {
    cancelled: 'interrupted',
    'max-turns': `stopped after ${end.turns} turns: the budget is used up (--max-turns raises it)`,
    'max-tool-calls': `stopped after ${end.toolCalls} tool calls: the budget is used up (limits.maxToolCalls in the settings)`,
    loop: 'stopped: the model repeated itself',
    'model-error': 'the model failed',
  } as const;
  const more = end.message === undefined ? '' : `: ${end.message}`;
  return [`${reasons[end.stopReason]}${more}`];
}

/** Each denial with the rules that would have allowed it, ready to be given. */
export function denialLines(denials: readonly Denial[]): string[] {
  return denials.flatMap((denial) => {
    const head = `denied: ${denial.title} (${denial.reason})`;
    if (denial.rules.length === 0) return [head];
    const options = denial.rules.map((rule) => `--allow ${shellQuoted(rule)}`).join(' ');
    return [head, `  to allow it: ${options}`];
  });
}

function shellQuoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
