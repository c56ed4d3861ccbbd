import type { ModelError } from '../models/model-error.js';
import { contextWindowOf } from '../models/context-window.js';
import type { Message, ModelPort, ModelTool } from '../models/model.js';
import type { ConversationPlans } from '../planning/planning.js';
import { count } from '../util/count.js';
import { afterCompaction, beforeCompaction, type CompactionHooks } from './compaction-hooks.js';
import { applyCompaction } from './compaction.js';
import { contextReport, type ContextReport } from './context-report.js';
import { ConversationFacts } from './conversation-facts.js';
import type { Conversation } from './conversation.js';
import type { AgentEvent, CompactionEvent, ConversationEvent } from './events.js';
import type { Outline } from './plan-compaction.js';
import { textTokens, TokenEstimator } from './token-estimate.js';

/** What of a request is beside its messages. */
export interface RequestParts {
  readonly system: string;
  readonly tools: readonly ModelTool[];
}

export interface KeeperParts {
  /** Read anew for each summary: it may change. */
  readonly model: Pick<ModelPort, 'model' | 'label' | 'stream'>;
  readonly conversation: Conversation;
  /** Tokens. Default: what is known of the model by its name. */
  readonly window?: number | undefined;
  /** The share of the window from which on a conversation is made shorter; 0: never. Default 0.8. */
  readonly compactAt?: number | undefined;
  readonly hooks?: CompactionHooks | undefined;
}

const COMPACT_AT = 0.8;
/** Shares of the window. After a compaction this much is used; the newest messages up to that stay as they are. */
const TARGET = 0.5;
const PROTECTED = 0.15;
/** No more than this of the newest, however large the window is. In tokens. */
const MOST_PROTECTED = 24_000;
/** What a summary with its facts may take, as a share and in tokens. */
const SUMMARY = 0.1;
const MOST_SUMMARY = 6000;
/** After a compaction that did not help enough the next one waits until the conversation has grown by this share. */
const GROWTH = 0.1;
/** How far a request that was refused is made shorter, at the first and at the second time. */
const REFUSED_TARGETS = [0.5, 0.25] as const;
const CHARS_OF_A_TOKEN = 3;

interface Squeezing {
  readonly trigger: CompactionEvent['trigger'];
  readonly target: number;
  readonly protect: number;
  readonly isLastResort: boolean;
  readonly focus?: string | undefined;
}

/**
 * Keeps the conversation of one session within the model's window: knows what its messages take, when they have to become
 * fewer, and does it. Its `note` is given every event of the session, of its log too.
 */
