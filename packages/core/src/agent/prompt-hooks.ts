import type { HookRunEvent } from '../hooks/hook-types.js';
import type { AgentEvent } from './events.js';
import type { LoopServices, Progress, Stop } from './loop-types.js';

/**
 * Puts the person's words into the conversation, once hooks have let them; a stop where they do not. Words that were refused
 * are not said: they are neither in the conversation nor an event.
 */
export async function* submitWords(
  text: string,
  { conversation, hooks }: LoopServices,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  if (hooks === undefined) {
    const id = conversation.addWords(text);
    yield { type: 'user-message', text, id };
    return undefined;
  }
  try {
    const { events, refusal, contexts } = await hooks.submitted(text, signal);
    if (refusal !== undefined) {
      yield* events;
      return { stopReason: 'cancelled', message: `The prompt was not sent: ${refusal}` };
    }
    const id = conversation.addWords(text);
    yield { type: 'user-message', text, id };
    if (contexts.length > 0) conversation.addUser(contexts.map((each) => ({ type: 'text', text: each })));
    yield* events;
    return undefined;
  } catch (thrown) {
    if (signal.aborted) return { stopReason: 'cancelled' };
    throw thrown;
  }
}

/** The end, or undefined where hooks have something left to do. */
export async function* unlessHooksGoOn(
  end: Stop,
  { conversation, hooks }: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  if (hooks === undefined) return end;
  try {
    const { events, refusal, contexts } = await hooks.stopping(progress.text, progress.goingsOn, signal);
    yield* events;
    if (refusal === undefined) return end;
    progress.goingsOn += 1;
    conversation.addNote([`A hook of the user does not let you stop yet: ${refusal}`, ...contexts].join('\n'));
    return undefined;
  } catch (thrown) {
    if (signal.aborted) return { stopReason: 'cancelled' };
    throw thrown;
  }
}

/** A hook that wants no more done. */
export function stopOfHook({ name, reason = 'it says so' }: HookRunEvent): Stop {
  return { stopReason: 'cancelled', message: `Stopped by the hook ${JSON.stringify(name)}: ${reason}` };
}
