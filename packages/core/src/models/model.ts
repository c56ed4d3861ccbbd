/** The one port behind which every provider stands. Messages are provider-neutral. */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** The model's own reasoning; `signature` is what a provider wants back with it. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  readonly signature?: string;
}

export interface ToolCallBlock {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** The arguments as they arrived: JSON text, perhaps cut or not JSON at all. */
  readonly argumentsText: string;
  /** What a provider wants back with the call (Gemini's thought signature). */
  readonly signature?: string;
}

export interface MediaBlock {
  readonly type: 'media';
  readonly mimeType: string;
  /** base64 */
  readonly data: string;
}

export interface ToolResultBlock {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
  readonly content: readonly (TextBlock | MediaBlock)[];
}

export type Message =
  | { readonly role: 'user'; readonly content: readonly (TextBlock | MediaBlock)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultBlock[] };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  readonly maxOutputTokens?: number;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of `inputTokens`, read from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** Of `inputTokens`, written to the provider's cache, where that is counted apart. */
  readonly cacheWriteTokens?: number;
}

/**
 * The reason why an answer ended. `failed`: the server gave up on it or its call could not be read, so it is requested again. `pause`: the
 * model wants to continue with the next request. `nothing-more`: it has nothing to say, and that is no fault. `other`: a reason of the
 * server's own.
 */
export type FinishReason =
  'stop' | 'tool-calls' | 'length' | 'content-filter' | 'failed' | 'pause' | 'nothing-more' | 'other';

/** What a provider streams, in order. `index` tells parallel tool calls of one answer apart. */
export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string; readonly signature?: string }
  /** All text of the answer so far was thinking: only its end was marked. */
  | { readonly type: 'text-was-thinking' }
  | {
      readonly type: 'tool-call-delta';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly argumentsText?: string;
      readonly signature?: string;
    }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** Always the last event of a complete answer. A stream that ends without it was broken off. */
  | { readonly type: 'finish'; readonly reason: FinishReason };

/** Why a request to a model failed. `retryAfterMs` comes from the provider's `Retry-After`. */
export interface ModelFailureInfo {
  readonly kind:
    | 'network'
    | 'rate-limit'
    | 'server'
    | 'auth'
    | 'bad-request'
    | 'context-length'
    | 'broken-stream'
    /** The answer had neither words nor calls. */
    | 'empty-answer';
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The number of further retries that make sense. Absent: as many as allowed. */
  readonly mostRetries?: number;
  /** It will be the same the next time, of whatever kind it is. */
  readonly isLasting?: true;
  /** Of `context-length`: how many tokens go into the window, where the provider said it. */
  readonly contextWindow?: number;
}

export interface ModelPort {
  /** For people and logs: provider and model, no secrets. */
  readonly label: string;
  readonly model: string;
  /** Keys that it got while it ran, to be hidden; the very same list until there is another. Absent where it gets none. */
  heldKeys?(): readonly string[];
  /** @throws ModelError; an aborted signal ends the stream by throwing the signal's reason. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
