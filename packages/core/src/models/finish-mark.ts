import type { AnswerPhase } from './server-events.js';
import type { FinishReason } from './model.js';
import { asText } from './wire-json.js';

/** The finish reasons of servers of all families, in lower case with `_`. */
const WORDS: Readonly<Record<Exclude<FinishReason, 'nothing-more'>, string>> = {
  stop: 'stop eos eos_token stop_sequence stop_token end_turn complete completed',
  'tool-calls': 'tool_calls tool_call tool_use function_call',
  length:
    'length max_tokens model_length max_output_tokens max_completion_tokens max_length token_limit context_length model_context_window_exceeded',
  'content-filter':
    'content_filter content_filtered guardrail_intervened refusal sensitive safety recitation blocklist prohibited_content spii language model_armor image_safety image_recitation image_prohibited_content image_other',
  failed:
    'error failed abort aborted timeout network_error internal_error insufficient_system_resource malformed_function_call malformed_tool_use malformed_model_output malformed_response unexpected_tool_call too_many_tool_calls missing_thought_signature no_image unload',
  pause: 'pause_turn',
  other: 'other',
};

const REASONS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(WORDS).flatMap(([reason, words]) =>
    words.split(' ').map((word) => [word, reason as FinishReason] as const),
  ),
);

/** The finish reason that the chunks of one answer have given so far. */
export interface FinishMark {
  /** Takes the finish reason of a chunk. An empty or missing one is ignored. */
  note(word: unknown): void;
  readonly phase: AnswerPhase;
  reason(hasCalls: boolean): FinishReason;
}

export function createFinishMark(): FinishMark {
  let phase: AnswerPhase = 'open';
  let reason: FinishReason | undefined;
  return {
    note: (word) => {
      const text = asText(word);
      if (text === undefined) return;
      reason = REASONS.get(text.toLowerCase().replaceAll('-', '_')) ?? reason;
      phase = reason === undefined ? 'uncertain' : 'finished';
    },
    get phase() {
      return phase;
    },
    reason: (hasCalls) => {
      const known = reason ?? (phase === 'uncertain' ? 'other' : 'stop');
      // Several servers give "stop" although they made calls.
      return known === 'stop' && hasCalls ? 'tool-calls' : known;
    },
  };
}
