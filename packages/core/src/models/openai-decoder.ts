import type { AnswerDecoder } from './answer-stream.js';
import type { FinishReason, ModelEvent, TokenUsage } from './model.js';
import { createToolCallAssembler } from './openai-tool-calls.js';
import { REASONING_FIELDS } from './openai-request.js';
import { markSignature } from './signatures.js';
import { asArray, asCount, asObject, asText, at } from './wire-json.js';
import type { WireObject } from './wire-json.js';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
]);

/** Chat-completions chunks to events; a whole completion (`message` instead of `delta`) is one chunk. */
export function createOpenAiDecoder(fromWire: (name: string) => string): AnswerDecoder {
  const calls = createToolCallAssembler(fromWire);
  let reasoningField: string | undefined;
  let usage: TokenUsage | undefined;
  let finish: unknown;

  const thinking = (delta: unknown): readonly ModelEvent[] => {
    const field = REASONING_FIELDS.find((name) => asText(at(delta, name)) !== undefined);
    if (field === undefined) return [];
    reasoningField = field;
    return [{ type: 'thinking-delta', text: asText(at(delta, field)) ?? '' }];
  };

  /** Ends the thinking: says once in which field it came. */
  const sealThinking = (): readonly ModelEvent[] => {
    if (reasoningField === undefined) return [];
    const signature = markSignature('openai', reasoningField);
    reasoningField = undefined;
    return [{ type: 'thinking-delta', text: '', signature }];
  };

  return {
    get phase() {
      return finish === undefined ? 'open' : 'finished';
    },
    push: (payload) => {
      // Usage comes in a chunk of its own after the last choice, or grows with every chunk.
      usage = usageOf(payload['usage']) ?? usage;
      const choice = at(payload, 'choices', 0);
      const delta = asObject(at(choice, 'delta')) ?? at(choice, 'message');
      const said = [...contentEvents(at(delta, 'content')), ...textEvent(at(delta, 'refusal'))];
      const called = asArray(at(delta, 'tool_calls')).flatMap((piece) => calls.push(piece));
      finish = at(choice, 'finish_reason') ?? finish;
      const reasoned = thinking(delta);
      return said.length + called.length === 0 ? reasoned : [...reasoned, ...sealThinking(), ...said, ...called];
    },
    end: () => {
      const reason = FINISH_REASONS.get(finish ?? 'stop') ?? 'other';
      return [
        ...sealThinking(),
        ...calls.end(),
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
        // Several servers say "stop" although they ask for calls.
        { type: 'finish', reason: reason === 'stop' && calls.count() > 0 ? 'tool-calls' : reason },
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
