import type { AnswerDecoder } from './answer-stream.js';
import { createFinishMark } from './finish-mark.js';
import type { ModelEvent, TokenUsage } from './model.js';
import { createReasoningReader } from './openai-reasoning.js';
import { createToolCallAssembler } from './openai-tool-calls.js';
import { asArray, asCount, asObject, asText, at } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** Chat-completions chunks to events; a whole completion (`message` instead of `delta`) is one chunk. */
export function createOpenAiDecoder(fromWire: (name: string) => string): AnswerDecoder {
  const calls = createToolCallAssembler(fromWire);
  const reasoning = createReasoningReader();
  const finish = createFinishMark();
  let usage: TokenUsage | undefined;

  return {
    get phase() {
      return finish.phase;
    },
    get isCalling() {
      return calls.count() > 0;
    },
    push: (payload) => {
      // Usage comes in a chunk of its own after the last choice, or grows with every chunk.
      usage = usageOf(payload['usage']) ?? usage;
      const choice = at(payload, 'choices', 0);
      const delta = asObject(at(choice, 'delta')) ?? at(choice, 'message');
      finish.note(at(choice, 'finish_reason'));
      for (const piece of asArray(at(delta, 'tool_calls'))) calls.push(piece);
      // Some servers still send this form, from before `tool_calls`.
      const called = asObject(at(delta, 'function_call'));
      if (called !== undefined) calls.push({ index: 0, function: called });
      const said = [...contentEvents(at(delta, 'content')), ...textEvent(at(delta, 'refusal'))];
      const reasoned = reasoning.push(delta);
      return said.length === 0 ? reasoned : [...reasoned, ...reasoning.seal(), ...said];
    },
    end: () => {
      const whole = calls.whole();
      return [
        ...reasoning.end(),
        ...whole,
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
        { type: 'finish', reason: finish.reason(whole.length > 0) },
      ];
    },
  };
}

function textEvent(value: unknown): ModelEvent[] {
  const text = asText(value);
  return text === undefined ? [] : [{ type: 'text-delta', text }];
}

/** Content is text; Mistral also sends a list of parts. */
function contentEvents(content: unknown): readonly ModelEvent[] {
  if (typeof content === 'string') return textEvent(content);
  return asArray(content).flatMap((part): ModelEvent[] => {
    if (at(part, 'type') !== 'thinking') return textEvent(at(part, 'text'));
    const text = asArray(at(part, 'thinking'))
      .map((piece) => asText(at(piece, 'text')) ?? '')
      .join('');
    return text === '' ? [] : [{ type: 'thinking-delta', text }];
  });
}

function usageOf(value: unknown): TokenUsage | undefined {
  const wire: WireObject | undefined = asObject(value);
  const inputTokens = asCount(wire?.['prompt_tokens']);
  const outputTokens = asCount(wire?.['completion_tokens']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cached =
    asCount(at(wire, 'prompt_tokens_details', 'cached_tokens')) ?? asCount(wire?.['prompt_cache_hit_tokens']);
  // Model Studio's name, and OpenRouter's.
  const written =
    asCount(at(wire, 'prompt_tokens_details', 'cache_creation_input_tokens')) ??
    asCount(at(wire, 'prompt_tokens_details', 'cache_write_tokens'));
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: (outputTokens ?? 0) + hiddenReasoning(wire),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  };
}

/** Tokens of reasoning that some vendors leave out of the answer's count: only the sum of all tells. */
function hiddenReasoning(wire: WireObject | undefined): number {
  const reasoning = asCount(at(wire, 'completion_tokens_details', 'reasoning_tokens')) ?? 0;
  const [input, output, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    asCount(wire?.[name]),
  );
  if (input === undefined || output === undefined || total === undefined) return 0;
  return total === input + output + reasoning ? reasoning : 0;
}
