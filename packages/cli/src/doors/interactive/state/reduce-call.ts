import { createRefusals } from '../../../ui/refusals.js';
import { commandFailure } from '../../../ui/failed-command.js';
import { createUndoHint } from '../../../ui/undo-hint.js';
import { addItem, changeCall, closeWords } from './items.js';
import type { ApprovalGiven, CallEnd, CallItem, CallResult, CallStart, SessionState } from './session-state.js';

interface When {
  readonly at: number;
  readonly parent?: string;
}

/** A call that begins; one of a call's own agent becomes a branch of that call. */
export function startCall(state: SessionState, start: CallStart, { at, parent }: When): SessionState {
  const call = {
    kind: 'call',
    start,
    phase: 'running',
    since: at,
    isNext: state.lastKind === 'call',
    children: [],
  } as const;
  if (parent === undefined) return addItem(closeWords(state, at), call);
  return changeCall(state, parent, (above) => ({
    ...above,
    children: [...above.children, { ...call, key: `${above.key}.${above.children.length}` }],
  }));
}

export function endCall(state: SessionState, event: CallEnd): SessionState {
  const { display } = event;
  const hint = createUndoHint((words) => `/${words}`);
  hint.onEvent(event);
  const lines = hint.take();
  const next = changeCall(state, event.callId, (call) => ended(call, event));
  return {
    ...next,
    undoHint: lines.length === 0 ? state.undoHint : lines,
    todos: typeof display === 'object' && 'todos' in display ? display.todos : state.todos,
  };
}

function ended(call: CallItem, event: CallEnd): CallItem {
  const { display: _, ...rest } = call;
  return { ...rest, phase: 'done', end: resultOf(event, call.answer) };
}

function resultOf(event: CallEnd, answer: ApprovalGiven | undefined): CallResult {
  const failure = commandFailure(event);
  const { status, durationMs, display, content } = event;
  const images = content.flatMap((part) => ('inlineData' in part && isImage(part.inlineData) ? [part.inlineData] : []));
  return {
    status,
    durationMs,
    display,
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
