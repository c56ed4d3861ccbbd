import type { SessionHooks } from '../hooks/session-hooks.js';
import type { Conversation } from './conversation.js';
import type { AgentEvent, CompactionEvent } from './events.js';

/** Who is asked before a conversation is made shorter, and told after it. */
export type CompactionHooks = Pick<SessionHooks, 'compacting' | 'started'>;

interface Wish {
  readonly trigger: CompactionEvent['trigger'];
  readonly focus?: string | undefined;
}

/** What the summary should keep above all, as the person and hooks have it; undefined when hooks do not let it be made. */
export interface HookedFocus {
  readonly focus: string | undefined;
}

/**
 * Asks hooks before a compaction. One that the provider forces cannot be refused: without it the conversation could not go on.
 * Rejects with the signal's reason only.
 */
export async function* beforeCompaction(
  hooks: CompactionHooks | undefined,
  { trigger, focus }: Wish,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, HookedFocus | undefined> {
  if (hooks === undefined) return { focus };
  const facts = { trigger: trigger === 'manual' ? 'manual' : 'auto' } as const;
  const given = focus === undefined ? {} : { custom_instructions: focus };
  const { events, refusal, contexts } = await hooks.compacting({ ...facts, ...given }, signal);
  yield* events;
  if (refusal !== undefined && trigger !== 'overflow') {
    yield { type: 'notice', level: 'info', text: `The conversation was not made shorter: ${refusal}` };
    return undefined;
  }
  if (refusal !== undefined) {
    const text = `The conversation is made shorter although a hook would not have it, for the model takes no more: ${refusal}`;
    yield { type: 'notice', level: 'warning', text };
  }
  const wishes = [...(focus === undefined ? [] : [focus]), ...contexts];
  return { focus: wishes.length === 0 ? undefined : wishes.join('\n') };
}

/** Tells hooks that the conversation begins anew; what they say to the model stands behind what is left of it. */
export async function* afterCompaction(
  hooks: CompactionHooks | undefined,
  { model, conversation }: { readonly model: string; readonly conversation: Pick<Conversation, 'addNote'> },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  if (hooks === undefined) return;
  const { events, contexts } = await hooks.started({ source: 'compact', model }, signal);
  if (contexts.length > 0) conversation.addNote(contexts.join('\n'));
  yield* events;
}
