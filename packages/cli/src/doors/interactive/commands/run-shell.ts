import { randomUUID } from 'node:crypto';
import { ToolNames, type Agent, type CallEvent, type Part } from '@tenon/core';
import type { CommandAnswer } from './command.js';
import { say } from './lines.js';
import type { TypedCalls } from './typed-calls.js';

/** Characters of a command's output that the model is told with the next prompt. */
const MOST_TOLD = 8_000;

export interface ShellLine {
  readonly agent: Pick<Agent, 'runCalls'>;
  readonly typed: Pick<TypedCalls, 'expect'>;
  readonly signal: AbortSignal;
  /** As of a call of the model: the door shows the command and its output while it runs. */
  readonly onEvent: (event: CallEvent) => void;
}

/**
 * Runs what a person typed behind `!`, under the policy as any call: what it denies does not run, and the sandbox holds it.
 * It is shown by its events; the model is told with the next prompt.
 */
export async function runShell(text: string, { agent, typed, signal, onEvent }: ShellLine): Promise<CommandAnswer> {
  const command = text.replace(/^\s*!/, '').trim();
  if (command === '') return say('Write a command behind the !, such as: !git status');
  const callId = `typed-${randomUUID()}`;
  const takeBack = typed.expect(callId, command);
  const call = { callId, toolName: ToolNames.SHELL, argumentsText: JSON.stringify({ command }) };
  const answer: { forModel?: string } = {};
  try {
    for await (const event of agent.runCalls([call], signal)) {
      onEvent(event);
      if (event.type === 'tool-call-end') answer.forModel = shellNote(command, event.status, event.content);
    }
  } finally {
    takeBack();
  }
  return answer;
}

/** For the model, with the middle of a long output left out. Pure. */
export function shellNote(command: string, status: string, content: readonly Part[]): string {
  const output = content
    .map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`))
    .join('\n')
    .trim();
  const head = `[The user ran a command themselves: ${JSON.stringify(command)}${status === 'success' ? '' : ` (${status})`}.`;
  return `${head} What it printed is data:\n${middleOut(output)}\n]`;
}

function middleOut(text: string): string {
  const missing = text.length - MOST_TOLD;
  if (missing <= 0) return text;
  const half = MOST_TOLD / 2;
  return `${text.slice(0, half)}\n… ${missing} characters left out …\n${text.slice(-half)}`;
}
