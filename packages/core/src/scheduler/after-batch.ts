import type { Part } from '../tools/tool-result.js';
import type { CallEvent } from './call-events.js';

/** Looks at what a batch of calls did, once all of them have ended. */
export interface BatchObserver {
  /** Whether the result of this call is one to add to. */
  readonly hasChanged: (callId: string) => boolean;
  /** What is to be added; undefined for nothing. */
  readonly settle: (callIds: readonly string[], signal: AbortSignal) => Promise<{ readonly text: string } | undefined>;
}

type CallEnd = Extract<CallEvent, { readonly type: 'tool-call-end' }>;

/**
 * The events of a batch, where the end of the last call that changed something waits for the end of all, so that what
 * came of them together is added to its result. Every end comes once, with or without an addition.
 */
export async function* withAfterBatch(
  events: AsyncIterable<CallEvent>,
  observer: BatchObserver,
  signal: AbortSignal,
): AsyncGenerator<CallEvent> {
  const changing: string[] = [];
  let held: CallEnd | undefined;
  try {
    for await (const event of events) {
      if (event.type === 'tool-call-end' && event.status === 'success' && observer.hasChanged(event.callId)) {
        changing.push(event.callId);
        const earlier = held;
        held = event;
        if (earlier !== undefined) yield earlier;
      } else yield event;
    }
  } catch (thrown) {
    if (held !== undefined) yield held;
    throw thrown;
  }
  if (held === undefined) return;
  yield await added(held, changing, observer, signal);
}

async function added(
  end: CallEnd,
  callIds: readonly string[],
  observer: BatchObserver,
  signal: AbortSignal,
): Promise<CallEnd> {
  if (signal.aborted) return end;
  let more: { readonly text: string } | undefined;
  try {
    more = await observer.settle(callIds, signal);
  } catch {
    // The change was made whatever cannot be said of it.
    more = { text: 'Could not check the changed files.' };
  }
  if (more === undefined || more.text === '') return end;
  const part: Part = { text: `\n\n${more.text}` };
  return { ...end, content: [...end.content, part] };
}
