import type { InlineDataPart, Safe, TodoItem } from '@tenon/core';
import { undoHint } from '../../../ui/undo-hint.js';
import { secondsText } from '../../../ui/amounts.js';
import { denialLines, endLines } from '../../../ui/end-lines.js';
import { hookLine } from '../../../ui/hook-line.js';
import { jobLine } from '../../../ui/job-line.js';
import { createRefusals, type Refusals } from '../../../ui/refusals.js';
import { addItem, addNotice, changeCall, closeCalls, closeWords, growing, replaceItem } from './items.js';
import { answeredCall, askedCall, endCall, startCall } from './reduce-call.js';
import { onSubagent } from './reduce-subagent.js';
import type { ApprovalGiven, SessionEvent, SessionState } from './session-state.js';
import { endMarkdown, growMarkdown, NO_MARKDOWN } from './split-markdown.js';

/** What happens to a session. */
export type SessionAction =
  /** `at`: milliseconds of the epoch. */
  | { readonly type: 'event'; readonly event: SessionEvent; readonly at: number }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** The list as the conversation has it, whatever was shown. */
  | { readonly type: 'todos'; readonly todos: readonly TodoItem[] }
  /** What a command of the person showed. */
  | { readonly type: 'shown'; readonly text: Safe };

/** The session after what happened. Pure; a delta costs what it adds. */
export function reduce(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case 'event':
      return onEvent(state, action.event, action.at);
    case 'notice':
      return addNotice(state, action.level, action.text);
    case 'todos':
      return { ...state, todos: action.todos };
    case 'shown':
    default:
      return action.text === '' ? state : addItem(state, { kind: 'shown', text: action.text });
  }
}

function onEvent(state: SessionState, event: SessionEvent, at: number): SessionState {
  switch (event.type) {
    case 'session-start':
      return { ...closeCalls(closeWords(state, at)), model: event.model, activity: { kind: 'idle' }, background: [] };
    case 'user-message':
      return userMessage(state, event, at);
    case 'turn-start':
      return beginTurn(closeWords(state, at), at);
    case 'text-delta':
      return answerDelta(state, event.text, at);
    case 'thinking-delta':
      return thinkingDelta(state, event.text, at);
    case 'model-retry':
      return retry(state, event, at);
    case 'assistant-message':
      return answered(state, event, at);
    case 'tool-call-start':
      return startCall(state, event, at);
    case 'tool-call-update':
      return changeCall(state, event.callId, (call) => ({ ...call, display: event.display }));
    case 'approval-request':
      return changeCall(state, event.callId, (call) => askedCall(call, at));
    case 'approval-answer':
      return approvalGiven(state, event, at);
    case 'tool-call-end':
      return endCall(state, event);
    case 'prompt-end':
      return promptEnd(state, event, at);
    case 'turn-end':
      return closeWords(state, at);
    case 'subagent-start':
    case 'subagent-event':
    case 'subagent-end':
      return onSubagent(state, event, at);
    case 'job-end':
    case 'job-wait':
    case 'hook-run':
    case 'compaction':
    case 'model-change':
    case 'rewind':
    case 'notice':
    case 'context-added':
    case 'answer-interrupted':
    default:
      return onNews(state, event);
  }
}

type News = Extract<
  SessionEvent,
  {
    type:
      | 'job-end'
      | 'job-wait'
      | 'hook-run'
      | 'compaction'
      | 'model-change'
      | 'rewind'
      | 'notice'
      | 'context-added'
      | 'answer-interrupted';
  }
>;

function onNews(state: SessionState, event: News): SessionState {
  switch (event.type) {
    case 'job-end':
    case 'job-wait':
      return addNotice(state, 'news', jobLine(event));
    case 'hook-run':
      return addNotice(state, event.problem === undefined ? 'news' : 'warning', hookLine(event) ?? '');
    case 'compaction':
      return addNotice(state, 'news', compactionText(event));
    case 'model-change':
      return addNotice({ ...state, model: event.model }, 'news', `From here on ${event.model} answers.`);
    case 'rewind':
      return addNotice(state, 'news', rewindText(event));
    case 'notice':
      return addNotice(state, event.level, event.text);
    case 'context-added':
      return withImages(state, event);
    case 'answer-interrupted':
    default:
      return wholeAnswer(state, event.content.map(({ text }) => text).join(''));
  }
}

function userMessage(
  state: SessionState,
  event: Extract<SessionEvent, { type: 'user-message' }>,
  at: number,
): SessionState {
  const isSteering = event.isSteering === true;
  const { text, id } = event;
  const item = { kind: 'user', text, isSteering, ...(id !== undefined && { id }) } as const;
  if (isSteering) return addItem(closeWords(state, at), item);
  return {
    ...addItem(closeCalls(closeWords(state, at)), item),
    activity: { kind: 'waiting', since: at },
    promptSince: at,
    tokens: { input: 0, output: 0, streamedCharacters: 0 },
    answers: [],
  };
}

function beginTurn(state: SessionState, at: number): SessionState {
  return { ...state, activity: { kind: 'waiting', since: at }, hasDeltas: false, turnKeys: [], isTurnPrinted: false };
}

function answerDelta(state: SessionState, text: string, at: number): SessionState {
  if (text === '') return state;
  const known = growing(state, 'answer');
  const base = streamed(state, text, 'answering', at);
  if (known !== undefined) return replaceItem(base, { ...known, markdown: growMarkdown(known.markdown, text) });
  // Blank lines before the first word are no answer.
  if (text.trim() === '') return base;
  const markdown = growMarkdown(NO_MARKDOWN, text);
  return addWords(closeWords(base, at), { kind: 'answer', markdown, isDone: false });
}

