import type { AnswerDecoder } from './answer-stream.js';
import { createFinishMark } from './finish-mark.js';
import { OWN_ID_PREFIX } from './gemini-request.js';
import type { ModelEvent, TokenUsage } from './model.js';
import { markSignature } from './signatures.js';
import { asArray, asCount, asObject, asText, at } from './wire-json.js';

/** Chunks of streamGenerateContent to events. Calls come whole, and mostly without an id. */
export function createGeminiDecoder(fromWire: (name: string) => string): AnswerDecoder {
  let callCount = 0;
  let usage: TokenUsage | undefined;
  const finish = createFinishMark();

  const callEvent = (call: unknown, signature: string | undefined): ModelEvent => {
    callCount += 1;
    return {
      type: 'tool-call-delta',
      index: callCount - 1,
      id: asText(at(call, 'id')) ?? `${OWN_ID_PREFIX}${crypto.randomUUID().replaceAll('-', '')}`,
      name: fromWire(asText(at(call, 'name')) ?? ''),
      argumentsText: JSON.stringify(asObject(at(call, 'args')) ?? {}),
      ...(signature === undefined ? {} : { signature: markSignature('gemini', signature) }),
    };
  };

  const partEvents = (part: unknown): readonly ModelEvent[] => {
    const signature = asText(at(part, 'thoughtSignature'));
    const call = asObject(at(part, 'functionCall'));
    if (call !== undefined) return [callEvent(call, signature)];
    const text = asText(at(part, 'text')) ?? '';
    if (at(part, 'thought') === true) {
      if (signature !== undefined)
        return [{ type: 'thinking-delta', text, signature: markSignature('gemini', signature) }];
      return text === '' ? [] : [{ type: 'thinking-delta', text }];
    }
    return [
      ...(text === '' ? [] : [{ type: 'text-delta', text } as const]),
      // Text has no place for a signature: it travels as thinking without words.
      ...(signature === undefined
        ? []
        : [{ type: 'thinking-delta', text: '', signature: markSignature('gemini-text', signature) } as const]),
    ];
  };

  return {
    get phase() {
      return finish.phase;
    },
    push: (payload) => {
      usage = usageOf(payload['usageMetadata']) ?? usage;
      const candidate = at(payload, 'candidates', 0);
      finish.note(at(candidate, 'finishReason'));
      // A refused prompt gets no candidate at all.
      if (finish.phase === 'open' && asText(at(payload, 'promptFeedback', 'blockReason')) !== undefined)
        finish.note('PROHIBITED_CONTENT');
      return asArray(at(candidate, 'content', 'parts')).flatMap(partEvents);
    },
    end: () => [
      ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
      { type: 'finish', reason: finish.reason(callCount > 0) },
    ],
  };
}

function usageOf(value: unknown): TokenUsage | undefined {
  const inputTokens = asCount(at(value, 'promptTokenCount'));
  if (inputTokens === undefined) return undefined;
  const cached = asCount(at(value, 'cachedContentTokenCount'));
  return {
    inputTokens,
    outputTokens: (asCount(at(value, 'candidatesTokenCount')) ?? 0) + (asCount(at(value, 'thoughtsTokenCount')) ?? 0),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
  };
}
