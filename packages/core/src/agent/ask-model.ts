import { ModelError } from '../models/model-error.js';
import type { ModelPort, ModelRequest } from '../models/model.js';
import { retryDelay } from '../models/retry.js';
import { sleep } from '../util/abort.js';
import { AnswerAssembly, type Answer } from './assemble-answer.js';
import type { AgentEvent } from './events.js';

export interface Asking {
  readonly model: ModelPort;
  readonly request: ModelRequest;
  /** Ids of calls that are in the conversation already. */
  readonly takenIds: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Given once, at the start, what reads the answer as far as it has come, so that an interruption loses nothing. */
  readonly onStart: (readPartial: () => Answer) => void;
  /** Given the whole answer in the same moment in which the ids of its calls are chosen, so that nobody else takes them. */
  readonly onAnswer?: (answer: Answer) => void;
}

/**
 * One answer of the model, with retries. A stream that breaks is asked for again from the start: calls whose
 * arguments did not arrive whole are never run. @throws ModelError after the last attempt, or the signal's reason
 */
export async function* askModel(asking: Asking): AsyncGenerator<AgentEvent, Answer> {
  const { model, request, signal, takenIds } = asking;
  let assembly = new AnswerAssembly();
  asking.onStart(() => assembly.answer(takenIds));
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const event of model.stream(request, signal)) {
        assembly.add(event);
        if (event.type !== 'text-delta' && event.type !== 'thinking-delta') continue;
        if (event.text !== '') yield { type: event.type, text: event.text };
      }
      const answer = assembly.answer(takenIds);
      if (answer.finish !== undefined) {
        asking.onAnswer?.(answer);
        return answer;
      }
      throw new ModelError('The stream ended before the answer was complete.', { kind: 'broken-stream' });
    } catch (thrown) {
      signal.throwIfAborted();
      const delayMs = thrown instanceof ModelError ? retryDelay(attempt, thrown.info, Math.random()) : undefined;
      if (!(thrown instanceof ModelError) || !thrown.retryable || delayMs === undefined) throw thrown;
      // What came so far is void: the next attempt begins anew.
      assembly = new AnswerAssembly();
      yield { type: 'model-retry', attempt, delayMs, reason: thrown.message };
      await sleep(delayMs, signal);
    }
  }
}
