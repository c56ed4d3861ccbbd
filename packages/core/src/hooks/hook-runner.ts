import { abortable, timeLimit } from '../util/abort.js';
import { errorMessage, Failure } from '../util/failure.js';
import { AsyncRuns } from './async-runs.js';
import { toldInput, toldMode, toldTool } from './dialects.js';
import type {
  FunctionHook,
  HookDefinition,
  HookEventName,
  HookFacts,
  HookInput,
  HookOptions,
  HookRunEvent,
} from './hook-types.js';
import { readCondition, readMatcher, type Matched, type Matcher, type Places } from './match-hook.js';
import { mergeRuns, type HookOutcome, type PlacedRun } from './merge-runs.js';
import { readFunctionAnswer, type Reply } from './read-answer.js';
import { runCommandHook, type CommandPlace } from './run-command-hook.js';
import { runHttpHook } from './run-http-hook.js';

export interface HookRunnerOptions extends HookOptions, CommandPlace, Places {
  readonly fetch: typeof fetch;
  /** Asked for each run: what all hooks are told. */
  readonly session: () => {
    readonly sessionId: string;
    /** Empty where nothing is logged. */
    readonly transcriptPath: string;
    readonly approvalMode: string;
  };
}

/** One thing that happened, for the hooks that are about it. */
interface HookRequest<E extends HookEventName = HookEventName> {
  readonly event: E;
  readonly facts: HookFacts[E];
  readonly matched: Matched;
  readonly callId?: string;
  /** Places of hooks that are left out. */
  readonly without?: readonly number[];
}

interface Ready {
  readonly hook: HookDefinition;
  readonly place: number;
  readonly matches: Matcher;
}

/** Runs hooks: those that match side by side, each within its time, and puts together what they say. */
export class HookRunner {
  /** Where a hook allows a call, what the mode alone asks is not asked. */
  readonly mayAllow: boolean;
  readonly #options: HookRunnerOptions;
  readonly #hooks: readonly Ready[];
  readonly #async = new AsyncRuns();

  constructor(options: HookRunnerOptions) {
    this.#options = options;
    this.mayAllow = options.mayAllow === true;
    this.#hooks = options.list.map((hook, place) => ({ hook, place, matches: matcherOf(hook) }));
  }

  /** Whether any hook is about the event at all. */
  has(event: HookEventName): boolean {
    return this.#hooks.some(({ hook }) => hook.event === event);
  }

  /** What the hooks say that match. Rejects with the signal's reason only; by then they have been ended. */
  async run<E extends HookEventName>(request: HookRequest<E>, signal: AbortSignal): Promise<HookOutcome> {
    signal.throwIfAborted();
    const { event, matched, without = [], callId } = request;
    const chosen = this.#hooks.filter(
      ({ hook, place, matches }) => hook.event === event && !without.includes(place) && matches(matched, this.#options),
    );
    for (const { hook } of chosen.filter((ready) => ready.hook.isAsync === true)) this.#begin(hook, request);
    const waited = chosen.filter((ready) => ready.hook.isAsync !== true);
    const runs = await Promise.all(waited.map(async (ready) => this.#runOne(ready, request, signal)));
    signal.throwIfAborted();
    const merged = mergeRuns(runs, callId);
    return { ...merged, events: [...this.#async.takeEvents(), ...merged.events] };
  }

  /** What hooks did that nobody waited for; told with the next that run. */
  keep(events: readonly HookRunEvent[]): void {
    this.#async.keep(events);
  }

  /** Ends hooks that nobody waits for, if they do not end by themselves soon. */
  close(): Promise<void> {
    return this.#async.close();
  }

  #begin<E extends HookEventName>(hook: HookDefinition, { event, facts, callId }: HookRequest<E>): void {
    const input = this.#inputFor(hook, event, facts);
    this.#async.start(hook, callId, async (signal) => this.#reply(hook, input, signal));
  }

  async #runOne<E extends HookEventName>(
    { hook, place }: Ready,
    { event, facts }: HookRequest<E>,
    signal: AbortSignal,
  ): Promise<PlacedRun> {
    const startedAt = performance.now();
    const { answer, problem } = await this.#reply(hook, this.#inputFor(hook, event, facts), signal);
    return {
      hook,
      place,
      answer,
      ...(problem !== undefined && { problem }),
      durationMs: performance.now() - startedAt,
    };
  }

  async #reply(hook: HookDefinition, input: HookInput, signal: AbortSignal): Promise<Reply> {
    const { environment, fetch } = this.#options;
    switch (hook.kind) {
      case 'command':
        // It limits its time itself, for it has something to end.
        return runCommandHook(hook, { ...this.#options, input: JSON.stringify(input) }, signal).catch(asReply);
      case 'http': {
        const place = { fetch, environment, input: JSON.stringify(input) };
        return limited(hook, signal, async (until) => runHttpHook(hook, place, until));
      }
      case 'function':
        return limited(hook, signal, async (until) => runFunction(hook, input, until));
      default:
        return hook satisfies never;
    }
  }

  #inputFor<E extends HookEventName>({ dialect }: HookDefinition, event: E, facts: HookFacts[E]): HookInput {
    const { sessionId, transcriptPath, approvalMode } = this.#options.session();
    const common = {
      hook_event_name: event,
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd: this.#options.folder,
      permission_mode: toldMode(dialect, approvalMode),
    };
    const told =
      'tool_name' in facts
        ? { ...facts, tool_name: toldTool(dialect, facts.tool_name), tool_input: toldInput(dialect, facts.tool_input) }
        : facts;
    // The facts are those of the event, by the request's own type, which a union of all events cannot say.
    return { ...common, ...told } as unknown as HookInput;
  }
}

function matcherOf({ event, matcher, condition }: HookDefinition): Matcher {
  const [named, meant] = [
    readMatcher(event, matcher ?? ''),
    condition === undefined ? undefined : readCondition(condition),
  ];
  const problem =
    'problem' in named ? named.problem : meant !== undefined && 'problem' in meant ? meant.problem : undefined;
  if (problem !== undefined)
    throw new Failure('invalid_hook', `The matcher of a ${event} hook cannot be read: ${problem}`);
  return (matched, places) =>
    (typeof named === 'function' ? named(matched, places) : true) &&
    (typeof meant === 'function' ? meant(matched, places) : true);
}

/** Ended at its time, or with the signal; what does not listen is not waited for. */
async function limited(
  { timeoutMs }: HookDefinition,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const time = timeLimit(timeoutMs);
  const until = AbortSignal.any([signal, time]);
  try {
    return await abortable(work(until), until);
  } catch (thrown) {
    if (time.aborted && !signal.aborted) return { answer: {}, problem: `did not end within ${timeoutMs / 1000} s` };
    return asReply(thrown);
  }
}

async function runFunction(hook: FunctionHook, input: HookInput, signal: AbortSignal): Promise<Reply> {
  // A copy, with what others are told and nothing else: what it does to its input is nobody else's.
  const copy = JSON.parse(JSON.stringify(input)) as HookInput;
  return readFunctionAnswer(hook.event, await hook.run(copy, signal));
}

function asReply(thrown: unknown): Reply {
  return { answer: {}, problem: `failed: ${errorMessage(thrown)}` };
}
