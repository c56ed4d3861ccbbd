import type { TokenUsage } from '../models/model.js';
import { costOf, type TokenPrices } from '../models/token-prices.js';
import type { AgentEvent } from './events.js';

/** A clock that stands still while a question waits for the person. */
export class WorkClock {
  readonly #limitMs: number;
  readonly #onOver: () => void;
  readonly #questions = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #usedMs = 0;
  #since: number | undefined;
  #isOver = false;

  /** `limitMs`: Infinity for none. */
  constructor(limitMs: number, onOver: () => void) {
    this.#limitMs = limitMs;
    this.#onOver = onOver;
    this.#run();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** `agent`: the subagent whose event it is; a question that it waits for is waited for by those above as well. */
  note(event: AgentEvent, agent = ''): void {
    if (event.type === 'subagent-event') this.note(event.event, event.agentId);
    else if (event.type === 'subagent-end') this.#forget((question) => question.startsWith(`${event.agentId} `));
    else if (event.type === 'approval-request') {
      this.#questions.add(`${agent} ${event.callId}`);
      this.stop();
    } else if (event.type === 'approval-answer' || event.type === 'tool-call-end') {
      this.#forget((question) => question === `${agent} ${event.callId}`);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#since !== undefined) this.#usedMs += performance.now() - this.#since;
    this.#since = undefined;
  }

  #forget(isAnswered: (question: string) => boolean): void {
    for (const question of this.#questions) if (isAnswered(question)) this.#questions.delete(question);
    if (this.#questions.size === 0) this.#run();
  }

  #run(): void {
    if (this.#since !== undefined || this.#isOver || !Number.isFinite(this.#limitMs)) return;
    this.#since = performance.now();
    const over = (): void => {
      this.#isOver = true;
      this.stop();
      this.#onOver();
    };
    // Longer than a timer can wait is as good as no limit.
    this.#timer = setTimeout(over, Math.min(2 ** 31 - 1, Math.max(0, this.#limitMs - this.#usedMs)));
  }
}

/** What a prompt has cost so far; undefined once something was asked of a model without prices. */
export class CostMeter {
  #cost: number | undefined = 0;

  get cost(): number | undefined {
    return this.#cost;
  }

  add(usage: TokenUsage, prices: TokenPrices | undefined): void {
    this.#cost = this.#cost === undefined || prices === undefined ? undefined : this.#cost + costOf(usage, prices);
  }
}
