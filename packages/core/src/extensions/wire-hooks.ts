import type { AgentEvent } from '../agent/events.js';
import type { Conversation } from '../agent/conversation.js';
import type { HookOptions } from '../hooks/hook-types.js';
import type { Asker } from '../mcp/questions/asker.js';
import type { OpenedHooks, OpenHooksOptions } from '../hooks/open-hooks.js';
import { timeLimit } from '../util/abort.js';

/** Nothing is loaded where there are no hooks. @throws Failure `invalid_hook` */
export async function wireHooks(
  hooks: HookOptions | undefined,
  place: Omit<OpenHooksOptions, keyof HookOptions>,
): Promise<OpenedHooks | undefined> {
  if (hooks === undefined || hooks.list.length === 0) return undefined;
  const { openHooks } = await import('../hooks/open-hooks.js');
  return openHooks({ ...hooks, ...place });
}

/** Hooks are told when a server asks the person something. */
export function askedWithHooks(asker: Asker | undefined, hooks: OpenedHooks | undefined): Asker | undefined {
  if (asker === undefined || hooks === undefined) return asker;
  return (question, signal) => {
    const message = `The server ${question.server} asks you something`;
    hooks.session.notifyAside({ message, notification_type: 'elicitation_dialog' }, signal);
    return asker(question, signal);
  };
}

/** For how long nobody may have said anything until hooks are told. In milliseconds. */
const IDLE_MS = 60_000;

/** The time that hooks get when a session ends late, in milliseconds. */
const LATE_MS = 1_000;

/** Why a session ends: `clear` and `resume` for another one. */
type Ending = 'other' | 'clear' | 'resume';

/** What happens to sessions of an agent beside its prompts: tells hooks when each begins and ends, once, and when the person is waited for. */
export class SessionMoments {
  readonly #hooks: OpenedHooks | undefined;
  readonly #idleMs: number;
  #source: 'startup' | 'clear' | 'resume';
  #isOpen = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    hooks: OpenedHooks | undefined,
    { isResumed, idleMs = IDLE_MS }: { readonly isResumed: boolean; readonly idleMs?: number },
  ) {
    this.#hooks = hooks;
    this.#idleMs = idleMs;
    this.#source = isResumed ? 'resume' : 'startup';
  }

  /**
   * Runs before each prompt. Context from hooks comes before the user's first words of the session. An aborted signal stops the hooks; they
   * run again before the next prompt.
   */
  async begin(
    { model, conversation }: { readonly model: string; readonly conversation: Conversation },
    signal: AbortSignal,
  ): Promise<readonly AgentEvent[]> {
    clearTimeout(this.#idle);
    if (this.#hooks === undefined || this.#isOpen) return [];
    const told = await this.#hooks.session.started({ source: this.#source, model }, signal).catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
    if (told === undefined) return [];
    const { events, contexts } = told;
    this.#isOpen = true;
    if (contexts.length > 0) conversation.addUser(contexts.map((text) => ({ type: 'text', text })));
    return events;
  }

  /** After each prompt: once the person has said nothing for a while, hooks are told. `record`: where that is written down. */
  waiting(record: (event: AgentEvent) => Iterable<AgentEvent>): void {
    clearTimeout(this.#idle);
    const { session } = this.#hooks ?? {};
    if (session === undefined) return;
    const tell = async (): Promise<void> => {
      const facts = { message: 'Tenon waits for your words', notification_type: 'idle_prompt' };
      const { events } = await session.notified(facts, new AbortController().signal);
      for (const event of events) Array.from(record(event));
    };
    this.#idle = setTimeout(() => void tell().catch(() => undefined), this.#idleMs).unref();
  }

  /** Ends a session; hooks hear nothing about a session without a prompt. `isLate`: hooks get only a moment. */
  async end(ending: Ending, isLate = false): Promise<readonly AgentEvent[]> {
    clearTimeout(this.#idle);
    const isOpen = this.#isOpen;
    this.#isOpen = false;
    if (ending !== 'other') this.#source = ending;
    if (this.#hooks === undefined || !isOpen) return [];
    const signal = isLate ? timeLimit(LATE_MS) : new AbortController().signal;
    const ended = await this.#hooks.session.ended(ending, signal).catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
    return ended?.events ?? [];
  }
}
