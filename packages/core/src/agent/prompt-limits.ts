import { addedUsage } from '../models/added-usage.js';
import type { TokenUsage } from '../models/model.js';
import { costOf, type TokenPrices } from '../models/token-prices.js';
import { wordsOf } from './assemble-answer.js';
import { Denials } from './denials.js';
import type { AgentEvent } from './events.js';

type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

/** The time in milliseconds that aborted work gets to finish once the prompt's time is over. */
const GRACE_MS = 5_000;
const STUCK = Symbol('stuck');

/** The time of one prompt. It begins with the object, and ends the prompt in any case. */
export class PromptTime {
  /** Aborted with the outer signal, when the time is over, and when the prompt has ended. */
  readonly signal: AbortSignal;
  readonly #inner = new AbortController();
  readonly #outer: AbortSignal;
  readonly #seconds: number;
  readonly #clock: WorkClock;
  #giveUp: (() => void) | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(maxSeconds: number | undefined, outer: AbortSignal) {
    this.#seconds = maxSeconds ?? Number.POSITIVE_INFINITY;
    this.#outer = outer;
    this.signal = AbortSignal.any([outer, this.#inner.signal]);
    this.#clock = new WorkClock(this.#seconds * 1000, () => {
      this.#inner.abort(new Error('the time of the prompt is over'));
      this.#grace = setTimeout(() => this.#giveUp?.(), GRACE_MS);
    });
  }

  get hasPassed(): boolean {
    return this.#clock.isOver;
  }

  /** True if the time alone ended the prompt: a user who cancelled expects to read that instead. */
  get isOver(): boolean {
    return this.hasPassed && !this.#outer.aborted;
  }

  /** Stops the clock during work that is not the prompt's own, such as a question to the user. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    const goOn = this.#clock.pause();
    try {
      return await work();
    } finally {
      goOn();
    }
  }

  /**
   * Yields the events of the prompt's work, which takes `signal`. Work that does not stop when aborted is abandoned; the prompt then ends
   * without it.
   */
  async *spentOn(work: AsyncGenerator<AgentEvent>): AsyncGenerator<AgentEvent> {
    const sum = new PromptSum();
    let isStuck = false;
    try {
      for (;;) {
        const next = await this.#next(work);
        isStuck = next === STUCK;
        if (next === STUCK) yield sum.end(this.#stop());
        if (next === STUCK || next.done === true) return;
        const event = next.value;
        this.#clock.note(event);
        sum.note(event);
        const isCut = event.type === 'prompt-end' && event.stopReason === 'cancelled' && this.isOver;
        yield isCut ? { ...event, ...this.#stop() } : event;
      }
    } finally {
      this.stop();
      this.#inner.abort(new Error('the reader stopped'));
      const ended = work.return(undefined);
      if (isStuck) ended.catch(() => undefined);
      else await ended;
    }
  }

  /** Stops counting. */
  stop(): void {
    this.#clock.stop();
    clearTimeout(this.#grace);
  }

  #next(work: AsyncGenerator<AgentEvent>): Promise<IteratorResult<AgentEvent> | typeof STUCK> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () => resolve(STUCK);
      work.next().then(resolve, reject);
    });
  }

  #stop(): Pick<PromptEnd, 'stopReason' | 'message'> {
    const unit = this.#seconds === 1 ? 'second' : 'seconds';
    return {
      stopReason: 'max-seconds',
      message: `Stopped after ${this.#seconds} ${unit}, the limit for one prompt.`,
    };
  }
}

/** The sum of a prompt's events. */
class PromptSum {
  readonly #denials = new Denials();
  #turns = 0;
  #toolCalls = 0;
  #text = '';
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };

  note(event: AgentEvent): void {
    this.#denials.note(event);
    if (event.type === 'turn-start') this.#turns = event.turn;
    else if (event.type === 'tool-call-start') this.#toolCalls += 1;
    else if (event.type === 'assistant-message') {
      this.#text = wordsOf(event);
      if (event.usage !== undefined) this.#usage = addedUsage(this.#usage, event.usage);
    }
  }

  end(stop: Pick<PromptEnd, 'stopReason' | 'message'>): PromptEnd {
    const [turns, toolCalls, text, usage] = [this.#turns, this.#toolCalls, this.#text, this.#usage];
    return { type: 'prompt-end', ...stop, text, turns, toolCalls, denials: this.#denials.list(), usage };
  }
}

/** A clock that stands still while a question waits for the person. */
export class WorkClock {
  readonly #limitMs: number;
  readonly #onOver: () => void;
  readonly #questions = new Set<string | symbol>();
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
    else if (event.type === 'subagent-end')
      this.#forget((question) => typeof question === 'string' && question.startsWith(`${event.agentId} `));
    else if (event.type === 'approval-request') {
      this.#questions.add(`${agent} ${event.callId}`);
      this.stop();
    } else if (event.type === 'approval-answer' || event.type === 'tool-call-end') {
      this.#forget((question) => question === `${agent} ${event.callId}`);
    }
  }

  /** Pauses the clock until the returned function is called. */
  pause(): () => void {
    const question = Symbol('question');
    this.#questions.add(question);
    this.stop();
    return () => this.#forget((each) => each === question);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#since !== undefined) this.#usedMs += performance.now() - this.#since;
    this.#since = undefined;
  }

  #forget(isAnswered: (question: string | symbol) => boolean): void {
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
