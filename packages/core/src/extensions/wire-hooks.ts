import type { AgentEvent } from '../agent/events.js';
import type { Conversation } from '../agent/conversation.js';
import type { HookOptions } from '../hooks/hook-types.js';
import type { OpenedHooks, OpenHooksOptions } from '../hooks/open-hooks.js';

/** Nothing is loaded where there are no hooks. @throws Failure `invalid_hook` */
export async function wireHooks(
  hooks: HookOptions | undefined,
  place: Omit<OpenHooksOptions, keyof HookOptions>,
): Promise<OpenedHooks | undefined> {
  if (hooks === undefined || hooks.list.length === 0) return undefined;
  const { openHooks } = await import('../hooks/open-hooks.js');
  return openHooks({ ...hooks, ...place });
}

/** Tells hooks that the session begins; what they say to the model comes before the person's first words. */
export async function beginHooks(
  hooks: OpenedHooks | undefined,
  { model, conversation }: { readonly model: string; readonly conversation: Conversation },
  signal: AbortSignal,
): Promise<readonly AgentEvent[]> {
  if (hooks === undefined) return [];
  const { events, contexts } = await hooks.session.started({ source: 'startup', model }, signal);
  if (contexts.length > 0) conversation.addUser(contexts.map((text) => ({ type: 'text', text })));
  return events;
}

/** Tells hooks that it ends. */
export async function endHooks(hooks: OpenedHooks | undefined): Promise<readonly AgentEvent[]> {
  if (hooks === undefined) return [];
  return (await hooks.session.ended('other', new AbortController().signal)).events;
}
