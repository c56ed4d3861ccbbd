import type { AgentEvent } from '../agent/events.js';
import { runPrompt } from '../agent/loop.js';
import type { LoopServices } from '../agent/loop-types.js';
import { addedUsage } from '../models/added-usage.js';

type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

const MOST_SECONDS = 60;
const ASKED =
  'You are at the limit of what you may do, and no call runs any more. Write your last message now, briefly: what you found and did, with paths, and what is left to do.';

/** The events of a subagent's work, with its last words before the end where it stopped at a limit. */
export async function* withLastWords(
  events: AsyncIterable<AgentEvent>,
  services: LoopServices,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  for await (const event of events)
    yield event.type === 'prompt-end' ? yield* lastWords(event, services, signal) : event;
}

/**
 * What a subagent that ran into the limit of its turns or calls has to say in the end, asked for with one request: the end
 * with these words, and its events on the way. Where there are none, the end as it was. Never rejects.
 */
async function* lastWords(
  end: PromptEnd,
  services: LoopServices,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, PromptEnd> {
  const isAtLimit = end.stopReason === 'max-turns' || end.stopReason === 'max-tool-calls';
  if (!isAtLimit || signal.aborted) return end;
  const { usage } = end;
  let words = '';
  let last = usage;
  // The tools stay: servers refuse calls in a conversation that has none, and what they keep of it stays of use.
  const { jobs: _jobs, hooks: _hooks, ...rest } = services;
  const once: LoopServices = {
    ...rest,
    runCalls: nothing,
    maxTurns: 1,
    maxToolCalls: 0,
    maxSeconds: Math.min(MOST_SECONDS, services.maxSeconds ?? MOST_SECONDS),
  };
  for await (const event of runPrompt({ text: ASKED }, once, signal)) {
    if (event.type === 'prompt-end') {
      words = event.text;
      last = addedUsage(usage, event.usage);
    } else if (event.type !== 'turn-start' && event.type !== 'turn-end') yield event;
  }
  return { ...end, usage: last, text: words.trim() === '' ? end.text : words };
}

async function* nothing(): AsyncGenerator<never> {}
