/** What sessions were, by their logs. All names in it are untrusted text. */
export interface SessionStats {
  /** Events before it do not count. ISO 8601; absent: all count. */
  readonly since?: string;
  readonly sessions: number;
  /** Subagents that worked for them. */
  readonly subagents: number;
  /** What the person said to begin work. */
  readonly prompts: number;
  /** How they ended, by reason. */
  readonly stops: Readonly<Record<string, number>>;
  /** Requests to models that were answered. */
  readonly turns: number;
  readonly compactions: number;
  /** Those that took most first. */
  readonly models: readonly ModelStats[];
  /** Those that were called most first. */
  readonly tools: readonly ToolStats[];
  readonly edits: EditStats;
  readonly approvals: ApprovalStats;
  /** In milliseconds. `worked`: from a prompt to its end, without the time in which questions waited. */
  readonly time: { readonly worked: number; readonly waited: number; readonly inTools: number };
  /** Logs, or lines of them, that could not be read and do not count: a sentence each. */
  readonly problems: readonly string[];
}

export interface ModelStats {
  /** As the log names it: provider and model. */
  readonly model: string;
  readonly requests: number;
  /** Of these, the provider counted no tokens. */
  readonly uncounted: number;
  readonly inputTokens: number;
  /** Of `inputTokens`, read from the provider's cache. */
  readonly cachedInputTokens: number;
  /** Of `inputTokens`, written to it, where the provider counts that. */
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Undefined where no prices are known. */
  readonly cost?: number;
}

export interface ToolStats {
  readonly tool: string;
  readonly calls: number;
  readonly success: number;
  readonly error: number;
  readonly denied: number;
  readonly cancelled: number;
  /** Of calls that ran, in milliseconds, exact to a hundredth of it; undefined when none ran. */
  readonly median?: number;
  readonly p95?: number;
  /** How often which failure. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Calls that would change files. */
export interface EditStats {
  readonly landed: number;
  readonly failed: number;
  readonly denied: number;
  /** Why they failed. */
  readonly reasons: Readonly<Record<string, number>>;
}

export interface ApprovalStats {
  readonly asked: number;
  /** Answers of the person, by outcome. */
  readonly answers: Readonly<Record<string, number>>;
  /** Questions for which nobody was there. */
  readonly unanswered: number;
  /** How long an answer took, in milliseconds. */
  readonly median?: number;
}
