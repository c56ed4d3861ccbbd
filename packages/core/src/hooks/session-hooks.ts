import type { HookEventName, HookFacts, HookRunEvent } from './hook-types.js';
import type { HookRunner } from './hook-runner.js';
import type { HookOutcome } from './merge-runs.js';

/** What hooks say about a session. */
export interface SessionWord {
  readonly events: readonly HookRunEvent[];
  /** Why what they were asked about is not to happen. For `Stop`: what is left to do. */
  readonly refusal?: string;
  /** For the model, with what comes next. */
  readonly contexts: readonly string[];
}

/** How often in a row hooks may have the agent go on before it stops all the same. */
const MOST_GOINGS_ON = 8;
const NOTHING: SessionWord = { events: [], contexts: [] };

/** The hooks beside the calls. All reject with the signal's reason only; without a hook for it, each answers at once. */
export class SessionHooks {
  readonly #runner: HookRunner;

  constructor(runner: HookRunner) {
    this.#runner = runner;
  }

  /** Before the first prompt of a session, and after what makes it begin anew. They cannot refuse. */
  async started(facts: HookFacts['SessionStart'], signal: AbortSignal): Promise<SessionWord> {
    return withoutRefusal(await this.#ask('SessionStart', facts, facts.source, signal));
  }

  /** Before the person's words are part of the conversation. */
  async submitted(prompt: string, signal: AbortSignal): Promise<SessionWord> {
    return this.#ask('UserPromptSubmit', { prompt }, '', signal);
  }

  /** When the agent would stop. `goingsOn`: how often hooks have had it go on since the prompt. */
  async stopping(text: string, goingsOn: number, signal: AbortSignal): Promise<SessionWord> {
    const facts = { stop_hook_active: goingsOn > 0, last_assistant_message: text };
    return limited(await this.#ask('Stop', facts, '', signal), goingsOn);
  }

  /** The same of a subagent. */
  async subagentStopping(
    facts: Omit<HookFacts['SubagentStop'], 'stop_hook_active'>,
    goingsOn: number,
    signal: AbortSignal,
  ): Promise<SessionWord> {
    const all = { ...facts, stop_hook_active: goingsOn > 0 };
    return limited(await this.#ask('SubagentStop', all, facts.agent_type, signal), goingsOn);
  }

  async compacting(facts: HookFacts['PreCompact'], signal: AbortSignal): Promise<SessionWord> {
    return this.#ask('PreCompact', facts, facts.trigger, signal);
  }

  async notified(facts: HookFacts['Notification'], signal: AbortSignal): Promise<SessionWord> {
    return withoutRefusal(await this.#ask('Notification', facts, facts.notification_type, signal));
  }

  /** The same beside what goes on: nobody waits for it. */
  notifyAside(facts: HookFacts['Notification'], signal: AbortSignal): void {
    const tell = async (): Promise<void> => this.#runner.keep((await this.notified(facts, signal)).events);
    // Only once what it was about is over.
    tell().catch(() => undefined);
  }

  async ended(reason: string, signal: AbortSignal): Promise<SessionWord> {
    return withoutRefusal(await this.#ask('SessionEnd', { reason }, reason, signal));
  }

  async #ask<E extends HookEventName>(
    event: E,
    facts: HookFacts[E],
    word: string,
    signal: AbortSignal,
  ): Promise<SessionWord> {
    if (!this.#runner.has(event)) return NOTHING;
    return wordOf(await this.#runner.run({ event, facts, matched: { kind: 'word', word } }, signal), event);
  }
}

function wordOf({ decision, reason, stop, contexts, events }: HookOutcome, event: HookEventName): SessionWord {
  // Who wants it to end does not want it to go on.
  const isGoingOn = event === 'Stop' || event === 'SubagentStop';
  const refused = decision === 'deny' ? (reason ?? 'without a reason') : undefined;
  const refusal = isGoingOn ? (stop === undefined ? refused : undefined) : (refused ?? stop);
  return { events, contexts, ...(refusal !== undefined && { refusal }) };
}

function withoutRefusal({ events, contexts }: SessionWord): SessionWord {
  return { events, contexts };
}

function limited(word: SessionWord, goingsOn: number): SessionWord {
  return goingsOn < MOST_GOINGS_ON ? word : withoutRefusal(word);
}
