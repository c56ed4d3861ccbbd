import type { ToolCallBlock } from '../models/model.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { Answer } from './assemble-answer.js';
import { toResult } from './call-result.js';
import type { AgentEvent } from './events.js';
import type { LoopGuard } from './loop-guard.js';
import type { LoopServices, Progress, Stop } from './loop-types.js';
import { stopOfHook } from './prompt-hooks.js';

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** Runs the calls of one answer and puts a result for each into the conversation, whatever happens. */
export async function* runBatch(
  { content, finish }: Answer,
  services: LoopServices,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Stop | undefined> {
  const calls = content.filter((block) => block.type === 'tool-call');
  // Blocks come one after the other: where the answer was cut off, that was in the last.
  const cut = finish === 'length' ? content.at(-1) : undefined;
  const left = Math.max(0, services.maxToolCalls - progress.toolCalls);
  const allowed = calls.slice(0, left);
  const ends = new Map<string, CallEnd>();
  const started = new Set<string>();
  let stopped: Stop | undefined;
  try {
    for await (const event of services.runCalls(
      allowed.map((call) => toRequest(call, call === cut)),
      signal,
    )) {
      // Before the event goes out: the reader may stop right there.
      if (event.type === 'tool-call-start') started.add(event.callId);
      if (event.type === 'tool-call-end') ends.set(event.callId, event);
      if (event.type === 'hook-run' && event.stops === true) stopped ??= stopOfHook(event);
      progress.denials.note(event);
      yield event;
    }
  } finally {
    const results = new Map([...ends].map(([id, end]) => [id, toResult(end)]));
    services.conversation.addResults(results, started);
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

function toRequest({ id, name, argumentsText }: ToolCallBlock, isCut: boolean): CallRequest {
  return { callId: id, toolName: name, argumentsText, ...(isCut && { isCut }) };
}
