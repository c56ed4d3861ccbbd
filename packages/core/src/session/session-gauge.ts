import type { CompactionHooks } from '../agent/compaction-hooks.js';
import { ContextKeeper, type RequestParts } from '../agent/context-keeper.js';
import type { ContextReport } from '../agent/context-report.js';
import { UsageMeter, type SessionUsage } from '../agent/session-usage.js';
import type { ModelPort } from '../models/model.js';
import type { TokenPrices } from '../models/token-prices.js';
import type { OpenSession } from './open-session.js';

export interface GaugeOptions {
  readonly model: ModelPort;
  /** As the options of an agent say. */
  readonly contextWindow?: number | undefined;
  readonly compactAt?: number | undefined;
  readonly prices?: TokenPrices | undefined;
  readonly hooks?: CompactionHooks | undefined;
}

/** What one session takes: of the model's window, and in tokens and money. It follows the events of the session by itself. */
export class SessionGauge {
  readonly keeper: ContextKeeper;
  readonly #meter: UsageMeter;

  constructor(session: OpenSession, { model, contextWindow, compactAt, prices, hooks }: GaugeOptions) {
    const { conversation } = session;
    this.keeper = new ContextKeeper({ model, conversation, window: contextWindow, compactAt, hooks });
    this.#meter = new UsageMeter(model.label, prices);
    session.follow((event) => {
      this.keeper.note(event);
      if (event.type !== 'context-added' && event.type !== 'answer-interrupted') this.#meter.note(event);
    });
  }

  /** Another model answers from now on. */
  modelChanged(model: ModelPort, { contextWindow, prices }: Pick<GaugeOptions, 'contextWindow' | 'prices'>): void {
    this.keeper.modelChanged(contextWindow);
    this.#meter.setPrices(model.label, prices);
  }

  report(parts: RequestParts): ContextReport {
    return this.keeper.report(parts);
  }

  usage(): SessionUsage {
    return this.#meter.usage();
  }
}
