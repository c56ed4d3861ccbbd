import type { FinishReason, MediaBlock, TextBlock, ThinkingBlock, TokenUsage, ToolCallBlock } from '../models/model.js';
import type { JobChanges } from '../process/jobs/job.js';
import type { ApprovalMode } from '../policy/approval-mode.js';
import type { CallEvent } from '../scheduler/call-events.js';

/** Why the loop stopped. */
export type StopReason =
  /** The model gave its answer. */
  | 'completed'
  | 'cancelled'
  | 'max-turns'
  | 'max-tool-calls'
  /** The time or the money that one prompt may take was used up. */
  | 'max-seconds'
  | 'max-cost'
  /** The same call with the same result, over and over. */
  | 'loop'
  /** The model gave neither words nor calls in any of its attempts. */
  | 'empty-answer'
  /** The model could not be reached or refused the request, after all retries. */
  | 'model-error';

/** A call that did not run because nobody could or would approve it. */
export interface Denial {
  readonly callId: string;
  /** The subagent that wanted it; absent for the agent that talks with the person. */
  readonly agentId?: string;
  /** The name of its definition. */
  readonly agent?: string;
  readonly toolName: string;
  readonly title: string;
  readonly reason: string;
  /** Rules under which it would have run, for `--allow` or the settings. */
  readonly rules: readonly string[];
}

/** What happened to a background job, and no call's result told. */
export type JobEvent =
  | {
      readonly type: 'job-end';
      readonly jobId: string;
      readonly command: string;
      /** Null when a signal ended it. */
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly durationMs: number;
      /** Why it was ended, when it was and no call asked for it. */
      readonly reason?: string;
      /** What changed in the workspace while it ran, after its call had returned. Absolute paths. */
      readonly changes?: JobChanges;
    }
  /** `prompt`: the unfinished line that it printed last; may be empty. */
  | { readonly type: 'job-wait'; readonly jobId: string; readonly command: string; readonly prompt: string };

/** What of a conversation was made shorter. Applied to the messages before it, it gives those after it. */
export interface CompactionPlan {
  /** Calls whose results are replaced by a line that says so; they can be made again. */
  readonly droppedResults: readonly string[];
  /** Calls of whose results only beginning and end are kept: what they did is not done again for its output. */
  readonly shortenedResults?: readonly string[];
  /**
   * What stands in place of all messages before the one with index `before`, an answer of the model. Behind it the user's
   * last message stays, where it was among them.
   */
  readonly summary?: { readonly text: string; readonly before: number };
}

export interface CompactionEvent {
  readonly type: 'compaction';
  /** `overflow`: the provider refused the request as too long. */
  readonly trigger: 'auto' | 'manual' | 'overflow';
  readonly plan: CompactionPlan;
  /** Estimated tokens of the conversation. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What was dropped, for people: one line each. */
  readonly told: readonly string[];
  /** What the summary used. */
  readonly usage?: TokenUsage;
}

/**
 * What becomes of work that was handed to a subagent. `callId`: the call of the agent above that handed it on; `agentId` names
 * the subagent within the session, `agent` is the name of its definition.
 */
export type SubagentEvent =
  | {
      readonly type: 'subagent-start';
      readonly callId: string;
      readonly agentId: string;
      readonly agent: string;
      /** What it is to do, in a few words. */
      readonly description: string;
      readonly model: string;
      /** The log of all that it says and does: absolute. */
      readonly logFile: string;
      readonly isBackground?: true;
    }
  /** It is in its own log, not in that of the session. May itself be a `SubagentEvent`. */
  | { readonly type: 'subagent-event'; readonly callId: string; readonly agentId: string; readonly event: AgentEvent }
  | {
      readonly type: 'subagent-end';
      readonly callId: string;
      readonly agentId: string;
      readonly stopReason: StopReason;
      readonly model: string;
      readonly turns: number;
      readonly toolCalls: number;
      /** Of its own requests. */
      readonly usage: TokenUsage;
      /** Of agents below it, by model. */
      readonly usageBelow?: readonly ModelUsage[];
      /** Of one that worked in the background, of whose calls no event tells: what it wanted and did not get. */
      readonly denials?: readonly Denial[];
      readonly durationMs: number;
    };

/** What agents took of one model. */
export interface ModelUsage {
  /** Its label. */
  readonly model: string;
  readonly usage: TokenUsage;
  readonly requests: number;
}

/** What of a conversation no event of the stream tells; written to the session's log alone. */
export type ConversationEvent =
  /** `note`: neither the user's nor a tool's words. Else it belongs to the user's message before it. */
  | {
      readonly type: 'context-added';
      readonly as: 'user' | 'note';
      readonly content: readonly (TextBlock | MediaBlock)[];
    }
  /** The words of an answer that did not come to its end. */
  | { readonly type: 'answer-interrupted'; readonly content: readonly TextBlock[] };

/** The one stream that every door reads and the session log records. All of it is plain JSON. */
export type AgentEvent =
  | {
      readonly type: 'session-start';
      readonly sessionId: string;
      readonly version: string;
      readonly model: string;
      readonly roots: readonly string[];
      readonly approvalMode: ApprovalMode;
      readonly tools: readonly string[];
      /** An earlier session goes on: how many lines its log had. */
      readonly resumed?: { readonly lines: number };
      /** The id of the session that this one began as a copy of. */
      readonly forkedFrom?: string;
    }
  | {
      readonly type: 'user-message';
      readonly text: string;
      /** Names the message for `rewind`, within its session. Absent in logs of older versions. */
      readonly id?: string;
      /** Said while the model worked; it reads it with its next request. */
      readonly isSteering?: true;
    }
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  /** The request is sent again; deltas of this turn so far are void. */
  | { readonly type: 'model-retry'; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  | {
      readonly type: 'assistant-message';
      readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[];
      readonly finish: FinishReason;
      readonly usage?: TokenUsage;
    }
  | CallEvent
  | JobEvent
  | SubagentEvent
  | CompactionEvent
  /** From here on another model answers. */
  | { readonly type: 'model-change'; readonly model: string }
  /** The conversation goes on as it was before the user's message `to`; `files` tells what became of files. */
  | {
      readonly type: 'rewind';
      readonly to: string;
      readonly conversation: boolean;
      readonly files?: { readonly reverted: number; readonly left: number };
    }
  | { readonly type: 'turn-end'; readonly turn: number }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
  | {
      readonly type: 'prompt-end';
      readonly stopReason: StopReason;
      /** The model's last words. */
      readonly text: string;
      readonly message?: string;
      /** The last answer reached the model's limit of output tokens: more was to come. */
      readonly isCut?: true;
      readonly turns: number;
      readonly toolCalls: number;
      readonly denials: readonly Denial[];
      readonly usage: TokenUsage;
      /** Files of the workspace were changed for it, whoever did: `tenon undo --turn` takes that back. */
      readonly filesChanged?: true;
    };