function thinkingDelta(state: SessionState, text: string, at: number): SessionState {
  if (text === '') return state;
  const known = growing(state, 'thinking');
  const base = streamed(state, text, 'thinking', at);
  if (known !== undefined) return replaceItem(base, { ...known, text: known.text + text });
  return addWords(closeWords(base, at), { kind: 'thinking', text, startedAt: at });
}

function addWords(state: SessionState, item: Parameters<typeof addItem>[1]): SessionState {
  const next = addItem(state, item);
  return { ...next, turnKeys: [...state.turnKeys, `i${state.serial}`] };
}

function streamed(state: SessionState, text: string, kind: 'answering' | 'thinking', at: number): SessionState {
  const { activity, tokens } = state;
  return {
    ...state,
    hasDeltas: true,
    activity: activity.kind === kind ? activity : { kind, since: at },
    tokens: { ...tokens, streamedCharacters: tokens.streamedCharacters + text.length },
  };
}

/** What of this turn is not printed yet vanishes; of what is printed it is said that it does not hold. */
function retry(state: SessionState, event: Extract<SessionEvent, { type: 'model-retry' }>, at: number): SessionState {
  const isOfTurn = new Set(state.turnKeys);
  const isPrinted = state.isTurnPrinted;
  const items = state.items.filter(({ key }) => !isOfTurn.has(key));
  const again = isPrinted ? 'The answer began again: what stands above of it is void.' : '';
  const wait = `Trying again in ${secondsText(event.delayMs)}: ${event.reason}`;
  const { attempt, reason } = event;
  return {
    ...addNotice(addNotice({ ...state, items }, 'warning', wait), 'warning', again),
    activity: { kind: 'retrying', until: at + event.delayMs, attempt, reason },
    hasDeltas: false,
    turnKeys: [],
    isTurnPrinted: false,
    tokens: { ...state.tokens, streamedCharacters: 0 },
  };
}

function answered(
  state: SessionState,
  event: Extract<SessionEvent, { type: 'assistant-message' }>,
  at: number,
): SessionState {
  const { tokens } = state;
  let next: SessionState = {
    ...closeWords(state, at),
    activity: { kind: 'waiting', since: at },
    tokens: {
      input: tokens.input + (event.usage?.inputTokens ?? 0),
      output: tokens.output + (event.usage?.outputTokens ?? 0),
      streamedCharacters: 0,
    },
  };
  // A log has no deltas.
  if (state.hasDeltas) return next;
  for (const block of event.content) {
    if (block.type === 'text') next = wholeAnswer(next, block.text);
    else if (block.type === 'thinking' && block.text.trim() !== '')
      next = addItem(next, { kind: 'thinking', text: block.text, startedAt: at, endedAt: at });
  }
  return next;
}

function wholeAnswer(state: SessionState, text: string): SessionState {
  if (text.trim() === '') return state;
  return addItem(state, { kind: 'answer', markdown: endMarkdown(growMarkdown(NO_MARKDOWN, text)), isDone: true });
}

function approvalGiven(state: SessionState, event: ApprovalGiven, at: number): SessionState {
  const asked = { ...state, answers: [...state.answers, event] };
  const next = changeCall(asked, event.callId, (call) => answeredCall(call, event, at));
  return event.problem === undefined ? next : addNotice(next, 'warning', event.problem);
}

function promptEnd(
  state: SessionState,
  event: Extract<SessionEvent, { type: 'prompt-end' }>,
  at: number,
): SessionState {
  const closed = closeCalls(closeWords(state, at));
  const hint = undoHint(event, (words) => `/${words}`);
  const lines = [...endLines(event), ...denialLines(event.denials, refusalsOf(state.answers)), ...hint];
  const { promptSince: _, ...rest } = addNotice(closed, 'end', lines.join('\n'));
  return { ...rest, activity: { kind: 'idle' }, answers: [], turnKeys: [], hasDeltas: false };
}

function refusalsOf(answers: readonly ApprovalGiven[]): Refusals {
  const refusals = createRefusals();
  for (const answer of answers) refusals.onEvent(answer);
  return refusals;
}

function withImages(state: SessionState, event: Extract<SessionEvent, { type: 'context-added' }>): SessionState {
  const images = event.content.flatMap((block): InlineDataPart['inlineData'][] =>
    block.type === 'media' ? [{ data: block.data, mimeType: block.mimeType }] : [],
  );
  return images.length === 0 ? state : addItem(state, { kind: 'images', images });
}

function compactionText(event: Extract<SessionEvent, { type: 'compaction' }>): string {
  const why = { auto: '', manual: '', overflow: ', as the provider found it too long' }[event.trigger];
  const head = `The conversation was made shorter${why}: about ${event.tokensBefore} tokens became ${event.tokensAfter}.`;
  return [head, ...event.told.map((line) => `  ${line}`)].join('\n');
}

function rewindText(event: Extract<SessionEvent, { type: 'rewind' }>): string {
  const { files } = event;
  const went = event.conversation ? 'The conversation went back to before this message.' : '';
  const left = files === undefined || files.left === 0 ? '' : `, ${files.left} left as they are`;
  const changed =
    files === undefined ? '' : `${files.reverted} ${files.reverted === 1 ? 'file' : 'files'} went back${left}.`;
  return [went, changed].filter((text) => text !== '').join(' ');
}
