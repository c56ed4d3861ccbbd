import type { AgentEvent, CallEvent, LoggedEvent } from '@tenon/core';

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** What stands in an exported session, in order. */
export type SessionEntry =
  | { readonly kind: 'start'; readonly time: string; readonly lines: readonly string[] }
  | { readonly kind: 'user'; readonly time: string; readonly text: string }
  | { readonly kind: 'model'; readonly time: string; readonly text: string; readonly thinking: string }
  | { readonly kind: 'call'; readonly time: string; readonly call: ExportedCall }
  /** A line of Tenon's own. */
  | { readonly kind: 'note'; readonly time: string; readonly text: string };

export interface ExportedCall {
  readonly tool: string;
  readonly title: string;
  readonly args: unknown;
  /** What the person answered, where they were asked. */
  readonly answers: readonly string[];
  /** Undefined: it never ended. */
  readonly status: CallEnd['status'] | undefined;
  readonly durationMs: number;
  readonly output: string;
  /** A unified diff, where the call changed a file. */
  readonly diff: string;
}

/** The log of a session as one list. A call stands where it began, with its end. Pure. */
export function sessionEntries(history: readonly LoggedEvent[]): readonly SessionEntry[] {
  const ends = new Map<string, CallEnd>();
  const answers = new Map<string, string[]>();
  for (const { event } of history) {
    if (event.type === 'tool-call-end') ends.set(event.callId, event);
    if (event.type !== 'approval-answer') continue;
    const said = event.feedback === undefined ? event.outcome : `${event.outcome}: ${event.feedback}`;
    answers.set(event.callId, [...(answers.get(event.callId) ?? []), said]);
  }
  return history.flatMap(({ time, event }): SessionEntry[] => {
    if (event.type === 'tool-call-start')
      return [{ kind: 'call', time, call: callOf(event, ends.get(event.callId), answers.get(event.callId) ?? []) }];
    return entryOf(event, time);
  });
}

function entryOf(event: LoggedEvent['event'], time: string): SessionEntry[] {
  if (event.type === 'session-start') return [{ kind: 'start', time, lines: startLines(event) }];
  if (event.type === 'user-message') return [{ kind: 'user', time, text: event.text }];
  if (event.type === 'assistant-message') return modelEntry(event, time);
  const text = noteOf(event);
  return text === undefined ? [] : [{ kind: 'note', time, text }];
}

/** What Tenon itself has to say; undefined for what stands elsewhere in the list, or in none. */
function noteOf(event: LoggedEvent['event']): string | undefined {
  if (event.type === 'notice') return event.text;
  if (event.type === 'compaction') return `The conversation was made shorter. ${event.told.join(' ')}`.trim();
  if (event.type === 'model-change') return `From here on ${event.model} answers.`;
  if (event.type === 'job-end') return `The background job ${event.jobId} ended: ${event.command}`;
  if (event.type === 'rewind')
    return event.conversation ? 'The conversation went back to before an earlier message.' : 'Files went back.';
  if (event.type === 'prompt-end' && event.stopReason !== 'completed')
    return event.message ?? `It stopped: ${event.stopReason}.`;
  return undefined;
}

function startLines(event: Extract<AgentEvent, { type: 'session-start' }>): string[] {
  const { sessionId, version, model, roots, approvalMode } = event;
  return [
    `Session ${sessionId}, Tenon ${version}`,
    `Model ${model}, mode ${approvalMode}`,
    `Workspace ${roots.join(', ')}`,
  ];
}

function modelEntry(event: Extract<AgentEvent, { type: 'assistant-message' }>, time: string): SessionEntry[] {
  const textOf = (type: 'text' | 'thinking'): string =>
    event.content
      .flatMap((part) => (part.type === type ? [part.text] : []))
      .join('\n\n')
      .trim();
  const [text, thinking] = [textOf('text'), textOf('thinking')];
  return text === '' && thinking === '' ? [] : [{ kind: 'model', time, text, thinking }];
}

function callOf(
  start: Extract<CallEvent, { type: 'tool-call-start' }>,
  end: CallEnd | undefined,
  answers: readonly string[],
): ExportedCall {
  return {
    tool: start.displayName,
    title: start.title,
    args: start.args,
    answers,
    status: end?.status,
    durationMs: end?.durationMs ?? 0,
    ...shownOf(end),
  };
}

function shownOf(end: CallEnd | undefined): Pick<ExportedCall, 'output' | 'diff'> {
  const display = end?.display ?? '';
  if (typeof display === 'string') return { output: display.trimEnd(), diff: '' };
  if ('fileDiff' in display) return { output: '', diff: display.fileDiff };
  if ('todos' in display) {
    const marks = { pending: '[ ]', in_progress: '[-]', completed: '[x]' };
    return { output: display.todos.map(({ status, content }) => `${marks[status]} ${content}`).join('\n'), diff: '' };
  }
  if ('plan' in display) return { output: `${display.plan.trimEnd()}\n\n${display.note}`.trimEnd(), diff: '' };
  return { output: display.status, diff: '' };
}
