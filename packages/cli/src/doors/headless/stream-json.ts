import type { AgentEvent, Answered } from '@tenon/core';
import type { Output } from '../../output.js';
import type { EventReader } from './event-reader.js';
import { jsonLine } from '../../ui/json-line.js';
import { innermost } from '../../ui/subagent-line.js';

/** What only the headless door tells, beside the agent's events. `schemas/events.schema.json` documents both. */
export type DoorEvent =
  /** What `--json-schema` asked for; comes after the `prompt-end`. */
  | { readonly type: 'answer'; readonly value: unknown }
  | { readonly type: 'answer-missing'; readonly message: string }
  /** A prompt of the input begins: its line, and the name that the program gave it. */
  | { readonly type: 'prompt-start'; readonly line: number; readonly id?: string }
  /** A line of the input did nothing, and why. */
  | { readonly type: 'input-error'; readonly line: number; readonly message: string };

/** What a later event repeats as a whole. */
const PARTIAL: ReadonlySet<AgentEvent['type']> = new Set(['text-delta', 'thinking-delta', 'tool-call-update']);

/** Every event as one line of JSON, as it happens; words and output that are still growing only when they are wanted. */
export function streamJsonReader(out: Output, includePartial: boolean): EventReader {
  return {
    async onEvent(event) {
      if (includePartial || !PARTIAL.has(innermost(event).type)) await out.writeData(jsonLine(event));
    },
    async onDone(_exitCode, answer) {
      if (answer !== undefined) await out.writeData(jsonLine(answerEvent(answer)));
    },
  };
}

function answerEvent(answer: Answered<unknown>): DoorEvent {
  return answer.isValid ? { type: 'answer', value: answer.value } : { type: 'answer-missing', message: answer.problem };
}
