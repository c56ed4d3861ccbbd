import type { AgentDefinition, SubagentReport } from '../subagents/subagent-types.js';
import { describeWorktree } from './agent-report.js';

export const TASK_WORDS =
  'Hands a task to a subagent, which sees nothing of this conversation; you get its last message. Several calls in one answer run side by side: give them no files in common. Agents:';

/** Characters for what agents are for; the rest are told by name. */
const MOST_TOLD = 4000;
const MOST_OF_ONE = 600;
/** Characters of a subagent's last words. */
const MOST_WORDS = 16_000;
const LAST_WORDS = 4000;

/** The agents there are, a line each, within a budget. */
export function toldAgents(definitions: readonly Pick<AgentDefinition, 'name' | 'description'>[]): string[] {
  const lines: string[] = [];
  const rest: string[] = [];
  let room = MOST_TOLD;
  for (const { name, description } of definitions) {
    const words = description.replaceAll(/\s+/g, ' ').trim();
    const line = `- ${name}: ${words.length <= MOST_OF_ONE ? words : `${words.slice(0, MOST_OF_ONE - 1).trimEnd()}…`}`;
    if (rest.length === 0 && line.length <= room) lines.push(line);
    else rest.push(name);
    room -= line.length + 1;
  }
  return rest.length === 0 ? lines : [...lines, `- also, by name only: ${named(rest)}`];
}

function named(names: readonly string[]): string {
  const text = names.join(', ');
  return text.length <= MOST_OF_ONE ? text : `${text.slice(0, MOST_OF_ONE).replace(/,[^,]*$/, '')}, …`;
}

/** What the agent above is told of work that has ended. */
export function taskReport(agent: string, report: SubagentReport): string {
  const { agentId, stopReason, message, turns, toolCalls, durationMs, transcript, worktree } = report;
  const words = report.text.trim();
  const said = words === '' ? '(It said nothing.)' : shortened(words, transcript);
  const why =
    stopReason === 'completed'
      ? message
      : `${agent} (${agentId}) did not come to its end: ${stopReason}${message === undefined ? '' : `, ${message}`}${words === '' ? '' : ' What stands above is as far as it got.'}`;
  const took = `${amount(turns, 'turn')}, ${amount(toolCalls, 'call')}, ${Math.round(durationMs / 1000)} s`;
  return [
    said,
    '',
    ...(why === undefined ? [] : [`[${why}]`]),
    ...(worktree === undefined ? [] : describeWorktree(worktree)),
    `[${agent} (${agentId}): ${took}. All that it did: ${transcript}]`,
  ].join('\n');
}

function shortened(words: string, transcript: string): string {
  if (words.length <= MOST_WORDS) return words;
  const head = words.slice(0, MOST_WORDS - LAST_WORDS);
  const tail = words.slice(words.length - LAST_WORDS);
  const left = words.length - head.length - tail.length;
  return `${head}\n\n[${left} characters are left out here; they are in ${transcript}]\n\n${tail}`;
}

function amount(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
