import type { Effect } from '../effects/effect.js';
import type { AskedAnswer } from '../planning/questions.js';
import type { ToolCallConfirmationDetails, ToolConfirmationOutcome } from '../tools/confirmation.js';

/** Everything a person needs to decide on one call. All of it is untrusted text: make it `Safe` before showing it. */
export interface ApprovalRequest {
  readonly callId: string;
  /** The subagent that wants it, as people are shown it; absent for the agent that talks with the person. */
  readonly agent?: string;
  /** The id of that subagent in the session; present with `agent`. */
  readonly agentId?: string;
  readonly toolName: string;
  readonly displayName: string;
  /** One line: what the call would do. */
  readonly description: string;
  readonly effects: readonly Effect[];
  readonly details: ToolCallConfirmationDetails;
  /** Why it is asked. */
  readonly reason: string;
  /** The rules that "always" would save; empty when "always" cannot be offered. */
  readonly alwaysRules: readonly string[];
  /** The rules that "always" would save for calls of this kind; absent when that cannot be offered. */
  readonly generalRules?: readonly string[];
  /** True when the person may change the proposed content. */
  readonly canModify: boolean;
  /** True when this call was approved before, but what it would do has changed since. */
  readonly changedSinceApproval: boolean;
}

export interface ApprovalAnswer {
  readonly outcome: ToolConfirmationOutcome;
  /** Words for the model, with a refusal. */
  readonly feedback?: string;
  /** The person's version of the content, with `modify_with_editor`; of a plan, with any yes. */
  readonly newContent?: string;
  /** To questions, by their place; what is left out was not answered. */
  readonly answers?: readonly AskedAnswer[];
  /** True: "always" for calls of this kind (`generalRules`), not only for this one. */
  readonly isGeneral?: boolean;
}

/** Asks the person. It may be called for several calls at once. Rejecting counts as `cancel`. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
