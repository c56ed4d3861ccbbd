import type { SessionHooks } from '../hooks/session-hooks.js';
import type { MediaBlock, ModelPort, ModelTool, TextBlock, TokenUsage } from '../models/model.js';
import type { TokenPrices } from '../models/token-prices.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { ContextKeeper } from './context-keeper.js';
import type { Conversation } from './conversation.js';
import type { Denials } from './denials.js';
import type { AgentEvent, StopReason, SubagentEvent } from './events.js';
import type { LoopGuard } from './loop-guard.js';
import type { CostMeter } from './prompt-limits.js';

/** What the loop needs; it knows no tool, no provider and no door. */
export interface LoopServices {
  /** Looked at anew for every request: it may be another by then, as `prices`. */
  readonly model: ModelPort;
  readonly conversation: Conversation;
  /** Asked before every request: the mode may have changed. */
  readonly system: () => string;
  readonly tools: () => readonly ModelTool[];
  /** What subagents tell comes between the events of the calls that handed work to them. */
  readonly runCalls: (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent | SubagentEvent>;
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  /** Without the time in which questions wait. Absent: no limit. */
  readonly maxSeconds?: number | undefined;
  /** In the currency of `prices`, without which nothing is asked of the model then. Absent: no limit. */
  readonly maxCost?: number | undefined;
  readonly prices?: TokenPrices | undefined;
  /** What has been spent; agents that work on the same prompt share it. Default: one of its own. */
  readonly cost?: CostMeter | undefined;
  /** Keeps the conversation within the window; it is noted by the reader what happens. Absent: nobody does. */
  readonly context?: Pick<ContextKeeper, 'beforeRequest' | 'afterRefusal' | 'sending' | 'answerSize'> | undefined;
  /** What the user has said since it was asked last, while the model worked. */
  readonly takeSteering?: (() => readonly string[]) | undefined;
  /** What happens beside the calls. Absent: nothing does. */
  readonly jobs?: BesideTheCalls;
  /** Absent where none are configured. */
  readonly hooks?: Pick<SessionHooks, 'submitted' | 'stopping'> | undefined;
}

/** News of what runs in the background; each is told once. */
export interface BesideTheCalls {
  readonly takeEvents: () => readonly AgentEvent[];
  /** For the model; undefined for no news. */
  readonly takeNote: () => string | undefined;
  /**
   * Waits as long as agents work in the background and there is nothing to tell of any. Resolves to whether there is now;
   * rejects with the signal's reason only. Absent: none do.
   */
  readonly waitForAgents?: (signal: AbortSignal) => Promise<boolean>;
  /** Ends all of it. */
  readonly endAll: () => Promise<readonly AgentEvent[]>;
}

/** What a person says, and what goes with it. */
export interface Prompt {
  readonly text: string;
  /** Gets what the person attached; its events are part of the stream. */
  readonly attach?: (signal: AbortSignal) => AsyncGenerator<AgentEvent, readonly (TextBlock | MediaBlock)[]>;
  /** True: what still runs in the background at the end is ended before `prompt-end`. */
  readonly endsJobs?: boolean;
}

/** How far a prompt has come. */
export interface Progress {
  turns: number;
  toolCalls: number;
  text: string;
  usage: TokenUsage;
  readonly denials: Denials;
  readonly guard: LoopGuard;
  readonly cost: CostMeter;
  /** How often hooks had it go on. */
  goingsOn: number;
}

export interface Stop {
  readonly stopReason: StopReason;
  readonly message?: string;
  /** The last answer was cut off. */
  readonly isCut?: true;
}
