/** What the agent that talks with the person is called where reads and changes are remembered. */
export const MAIN_AGENT = 'main';

/** Who makes a call, and as part of what: what the journal writes down and what reads are remembered by. */
export interface CallContext {
  /** Unique in its session. */
  readonly callId: string;
  readonly toolName: string;
  /** One line for people. */
  readonly title: string;
  /**
   * The agent whose model makes the call. Absent when a person or a program makes it: they need not have read a file
   * to know that they want it overwritten.
   */
  readonly agent?: string;
  readonly sessionId?: string;
  /** Ordinal of the person's prompt in the session, from 1. */
  readonly turn?: number;
  /** Whether the whole result of an earlier call is still before the model's eyes. */
  readonly stillShown: (callId: string) => boolean;
}
