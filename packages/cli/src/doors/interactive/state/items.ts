import { endMarkdown, dropBlocks } from './split-markdown.js';
import type { CallItem, Item, NoticeItem, SessionState } from './session-state.js';

type WithoutKey<T> = T extends Item ? Omit<T, 'key'> : never;

/** The state with one item more. */
export function addItem(state: SessionState, item: WithoutKey<Item>): SessionState {
  const key = `i${state.serial}`;
  return { ...state, serial: state.serial + 1, lastKind: item.kind, items: [...state.items, { ...item, key }] };
}

export function addNotice(state: SessionState, level: NoticeItem['level'], text: string): SessionState {
  return text.trim() === '' ? state : addItem(state, { kind: 'notice', level, text });
}

export function replaceItem(state: SessionState, item: Item): SessionState {
  // What changes is near the end.
  const index = state.items.findLastIndex(({ key }) => key === item.key);
  return index === -1 ? state : { ...state, items: state.items.with(index, item) };
}

/** The last item, where it is of this kind and still grows. */
export function growing<K extends 'answer' | 'thinking'>(
  state: SessionState,
  kind: K,
): Extract<Item, { kind: K }> | undefined {
  const last = state.items.findLast((item) => item.kind === 'answer' || item.kind === 'thinking');
  if (last?.kind !== kind || isClosed(last)) return undefined;
  return last as Extract<Item, { kind: K }>;
}

/** True when the item will not change any more. */
export function isClosed(item: Item): boolean {
  if (item.kind === 'answer') return item.isDone;
  if (item.kind === 'thinking') return item.endedAt !== undefined;
  return item.kind !== 'call' || item.phase === 'done';
}

/** What the model was saying is said. */
export function closeWords(state: SessionState, at: number): SessionState {
  if (state.items.every((item) => item.kind === 'call' || isClosed(item))) return state;
  const items = state.items.map((item): Item => {
    if (item.kind === 'answer' && !item.isDone) return { ...item, markdown: endMarkdown(item.markdown), isDone: true };
    return item.kind === 'thinking' && item.endedAt === undefined ? { ...item, endedAt: at } : item;
  });
  return { ...state, items };
}

/** Calls that never came to an end (the process was killed) end here. */
export function closeCalls(state: SessionState): SessionState {
  if (state.items.every(isClosed)) return state;
  return { ...state, items: state.items.map((item) => (item.kind === 'call' ? abandoned(item) : item)) };
}

function abandoned(call: CallItem): CallItem {
  if (call.phase === 'done') return call;
  const end = { status: 'cancelled', durationMs: 0, display: call.display ?? '', images: [] } as const;
  return { ...call, phase: 'done', end, children: call.children.map(abandoned) };
}

/**
 * The call with this id changed; those of subagents have ids of their own, which may be the same. The latest one: ids of old
 * logs may come again.
 */
export function changeCall(state: SessionState, callId: string, change: (call: CallItem) => CallItem): SessionState {
  const index = state.items.findLastIndex((item) => item.kind === 'call' && item.start.callId === callId);
  const call = state.items[index];
  if (call?.kind !== 'call') return state;
  const changed = change(call);
  return changed === call ? state : { ...state, items: state.items.with(index, changed) };
}

/**
 * The state without what was printed: keys of items, and those of the blocks of an answer (`i7.0`), which are printed in
 * order.
 */
export function forget(state: SessionState, keys: ReadonlySet<string>): SessionState {
  if (keys.size === 0) return state;
  let isTurnPrinted = state.isTurnPrinted;
  const isOfTurn = new Set(state.turnKeys);
  const items = state.items.flatMap((item): Item[] => {
    const isPrinted = keys.has(item.key);
    if (item.kind !== 'answer') {
      isTurnPrinted ||= isPrinted && isOfTurn.has(item.key);
      return isPrinted ? [] : [item];
    }
    const { markdown } = item;
    let count = 0;
    while (count < markdown.finished.length && keys.has(`${item.key}.${markdown.dropped + count}`)) count += 1;
    isTurnPrinted ||= count > 0 && isOfTurn.has(item.key);
    if (item.isDone && count === markdown.finished.length) return [];
    return [count === 0 ? item : { ...item, markdown: dropBlocks(markdown, count) }];
  });
  return { ...state, items, isTurnPrinted };
}
