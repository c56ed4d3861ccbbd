import type { Answer } from './assemble-answer.js';
import { Denials } from './denials.js';
import type { AgentEvent } from './events.js';
import { listen, takeSteering } from './listen.js';
import { LoopGuard } from './loop-guard.js';
import type { LoopServices, Progress, Prompt, Stop } from './loop-types.js';
import { submitWords, unlessHooksGoOn } from './prompt-hooks.js';
import { CostMeter, PromptTime } from './prompt-limits.js';
import { runBatch } from './run-batch.js';
import { unlessAgentsWork } from './wait-for-agents.js';

/**
 * Runs one prompt, from the user's words to the model's last: asks the model, runs its calls, reports the results, repeats. However it
 * stops (also when the reader stops reading), the conversation can be continued. `until`: the prompt's time, if that began earlier.
 */
export function runPrompt(
  prompt: Prompt,
  services: LoopServices,
  until: AbortSignal | PromptTime,
): AsyncGenerator<AgentEvent> {
  const time = until instanceof PromptTime ? until : new PromptTime(services.maxSeconds, until);
  return time.spentOn(work(prompt, services, time.signal));
}

async function* work(prompt: Prompt, services: LoopServices, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const progress: Progress = {
    turns: 0,
    toolCalls: 0,
    text: '',
    usage: { inputTokens: 0, outputTokens: 0 },
    denials: new Denials(),
    guard: new LoopGuard(),
    cost: services.cost ?? new CostMeter(),
    goingsOn: 0,
  };
  const { text, attach } = prompt;
  let stop: Stop | undefined = yield* submitWords(text, services, signal);
  if (stop === undefined && attach !== undefined) services.conversation.addUser(yield* attach(signal));
  while (stop === undefined) {
    const end: Stop | undefined = yield* takeTurn(services, progress, signal);
    stop = end?.stopReason === 'completed' ? yield* unlessHooksGoOn(end, services, progress, signal) : end;
    if (prompt.endsJobs === true && stop !== undefined) stop = await unlessAgentsWork(stop, services, signal);
  }
  const { jobs } = services;
  yield* progress.denials.noted((prompt.endsJobs === true ? await jobs?.endAll() : jobs?.takeEvents()) ?? []);
  const { turns, toolCalls, usage } = progress;
  yield { type: 'prompt-end', ...stop, text: progress.text, turns, toolCalls, denials: progress.denials.list(), usage };
}

async function* takeTurn(
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  if (signal.aborted) return { stopReason: 'cancelled' };
  const spent = usedUp(services, progress);
  if (spent !== undefined) return spent;
  const turn = ++progress.turns;
  yield { type: 'turn-start', turn };
  const answered = yield* listen(services, progress, signal);
  if ('stopReason' in answered) return answered;
  if (!answered.content.some((block) => block.type === 'tool-call')) {
    yield { type: 'turn-end', turn };
    // The user spoke while it was finishing: that is answered too.
    const goesOn = (yield* takeSteering(services)) || answered.finish === 'pause';
    return goesOn ? undefined : endOfWords(answered);
  }
  const stop = yield* runBatch(answered, services, progress, signal);
  yield { type: 'turn-end', turn };
  return signal.aborted ? { stopReason: 'cancelled' } : stop;
}

/** Why the model is not asked once more. */
function usedUp({ maxTurns, maxCost, prices }: LoopServices, { turns, cost }: Progress): Stop | undefined {
  if (turns >= maxTurns)
    return { stopReason: 'max-turns', message: `Stopped after ${turns} turns, the limit for one prompt.` };
  if (maxCost === undefined) return undefined;
  if (prices === undefined || cost.cost === undefined) {
    const message = 'The limit of the cost of a prompt needs the prices of this model: give the setting model.prices.';
    return { stopReason: 'max-cost', message };
  }
  if (cost.cost < maxCost) return undefined;
  const spent = cost.cost.toFixed(4).replace(/0{1,2}$/, '');
  return { stopReason: 'max-cost', message: `Stopped at a cost of ${spent}: the limit for one prompt is ${maxCost}.` };
}

function endOfWords(answer: Answer): Stop {
  if (answer.finish === 'length') {
    return {
      stopReason: 'completed',
      isCut: true,
      message: 'The answer was cut off at the model\u2019s output limit. Ask it to continue.',
    };
  }
  if (answer.finish === 'content-filter') {
    return { stopReason: 'completed', message: 'The provider\u2019s content filter ended the answer.' };
  }
  return { stopReason: 'completed' };
}
