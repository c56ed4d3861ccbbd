import type { FinishReason, TextBlock, ThinkingBlock, TokenUsage, ToolCallBlock } from '../models/model.js';
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
  /** The same call with the same result, over and over. */
  | 'loop'
  /** The model could not be reached or refused the request, after all retries. */
  | 'model-error';

/** A call that did not run because nobody could or would approve it. */
export interface Denial {
  readonly callId: string;
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
    }
  | { readonly type: 'user-message'; readonly text: string }
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
  | { readonly type: 'turn-end'; readonly turn: number }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
  | {
      readonly type: 'prompt-end';
      readonly stopReason: StopReason;
      /** The model's last words. */
      readonly text: string;
      readonly message?: string;
      readonly turns: number;
      readonly toolCalls: number;
      readonly denials: readonly Denial[];
      readonly usage: TokenUsage;
    };
