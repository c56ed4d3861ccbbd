import type { HookRunEvent } from '../hooks/hook-types.js';
import type { Verdict } from '../policy/verdict.js';
import type { ToolConfirmationOutcome } from '../tools/confirmation.js';
import type { ToolErrorType } from '../tools/tool-error.js';
import type { Part, ToolResultDisplay } from '../tools/tool-result.js';
import type { Kind, ToolLocation } from '../tools/tools.js';
import type { ApprovalRequest } from './approval.js';

/** How a call ended. `denied`: the policy or the person said no; it did not run. */
export type CallStatus = 'success' | 'error' | 'denied' | 'cancelled';

/** What the life of one call emits, in order: start, (approval-request, approval-answer)*, update*, end; what hooks did in between. */
export type CallEvent =
  | {
      readonly type: 'tool-call-start';
      readonly callId: string;
      readonly toolName: string;
      readonly displayName: string;
      readonly kind: Kind;
      /** One line for people. */
      readonly title: string;
      readonly locations: readonly ToolLocation[];
      readonly args: unknown;
      /** Lossless repairs that were made to the arguments, one sentence each. */
      readonly repairs: readonly string[];
    }
  | HookRunEvent
  | { readonly type: 'approval-request'; readonly callId: string; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval-answer';
      readonly callId: string;
      readonly outcome: ToolConfirmationOutcome;
      /** `nobody`: there was no one to ask. */
      readonly by: 'person' | 'nobody';
      readonly feedback?: string;
      /** Those that "always" granted. */
      readonly rules?: readonly string[];
      /** The answer holds, but the rule that it granted could not be saved. */
      readonly problem?: string;
    }
  | { readonly type: 'tool-call-update'; readonly callId: string; readonly display: ToolResultDisplay }
  | {
      readonly type: 'tool-call-end';
      readonly callId: string;
      readonly toolName: string;
      readonly title: string;
      readonly status: CallStatus;
      /** How long it ran; waiting for other calls and for an answer does not count. */
      readonly durationMs: number;
      readonly display: ToolResultDisplay;
      /** Set if `display` is Markdown: the tool says so by `isOutputMarkdown`. */
      readonly isMarkdown?: true;
      /** What the model is told, after the output budget. */
      readonly content: readonly Part[];
      readonly error?: { readonly message: string; readonly type: ToolErrorType };
      readonly data?: unknown;
      /** How the policy judged it; absent when it never got that far. */
      readonly verdict?: Verdict;
      /** For a denied call: the rules under which it would run without a question. */
      readonly alwaysRules?: readonly string[];
    };
