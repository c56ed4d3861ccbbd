import { ModelError } from '../models/model-error.js';
import type { ModelPort, ModelRequest } from '../models/model.js';
import { retryDelay } from '../models/retry.js';
import { sleep } from '../util/abort.js';
import { AnswerAssembly, type Answer } from './assemble-answer.js';
import type { AgentEvent } from './events.js';

/** The most retries after an answer without words or calls. A server that sends it three times sends it again. */
export const MAX_EMPTY = 2;

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
  /** Gets a complete answer that does not count and is requested again, because it still has a cost. */
  readonly onVoid?: (answer: Answer) => void;
}

/**
 * Asks the model for one answer, with retries. A stream that breaks is requested again from the start: calls whose arguments did not arrive
 * whole are never run. An answer without words or calls is requested again too, twice at most.
 * @throws ModelError after the last attempt, or the signal's reason
 */
export async function* askModel(asking: Asking): AsyncGenerator<AgentEvent, Answer> {
  const { model, request, signal, takenIds } = asking;
  let assembly = new AnswerAssembly();
  asking.onStart(() => assembly.answer(takenIds));
  let empty = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const event of model.stream(request, signal)) {
        assembly.add(event);
        if (event.type !== 'text-delta' && event.type !== 'thinking-delta') continue;
        if (event.text !== '') yield { type: event.type, text: event.text };
      }
      const answer = assembly.answer(takenIds);
      if (answer.finish === undefined)
        throw new ModelError('The stream ended before the answer was complete.', { kind: 'broken-stream' });
      const fault = emptyAnswer(answer);
      if (fault === undefined) {
        asking.onAnswer?.(answer);
        return answer;
      }
      asking.onVoid?.(answer);
      empty += 1;
      throw new ModelError(fault, { kind: 'empty-answer', mostRetries: MAX_EMPTY });
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof ModelError) || !thrown.retryable) throw thrown;
      const tries = thrown.info.kind === 'empty-answer' ? empty : attempt;
      const delayMs = retryDelay(tries, thrown.info, Math.random());
      if (delayMs === undefined) throw thrown;
      // What came so far is void: the next attempt begins anew.
      assembly = new AnswerAssembly();
      yield { type: 'model-retry', attempt, delayMs, reason: thrown.message };
      await sleep(delayMs, signal);
    }
  }
}

/** Returns why an answer is empty; undefined if it is not. An answer that was cut at its limit is not empty: it is reported as cut. */
function emptyAnswer({ content, finish }: Answer): string | undefined {
  if (finish === 'failed') return 'The model server gave up on the answer, or could not read the call in it.';
  if (finish === 'length' || finish === 'nothing-more') return undefined;
  const isSomething = content.some(
    (block) => block.type === 'tool-call' || (block.type === 'text' && block.text.trim() !== ''),
  );
  if (isSomething) return undefined;
  if (finish === 'content-filter') return "The model server's content filter removed the whole answer.";
  const hasThought = content.some((block) => block.type === 'thinking' && block.text.trim() !== '');
  return hasThought ? 'The model thought but gave no answer.' : 'The model gave an empty answer.';
}