export class ContextKeeper {
  readonly #parts: KeeperParts;
  readonly #facts = new ConversationFacts();
  readonly #estimator = new TokenEstimator();
  #configured: number | undefined;
  /** What a provider said, or showed, that the window is at most. */
  #learned = Number.POSITIVE_INFINITY;
  /** The uncalibrated estimate of the request that is on its way. */
  #asked = 0;
  /** What was used after the last compaction, uncalibrated. */
  #settled = 0;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#configured = parts.window;
  }

  /** What the conversation says of task lists and plans. */
  get plans(): ConversationPlans {
    return this.#facts;
  }

  get window(): number {
    return Math.min(this.#learned, this.#configured ?? contextWindowOf(this.#parts.model.model));
  }

  /** Another model answers from now on. `window`: as in the settings. */
  modelChanged(window: number | undefined): void {
    this.#configured = window;
    this.#learned = Number.POSITIVE_INFINITY;
    this.#estimator.forget();
    this.#asked = 0;
  }

  note(event: AgentEvent | ConversationEvent): void {
    if (event.type === 'context-added' || event.type === 'answer-interrupted') return;
    this.#facts.note(event);
    if (event.type === 'rewind' && event.conversation) this.#settled = 0;
    if (event.type !== 'assistant-message') return;
    if (event.usage !== undefined && this.#asked > 0) this.#estimator.calibrate(this.#asked, event.usage.inputTokens);
    this.#asked = 0;
  }

  report({ system, tools }: RequestParts): ContextReport {
    const compactsAt = this.#threshold();
    return contextReport({
      system,
      tools,
      messages: this.#parts.conversation.messages,
      facts: this.#facts,
      estimator: this.#estimator,
      window: this.window,
      ...(Number.isFinite(compactsAt) && { compactsAt: Math.round(compactsAt) }),
    });
  }

  /** To be called with every request that is sent: its size, estimated, for whoever has no count of the provider's. */
  sending(parts: RequestParts): number {
    this.#asked = this.#rawSize(parts);
    return this.#estimator.scaled(this.#asked);
  }

  /** Estimated tokens of an answer. */
  answerSize(message: Message): number {
    return this.#estimator.message(message);
  }

  /** Before a request: makes the conversation shorter where it has come near the window's end. */
  async *beforeRequest(parts: RequestParts, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const { window } = this;
    const used = this.#size(parts);
    const threshold = this.#threshold();
    if (used < threshold || used < this.#estimator.scaled(this.#settled) + window * GROWTH) return;
    const target = Math.min(TARGET * window, 0.65 * threshold);
    const squeezing = { trigger: 'auto', target, protect: PROTECTED * window, isLastResort: false } as const;
    yield* this.#squeeze(parts, squeezing, signal);
  }

  /** After a request that was refused as too long, for the `attempt`th time from 1. False: nothing more can be left out. */
  async *afterRefusal(
    parts: RequestParts,
    { error, attempt }: { readonly error: ModelError; readonly attempt: number },
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, boolean> {
    const share = REFUSED_TARGETS[attempt - 1];
    if (share === undefined) return false;
    // The request was too long, even if the estimate is below the window that the provider states.
    this.#learned = Math.min(this.window, error.info.contextWindow ?? Infinity, this.#size(parts));
    const { window } = this;
    const isLastResort = attempt > 1;
    const protect = (isLastResort ? PROTECTED / 2 : PROTECTED) * window;
    return yield* this.#squeeze(parts, { trigger: 'overflow', target: share * window, protect, isLastResort }, signal);
  }

  /** Because somebody wants it. */
  async *compactNow(parts: RequestParts, focus: string | undefined, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const protect = (PROTECTED / 3) * this.window;
    const target = TARGET * this.window;
    const isDone = yield* this.#squeeze(
      parts,
      { trigger: 'manual', target, protect, isLastResort: false, focus },
      signal,
    );
    if (!isDone) yield { type: 'notice', level: 'info', text: 'The conversation is too short to be made any shorter.' };
  }

  async *#squeeze(parts: RequestParts, wish: Squeezing, signal: AbortSignal): AsyncGenerator<AgentEvent, boolean> {
    const { conversation, model } = this.#parts;
    const { messages } = conversation;
    const summarySize = Math.min(SUMMARY * this.window, MOST_SUMMARY);
    const tokensBefore = this.#size(parts);
    const { planCompaction, planOf } = await import('./plan-compaction.js');
    const outline = planCompaction({
      messages,
      target: Math.max(0, wish.target - this.#estimator.scaled(this.#rawFixed(parts))),
      protect: Math.min(MOST_PROTECTED, wish.protect),
      summarySize,
      isWished: wish.trigger === 'manual',
      isLastResort: wish.isLastResort,
      kindOf: (callId) => this.#facts.kindOf(callId),
      sizeOf: (message) => this.#estimator.message(message),
      sizeOfResult: (result) => this.#estimator.scaled(this.#estimator.rawResult(result)),
    });
    this.#settled = this.#rawSize(parts);
    if (outline === undefined) return false;
    const hooked = yield* beforeCompaction(this.#parts.hooks, wish, signal);
    if (hooked === undefined) return true;
    let summary: { readonly text: string; readonly usage?: CompactionEvent['usage']; readonly failed?: string } = {
      text: '',
    };
    if (outline.before !== undefined) {
      yield { type: 'notice', level: 'info', text: 'The conversation is being summarised, to make room.' };
      const { summarise } = await import('./summarise.js');
      const { focus } = hooked;
      summary = await summarise({
        model,
        messages: messages.slice(0, outline.before),
        facts: this.#facts,
        focus,
        mostCharacters: this.window * TARGET * CHARS_OF_A_TOKEN,
        room: summarySize * CHARS_OF_A_TOKEN,
        signal,
      });
    }
    const plan = planOf(outline, summary.text);
    conversation.compact(plan, applyCompaction(messages, plan));
    const tokensAfter = this.#size(parts);
    this.#settled = this.#rawSize(parts);
    const told = toldOf(outline, messages, summary.failed);
    const { usage } = summary;
    const { trigger } = wish;
    yield { type: 'compaction', trigger, plan, tokensBefore, tokensAfter, told, ...(usage !== undefined && { usage }) };
    yield* afterCompaction(this.#parts.hooks, { model: model.label, conversation }, signal);
    return true;
  }

  #threshold(): number {
    const share = this.#parts.compactAt ?? COMPACT_AT;
    return share === 0 ? Number.POSITIVE_INFINITY : share * this.window;
  }

  #size(parts: RequestParts): number {
    return this.#estimator.scaled(this.#rawSize(parts));
  }

  #rawSize(parts: RequestParts): number {
    let raw = this.#rawFixed(parts);
    for (const message of this.#parts.conversation.messages) raw += this.#estimator.rawMessage(message);
    return raw;
  }

  #rawFixed({ system, tools }: RequestParts): number {
    return textTokens(system) + tools.reduce((sum, tool) => sum + this.#estimator.rawTool(tool), 0);
  }
}

/** For people, a line for each sort of thing. */
function toldOf(outline: Outline, messages: readonly Message[], failed: string | undefined): string[] {
  const { dropped, shortened, before } = outline;
  return [
    ...(dropped.length > 0
      ? [`Left out: ${count(dropped.length, 'result')} that can be had again (${toolsOf(dropped, messages)}).`]
      : []),
    ...(shortened.length > 0
      ? [`Cut to beginning and end: ${count(shortened.length, 'long result')} (${toolsOf(shortened, messages)}).`]
      : []),
    ...(before === undefined
      ? []
      : [
          `Summarised: the first ${count(before, 'message')}; the newest ${messages.length - before} stay as they are.`,
        ]),
    ...(failed === undefined ? [] : [`The summary holds facts alone, without the model\u2019s words: ${failed}`]),
  ];
}

function toolsOf(callIds: readonly string[], messages: readonly Message[]): string {
  const wanted = new Set(callIds);
  const names = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const { callId, name } of message.content) if (wanted.has(callId)) names.set(name, (names.get(name) ?? 0) + 1);
  }
  return [...names].map(([name, amount]) => (amount === 1 ? name : `${name} ×${amount}`)).join(', ');
}
