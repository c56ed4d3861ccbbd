import type { ToolRuntime } from '../runtime.js';
import type { BackgroundSubagent, SubagentReport, WorktreeReport } from '../subagents/subagent-types.js';
import { shellWord } from '../util/shell-word.js';
import { ToolNames } from './tool-names.js';
import type { ToolResult } from './tool-result.js';

/** An agent in the background as plain data, for programs. */
export interface AgentState {
  readonly id: string;
  readonly agent: string;
  readonly description: string;
  readonly state: 'running' | 'ended';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly doing: string;
  readonly report?: SubagentReport;
}

export function stateOfAgent(one: BackgroundSubagent): AgentState {
  const { agentId, agent, description, state, startedAt, doing, report } = one;
  return { id: agentId, agent, description, state, startedAt, doing, ...(report === undefined ? {} : { report }) };
}

/** `a1 (explore, "find the parser")`. */
export function nameOfAgent({ agentId, agent, description }: BackgroundSubagent): string {
  return `${agentId} (${agent}, ${JSON.stringify(shortened(oneLine(description), 80))})`;
}

export function secondsOf({ startedAt, report }: BackgroundSubagent, now = Date.now()): number {
  return Math.round((report?.durationMs ?? now - startedAt) / 1000);
}

/** What it does now, or how it ended and what it said: each of its own lines begins with `> `. */
export function describeAgent(agent: BackgroundSubagent, mostText: number): string {
  const { report, doing } = agent;
  if (report === undefined) {
    const what = doing === '' ? '' : ` Now: ${JSON.stringify(shortened(oneLine(doing), 200))}.`;
    return `${nameOfAgent(agent)} still works (${secondsOf(agent)} s).${what}`;
  }
  return [`${nameOfAgent(agent)} ended ${howOf(report)}.`, ...wordsOf(report, mostText)].join('\n');
}

function howOf({ stopReason, turns, toolCalls, durationMs }: SubagentReport): string {
  const how = stopReason === 'completed' ? '' : `, ${stopReason},`;
  return `after ${Math.round(durationMs / 1000)} s${how} with ${turns} turns and ${toolCalls} calls`;
}

function wordsOf({ text, message, worktree, transcript }: SubagentReport, mostText: number): string[] {
  const words = text.trim();
  const short = words.length > mostText ? `${shortened(words, mostText)}\n(${words.length} characters in all)` : words;
  return [
    ...(message === undefined ? [] : [oneLine(message)]),
    ...(words === '' ? ['It said nothing at its end.'] : ['Its last words:', quotedLines(short)]),
    ...(worktree === undefined ? [] : describeWorktree(worktree)),
    ...(transcript === '' ? [] : [`All that it did: ${transcript}`]),
  ];
}

/** The agent in the background of that id, where an agent is asked for and not a job. */
export function agentNamed(config: ToolRuntime, id: string): BackgroundSubagent | undefined {
  return config
    .getSubagents()
    ?.background()
    .find(({ agentId }) => agentId === id);
}

/** Characters of an agent's last words in a result. */
const MOST_WORDS = 24_000;

/** What the model is told of an agent that it asks for; its end counts as told. */
export function reportOfAgent(agent: BackgroundSubagent, more: readonly string[]): ToolResult {
  agent.noteEndSeen();
  const text = [...more, describeAgent(agent, MOST_WORDS)].join('\n');
  return { llmContent: text, returnDisplay: text, data: { ...stateOfAgent(agent) } };
}

const MOST_NAMED = 20;

/** What became of the changes that an agent made in a worktree of its own, for the model: some lines. */
export function describeWorktree({ changed, state, folder, patch, problem }: WorktreeReport): string[] {
  if (state === 'unchanged') return ['It changed nothing in its worktree, which is gone.'];
  const more = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : '';
  const named = `${changed.slice(0, MOST_NAMED).map(shownName).join(', ')}${more}`;
  if (state === 'applied') return [`Its changes are in the workspace now: ${named}.`];
  const at = folder === undefined ? '' : shellWord(folder);
  return [
    `Its changes are NOT in the workspace: ${problem ?? 'they were not taken over'}`,
    `It changed: ${named}.`,
    ...(patch === undefined ? [] : [`As a patch: ${patch} (${ToolNames.READ_FILE} shows it).`]),
    ...(folder === undefined
      ? []
      : [
          `The worktree is kept: ${folder}. The user looks at it with git -C ${at} status, and removes it with git worktree remove --force ${at}.`,
        ]),
  ];
}

/** A name that could pass for something else is quoted. */
function shownName(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path);
}

/** Nothing in it can pass for words of ours. */
function quotedLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line.replace(/[\p{Cc}\p{Cf}\ufffd]+/gu, (found) => (found === '\t' ? found : '\ufffd'))}`)
    .join('\n');
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
