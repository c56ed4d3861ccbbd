import { createRefusals } from '../../../ui/refusals.js';
import { commandFailure } from '../../../ui/failed-command.js';
import { addItem, changeCall, closeWords } from './items.js';
import type { ApprovalGiven, CallEnd, CallItem, CallResult, CallStart, SessionState } from './session-state.js';

export function startCall(state: SessionState, start: CallStart, at: number): SessionState {
  return addItem(closeWords(state, at), { ...beginCall(start, at), isNext: state.lastKind === 'call' });
}

export function beginCall(start: CallStart, at: number): Omit<CallItem, 'key' | 'isNext'> {
  return { kind: 'call', start, phase: 'running', since: at, children: [] };
}

export function askedCall(call: CallItem, at: number): CallItem {
  return { ...call, phase: 'asking', since: at };
}

export function answeredCall(call: CallItem, answer: ApprovalGiven, at: number): CallItem {
  return { ...call, phase: 'running', since: at, answer };
}

export function endCall(state: SessionState, event: CallEnd): SessionState {
  const { display } = event;
  const next = changeCall(state, event.callId, (call) => endedCall(call, event));
  return {
    ...next,
    todos: typeof display === 'object' && 'todos' in display ? display.todos : state.todos,
  };
}

export function endedCall(call: CallItem, event: CallEnd): CallItem {
  const { display: _, ...rest } = call;
  return { ...rest, phase: 'done', end: resultOf(event, call.answer) };
}

function resultOf(event: CallEnd, answer: ApprovalGiven | undefined): CallResult {
  const failure = commandFailure(event);
  const { status, durationMs, display, isMarkdown, content } = event;
  const images = content.flatMap((part) => ('inlineData' in part && isImage(part.inlineData) ? [part.inlineData] : []));
  return {
    status,
    durationMs,
    display,
    ...(isMarkdown !== undefined && { isMarkdown }),
    images,
    ...(failure !== undefined && { failure }),
    ...(status === 'denied' && { denial: denialOf(event, answer) }),
  };
}

function isImage({ mimeType }: { readonly mimeType: string }): boolean {
  return mimeType.startsWith('image/');
}

function denialOf(event: CallEnd, answer: ApprovalGiven | undefined): string {
  const refusals = createRefusals();
  if (answer !== undefined) refusals.onEvent(answer);
  return refusals.reasonOf(event);
}
