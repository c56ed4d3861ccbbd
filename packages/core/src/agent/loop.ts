import type { HookRunEvent } from '../hooks/hook-types.js';
import type { SessionHooks, SessionWord } from '../hooks/session-hooks.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import { ModelError } from '../models/model-error.js';
import type {
  MediaBlock,
  ModelPort,
  ModelTool,
  TextBlock,
  TokenUsage,
  ToolCallBlock,
  ToolResultBlock,
} from '../models/model.js';
import type { Part } from '../tools/tool-result.js';
import { errorMessage } from '../util/failure.js';
import { askModel } from './ask-model.js';
import type { Answer } from './assemble-answer.js';
import type { Conversation } from './conversation.js';
import type { AgentEvent, Denial, JobEvent, StopReason } from './events.js';
import { LoopGuard } from './loop-guard.js';

/** What the loop needs; it knows no tool, no provider and no door. */
export interface LoopServices {
  readonly model: ModelPort;
  readonly conversation: Conversation;
  /** Asked before every request: the mode may have changed. */
  readonly system: () => string;
  readonly tools: () => readonly ModelTool[];
  readonly runCalls: (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  /** What happens beside the calls. Absent: nothing does. */
  readonly jobs?: BesideTheCalls;
  /** Absent where none are configured. */
  readonly hooks?: SessionHooks;
}

/** News of what runs in the background; each is told once. */
export interface BesideTheCalls {
  readonly takeEvents: () => readonly AgentEvent[];
  /** For the model; undefined for no news. */
  readonly takeNote: () => string | undefined;
  /** Ends all of it. */
  readonly endAll: () => Promise<readonly JobEvent[]>;
}

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

interface Progress {
  turns: number;
  toolCalls: number;
  text: string;
  usage: TokenUsage;
  readonly denials: Denial[];
  readonly guard: LoopGuard;
  /** How often hooks had it go on. */
  goingsOn: number;
}

interface Stop {
  readonly stopReason: StopReason;
  readonly message?: string;
}

/** What a person says, and what goes with it. */
export interface Prompt {
  readonly text: string;
  /** Gets what the person attached; its events are part of the stream. */
  readonly attach?: (signal: AbortSignal) => AsyncGenerator<AgentEvent, readonly (TextBlock | MediaBlock)[]>;
  /** True: what still runs in the background at the end is ended before `prompt-end`. */
  readonly endsJobs?: boolean;
}

/**
 * One prompt, from the user's words to the model's last: ask the model, run its calls, tell it the results, again.
 * However it stops (also when the reader stops reading), the conversation is one that can be continued.
 */
export async function* runPrompt(
  prompt: Prompt,
  services: LoopServices,
  outer: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const progress: Progress = {
    turns: 0,
    toolCalls: 0,
    text: '',
    usage: { inputTokens: 0, outputTokens: 0 },
    denials: [],
    guard: new LoopGuard(),
    goingsOn: 0,
  };
  const inner = new AbortController();
  const signal = AbortSignal.any([outer, inner.signal]);
  const { text, attach } = prompt;
  try {
    let stop: Stop | undefined = yield* submit(text, services, signal);
    if (stop === undefined && attach !== undefined) services.conversation.addUser(yield* attach(signal));
    while (stop === undefined) {
      const end: Stop | undefined = yield* takeTurn(services, progress, signal);
      stop = end?.stopReason === 'completed' ? yield* unlessHooksGoOn(end, services, progress, signal) : end;
    }
    yield* (prompt.endsJobs === true ? await services.jobs?.endAll() : services.jobs?.takeEvents()) ?? [];
    const { turns, toolCalls, denials, usage } = progress;
    yield { type: 'prompt-end', ...stop, text: progress.text, turns, toolCalls, denials, usage };
  } finally {
    inner.abort(new Error('the reader stopped'));
  }
}

/** Puts the person's words into the conversation; a stop where hooks do not let them. */
async function* submit(
  text: string,
  { conversation, hooks }: LoopServices,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  // At once, where nobody is asked: the reader may stop at the event.
  if (hooks === undefined) conversation.addUser([{ type: 'text', text }]);
  yield { type: 'user-message', text };
  if (hooks === undefined) return undefined;
  let said: SessionWord;
  try {
    said = await hooks.submitted(text, signal);
  } catch (thrown) {
    if (signal.aborted) return { stopReason: 'cancelled' };
    throw thrown;
  }
  const { events, refusal, contexts } = said;
  if (refusal === undefined) conversation.addUser([text, ...contexts].map((each) => ({ type: 'text', text: each })));
  yield* events;
  return refusal === undefined
    ? undefined
    : { stopReason: 'cancelled', message: `The prompt was not sent: ${refusal}` };
}

/** The end, or undefined where hooks have something left to do. */
async function* unlessHooksGoOn(
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

async function* takeTurn(
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  if (signal.aborted) return { stopReason: 'cancelled' };
  if (progress.turns >= services.maxTurns) {
    return { stopReason: 'max-turns', message: `Stopped after ${progress.turns} turns, the limit for one prompt.` };
  }
  const turn = ++progress.turns;
  yield { type: 'turn-start', turn };
  const answered = yield* listen(services, progress, signal);
  if ('stopReason' in answered) return answered;
  const calls = answered.content.filter((block) => block.type === 'tool-call');
  if (calls.length === 0) {
    yield { type: 'turn-end', turn };
    return endOfWords(answered);
  }
  const stop = yield* runBatch(calls, services, progress, signal);
  yield { type: 'turn-end', turn };
  return signal.aborted ? { stopReason: 'cancelled' } : stop;
}

/** The model's answer, put into the conversation; a stop when there is none. An interrupted answer keeps its words. */
async function* listen(
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Answer | Stop> {
  const { conversation, model } = services;
  yield* services.jobs?.takeEvents() ?? [];
  const note = services.jobs?.takeNote();
  if (note !== undefined) conversation.addNote(note);
  const request = { system: services.system(), messages: conversation.messages, tools: services.tools() };
  let readPartial: (() => Answer) | undefined;
  let settled = false;
  const keepWords = (): void => {
    if (!settled) conversation.addAssistant((readPartial?.().content ?? []).filter((block) => block.type === 'text'));
    settled = true;
  };
  try {
    const onStart = (read: () => Answer): void => void (readPartial = read);
    const answer = yield* askModel({ model, request, takenIds: conversation.callIds(), signal, onStart });
    settled = true;
    conversation.addAssistant(answer.content);
    addUsage(progress, answer);
    const usage = answer.usage === undefined ? {} : { usage: answer.usage };
    yield { type: 'assistant-message', content: answer.content, finish: answer.finish ?? 'other', ...usage };
    return answer;
  } catch (thrown) {
    keepWords();
    if (signal.aborted) return { stopReason: 'cancelled' };
    if (thrown instanceof ModelError) return { stopReason: 'model-error', message: thrown.message };
    return { stopReason: 'model-error', message: `The model adapter failed: ${errorMessage(thrown)}` };
  } finally {
    keepWords();
  }
}

function addUsage(progress: Progress, answer: Answer): void {
  progress.text = answer.content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('');
  progress.usage = {
    inputTokens: progress.usage.inputTokens + (answer.usage?.inputTokens ?? 0),
    outputTokens: progress.usage.outputTokens + (answer.usage?.outputTokens ?? 0),
  };
}

function endOfWords(answer: Answer): Stop {
  if (answer.finish === 'length') {
    return {
      stopReason: 'completed',
      message: 'The answer was cut off at the model\u2019s output limit. Ask it to continue.',
    };
  }
  if (answer.finish === 'content-filter') {
    return { stopReason: 'completed', message: 'The provider\u2019s content filter ended the answer.' };
  }
  return { stopReason: 'completed' };
}

/** Runs the calls of one answer and puts a result for each into the conversation, whatever happens. */
async function* runBatch(
  calls: readonly ToolCallBlock[],
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  const left = Math.max(0, services.maxToolCalls - progress.toolCalls);
  const allowed = calls.slice(0, left);
  const ends = new Map<string, CallEnd>();
  let stopped: Stop | undefined;
  try {
    for await (const event of services.runCalls(allowed.map(toRequest), signal)) {
      // Before the event goes out: the reader may stop right there.
      if (event.type === 'tool-call-end') ends.set(event.callId, event);
      if (event.type === 'hook-run' && event.stops === true) stopped ??= stopOf(event);
      noteDenial(event, progress);
      yield event;
    }
  } finally {
    const results = new Map([...ends].map(([id, end]) => [id, toResult(end)]));
    services.conversation.addResults(results, (call) => notRun(call, allowed.includes(call)));
  }
  progress.toolCalls += allowed.length;
  if (allowed.length < calls.length) {
    return {
      stopReason: 'max-tool-calls',
      message: `Stopped after ${progress.toolCalls} tool calls, the limit for one prompt.`,
    };
  }
  return stopped ?? repetition(calls, ends, progress.guard);
}

function stopOf({ name, reason = 'it says so' }: HookRunEvent): Stop {
  return { stopReason: 'cancelled', message: `Stopped by the hook ${JSON.stringify(name)}: ${reason}` };
}

function repetition(
  calls: readonly ToolCallBlock[],
  ends: ReadonlyMap<string, CallEnd>,
  guard: LoopGuard,
): Stop | undefined {
  let reason: string | undefined;
  // The same call several times in one answer counts once: the model has not seen a result between them.
  const once = new Map(calls.map((call) => [JSON.stringify([call.name, call.argumentsText]), call]));
  for (const call of once.values()) {
    const result = JSON.stringify(ends.get(call.id)?.content ?? []);
    reason = guard.add({ toolName: call.name, args: call.argumentsText, result }) ?? reason;
  }
  return reason === undefined ? undefined : { stopReason: 'loop', message: `Stopped: ${reason}.` };
}

/** Collects what did not run for want of an approval; the rules come with the question that was put, or not put. */
function noteDenial(event: CallEvent, progress: Progress): void {
  if (event.type !== 'tool-call-end' || event.status !== 'denied') return;
  progress.denials.push({
    callId: event.callId,
    toolName: event.toolName,
    title: event.title,
    reason: event.verdict?.reason ?? event.error?.message ?? 'denied',
    rules: event.alwaysRules ?? [],
  });
}

function toRequest(call: ToolCallBlock): CallRequest {
  return { callId: call.id, toolName: call.name, argumentsText: call.argumentsText };
}

function toResult(end: CallEnd): ToolResultBlock {
  const content = toBlocks(end.content);
  return { type: 'tool-result', callId: end.callId, name: end.toolName, isError: end.status !== 'success', content };
}

/** A tool's parts as a model's blocks. */
export function toBlocks(parts: readonly Part[]): (TextBlock | MediaBlock)[] {
  return parts.map((part) =>
    'text' in part
      ? { type: 'text', text: part.text }
      : { type: 'media', mimeType: part.inlineData.mimeType, data: part.inlineData.data },
  );
}

function notRun(call: ToolCallBlock, started: boolean): ToolResultBlock {
  const text = started
    ? 'The call was cancelled before it finished.'
    : 'The call did not run: the limit of tool calls for one prompt was reached.';
  return { type: 'tool-result', callId: call.id, name: call.name, isError: true, content: [{ type: 'text', text }] };
}
