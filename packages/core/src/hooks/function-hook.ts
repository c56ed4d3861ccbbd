import type { FunctionHook, HookEventName, HookInput } from './hook-types.js';

/** What a function says: as the JSON of other hooks, or less wordily. Anything else counts as a failure. */
export interface HookReply {
  readonly permissionDecision?: 'allow' | 'ask' | 'deny';
  readonly permissionDecisionReason?: string;
  readonly decision?: 'block';
  readonly reason?: string;
  readonly updatedInput?: object;
  readonly updatedToolOutput?: string;
  readonly additionalContext?: string;
  readonly systemMessage?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
}

export interface FunctionHookOptions<E extends HookEventName> {
  readonly event: E;
  readonly name?: string;
  readonly matcher?: string;
  readonly condition?: string;
  /** Default 60,000. */
  readonly timeoutMs?: number;
  /** Default false. */
  readonly failClosed?: boolean;
  /** True: nobody waits for it, and what it says does not count. Default false. */
  readonly isAsync?: boolean;
  /** The signal aborts when nobody waits any more. What it throws is a failure of the hook. */
  readonly run: (
    input: HookInput<E>,
    signal: AbortSignal,
  ) => HookReply | undefined | void | Promise<HookReply | undefined | void>;
}

/** A hook that is a function of the embedding program. */
export function functionHook<E extends HookEventName>(options: FunctionHookOptions<E>): FunctionHook {
  const { event, name = options.run.name, matcher, condition, timeoutMs = 60_000, failClosed = false } = options;
  return {
    kind: 'function',
    event,
    name: name === '' ? 'function' : name,
    origin: 'the program',
    ...(matcher !== undefined && { matcher }),
    ...(condition !== undefined && { condition }),
    timeoutMs,
    failClosed,
    ...(options.isAsync === true && { isAsync: true }),
    dialect: 'tenon',
    // It is run for its own event only, whose input this is.
    run: (input, signal) => options.run(input as unknown as HookInput<E>, signal),
  };
}
