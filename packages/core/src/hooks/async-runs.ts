import type { HookDefinition, HookRunEvent } from './hook-types.js';
import type { Reply } from './read-answer.js';

/** At once. A hook that is slower than what it is told of would fill the machine. */
const MOST_RUNNING = 16;
/** Runs whose end nobody has been told yet. */
const MOST_KEPT = 100;
/** How long runs have when the session ends. In milliseconds. */
const AT_END_MS = 2000;

/** Hooks that nobody waits for: they are only told, and what they say does not count. How they ended is told with the next hooks that run. */
export class AsyncRuns {
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #ended: HookRunEvent[] = [];

  /** `work` never rejects but with the reason of its signal. */
  start(hook: HookDefinition, callId: string | undefined, work: (signal: AbortSignal) => Promise<Reply>): void {
    const about = { event: hook.event, name: hook.name, ...(callId !== undefined && { callId }) };
    if (this.#running.size >= MOST_RUNNING)
      return this.#note({
        ...about,
        problem: `it was not started: ${MOST_RUNNING} hooks that nobody waits for still run`,
      });
    const startedAt = performance.now();
    const run = async (): Promise<void> => {
      const { problem, answer } = await work(this.#closing.signal);
      const durationMs = Math.round(performance.now() - startedAt);
      const { message } = answer;
      this.#note({
        ...about,
        durationMs,
        ...(message !== undefined && { message }),
        ...(problem !== undefined && { problem: `it ${problem}` }),
      });
    };
    const running = run().catch(() => undefined);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /** Those that have ended since it was asked last. */
  takeEvents(): readonly HookRunEvent[] {
    return this.#ended.splice(0);
  }

  /** Ends what still runs after a short time. */
  async close(): Promise<void> {
    if (this.#running.size === 0) return;
    const timer = setTimeout(() => this.#closing.abort(new Error('the session has ended')), AT_END_MS);
    await Promise.all(this.#running);
    clearTimeout(timer);
  }

  /** Tells them with the next hooks that run. */
  keep(events: readonly HookRunEvent[]): void {
    this.#ended = [...this.#ended, ...events].slice(-MOST_KEPT);
  }

  #note(run: Omit<HookRunEvent, 'type' | 'outcome' | 'durationMs'> & { readonly durationMs?: number }): void {
    const outcome = run.problem === undefined ? 'passed' : 'failed';
    this.keep([{ type: 'hook-run', durationMs: 0, ...run, outcome }]);
  }
}
