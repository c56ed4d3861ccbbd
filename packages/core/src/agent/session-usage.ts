import { addedUsage } from '../models/added-usage.js';
import type { TokenUsage } from '../models/model.js';
import { costOf, type TokenPrices } from '../models/token-prices.js';
import type { AgentEvent } from './events.js';

/** What a session has used, over all its prompts. */
export interface SessionUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  /** Undefined without prices, or where another model without any was asked too. */
  readonly cost?: number;
}

type Totals = Required<TokenUsage> & { readonly requests: number };

const NOTHING: Totals = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, requests: 0 };

/** Adds up what the events tell, live or of a log; each model by itself, for each has its prices. */
export class UsageMeter {
  readonly #totals = new Map<string, Totals>();
  readonly #prices = new Map<string, TokenPrices>();
  #model: string;

  /** `model`: its label, as `session-start` and `model-change` tell it. */
  constructor(model: string, prices: TokenPrices | undefined) {
    this.#model = model;
    this.setPrices(model, prices);
  }

  setPrices(model: string, prices: TokenPrices | undefined): void {
    if (prices === undefined) this.#prices.delete(model);
    else this.#prices.set(model, prices);
  }

  note(event: AgentEvent): void {
    if (event.type === 'session-start' || event.type === 'model-change') this.#model = event.model;
    else if (event.type === 'assistant-message') this.#add(event.usage ?? { inputTokens: 0, outputTokens: 0 });
    else if (event.type === 'compaction' && event.usage !== undefined) this.#add(event.usage);
    else if (event.type === 'subagent-end') this.#addBelow(event);
  }

  usage(): SessionUsage {
    let all = NOTHING;
    let cost: number | undefined = this.#prices.has(this.#model) ? 0 : undefined;
    for (const [model, totals] of this.#totals) {
      const prices = this.#prices.get(model);
      all = added(all, totals, totals.requests);
      cost = cost === undefined || prices === undefined ? undefined : cost + costOf(totals, prices);
    }
    return { ...all, ...(cost !== undefined && { cost }) };
  }

  #add(usage: TokenUsage, model = this.#model, requests = 1): void {
    this.#totals.set(model, added(this.#totals.get(model) ?? NOTHING, usage, requests));
  }

  #addBelow({ model, usage, turns, usageBelow = [] }: Extract<AgentEvent, { type: 'subagent-end' }>): void {
    const all = [{ model, usage, requests: turns }, ...usageBelow];
    for (const one of all) if (one.requests > 0) this.#add(one.usage, one.model, one.requests);
  }
}

function added(totals: Totals, usage: TokenUsage, requests: number): Totals {
  return { ...totals, ...addedUsage(totals, usage), requests: totals.requests + requests };
}
