import { addedUsage } from '../models/added-usage.js';
import { ModelError } from '../models/model-error.js';
import type { TokenUsage } from '../models/model.js';
import { errorMessage } from '../util/failure.js';
import { askModel, MAX_EMPTY } from './ask-model.js';
import { wordsOf, type Answer } from './assemble-answer.js';
import type { RequestParts } from './context-keeper.js';
import type { AgentEvent } from './events.js';
import type { LoopServices, Progress, Stop } from './loop-types.js';

/** The model's answer, put into the conversation; a stop when there is none. An interrupted answer keeps its words. */
export async function* listen(
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Answer | Stop> {
  const { conversation, context } = services;
  yield* progress.denials.noted(services.jobs?.takeEvents() ?? []);
  const note = services.jobs?.takeNote();
  if (note !== undefined) conversation.addNote(note);
  yield* takeSteering(services);
  const parts: RequestParts = { system: services.system(), tools: services.tools() };
  try {
    if (context !== undefined) yield* counted(context.beforeRequest(parts, signal), services, progress);
    for (let attempt = 1; ; attempt++) {
      const heard = yield* listenOnce(parts, services, progress, signal);
      if (!(heard instanceof ModelError)) return heard;
      const refused =
        heard.info.kind === 'context-length'
          ? context?.afterRefusal(parts, { error: heard, attempt }, signal)
          : undefined;
      if (refused === undefined || !(yield* counted(refused, services, progress))) throw heard;
    }
  } catch (thrown) {
    if (signal.aborted) return { stopReason: 'cancelled' };
    if (thrown instanceof ModelError)
      return thrown.info.kind === 'empty-answer'
        ? noAnswer(thrown)
        : { stopReason: 'model-error', message: thrown.message };
    return { stopReason: 'model-error', message: `The model adapter failed: ${errorMessage(thrown)}` };
  }
}

function noAnswer({ message }: ModelError): Stop {
  const tries = `It was asked ${MAX_EMPTY + 1} times.`;
  return { stopReason: 'empty-answer', message: `${message} ${tries} Try again, or with another model.` };
}

/** Puts what the user has said meanwhile into the conversation. Its last value: whether there was anything. */
export function* takeSteering({ conversation, takeSteering: take }: LoopServices): Generator<AgentEvent, boolean> {
  const said = take?.() ?? [];
  for (const text of said) yield { type: 'user-message', text, id: conversation.addWords(text), isSteering: true };
  return said.length > 0;
}

/** One request, as long as its answer takes. A refusal before the first word is given back. */
async function* listenOnce(
  parts: RequestParts,
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Answer | ModelError> {
  const { conversation, context, model } = services;
  const request = { ...parts, messages: conversation.messages };
  const size = context?.sending(parts) ?? 0;
  let readPartial: (() => Answer) | undefined;
  let settled = false;
  const keepWords = (): void => {
    if (!settled) conversation.addPartial(readPartial?.().content ?? []);
    settled = true;
  };
  try {
    const onStart = (read: () => Answer): void => void (readPartial = read);
    const onAnswer = ({ content }: Answer): void => {
      settled = true;
      conversation.addAssistant(content);
    };
    const count = (answer: Answer): void => {
      addUsage(progress, answer.usage);
      progress.cost.add(answer.usage ?? estimated(services, size, answer), services.prices);
    };
    const takenIds = conversation.callIds();
    const answer = yield* askModel({ model, request, takenIds, signal, onStart, onAnswer, onVoid: count });
    progress.text = wordsOf(answer);
    count(answer);
    const usage = answer.usage === undefined ? {} : { usage: answer.usage };
    yield { type: 'assistant-message', content: answer.content, finish: answer.finish ?? 'other', ...usage };
    return answer;
  } catch (thrown) {
    const isSilent = readPartial === undefined || readPartial().content.length === 0;
    if (!settled && isSilent && !signal.aborted && thrown instanceof ModelError) return thrown;
    throw thrown;
  } finally {
    keepWords();
  }
}

/** Passes on what is done about the window; what it used counts too. */
async function* counted<T>(
  events: AsyncGenerator<AgentEvent, T>,
  services: LoopServices,
  progress: Progress,
): AsyncGenerator<AgentEvent, T> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return value;
    if (value.type === 'compaction' && value.usage !== undefined) {
      addUsage(progress, value.usage);
      progress.cost.add(value.usage, services.prices);
    }
    yield value;
  }
}

/** For servers that do not count. */
function estimated({ context }: LoopServices, inputTokens: number, { content }: Answer): TokenUsage {
  return { inputTokens, outputTokens: context?.answerSize({ role: 'assistant', content }) ?? 0 };
}

function addUsage(progress: Progress, usage: TokenUsage | undefined): void {
  if (usage !== undefined) progress.usage = addedUsage(progress.usage, usage);
}
