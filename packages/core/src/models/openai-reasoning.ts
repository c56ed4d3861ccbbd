import type { ModelEvent, TextBlock, ThinkingBlock, ToolCallBlock } from './model.js';
import { markSignature, ownSignature } from './signatures.js';
import { asArray, asObject, asText, at, parseJson } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** The fields in which servers stream a model's reasoning. It is sent back in the same field. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Reads the reasoning of one answer. Its signature names the field; OpenRouter's details are a signature of their own. */
export interface ReasoningReader {
  push(delta: unknown): readonly ModelEvent[];
  /** Ends the reasoning so far, because other content follows. */
  seal(): readonly ModelEvent[];
  end(): readonly ModelEvent[];
}

export function createReasoningReader(): ReasoningReader {
  const details: WireObject[] = [];
  let field: string | undefined;
  let isOpen = false;
  let isSealed = false;

  const seal = (): readonly ModelEvent[] => {
    if (!isOpen || field === undefined) return [];
    isOpen = false;
    isSealed = true;
    return [{ type: 'thinking-delta', text: '', signature: markSignature('openai', field) }];
  };

  return {
    push: (delta) => {
      const pieces = asArray(at(delta, 'reasoning_details'))
        .map(asObject)
        .filter((piece) => piece !== undefined);
      for (const piece of pieces) addDetail(details, piece);
      const named = REASONING_FIELDS.filter((name) => typeof at(delta, name) === 'string');
      const full = named.find((name) => at(delta, name) !== '');
      field = full ?? field ?? named[0];
      const text = full === undefined ? pieces.map(wordsOf).join('') : (asText(at(delta, full)) ?? '');
      if (text === '') return [];
      isOpen = true;
      return [{ type: 'thinking-delta', text }];
    },
    seal,
    end: () => {
      // An empty reasoning is sent back too: some servers refuse an answer that lost its field.
      isOpen ||= !isSealed;
      const ended = seal();
      if (details.length === 0) return ended;
      const signature = markSignature('openai-details', JSON.stringify(details));
      return [...ended, { type: 'thinking-delta', text: '', signature }];
    },
  };
}

function wordsOf(detail: WireObject): string {
  return asText(detail['text']) ?? asText(detail['summary']) ?? '';
}

/** Adds a piece to the detail with its index; encrypted details come whole. */
function addDetail(details: WireObject[], piece: WireObject): void {
  const last = details.at(-1);
  const isMore =
    last !== undefined &&
    last['type'] === piece['type'] &&
    last['index'] === piece['index'] &&
    !('data' in piece) &&
    !('data' in last);
  if (!isMore) {
    details.push(piece);
    return;
  }
  const said = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null && value !== undefined));
  const joined = ['text', 'summary'].flatMap((name) =>
    name in piece || name in last ? [[name, `${asText(last[name]) ?? ''}${asText(piece[name]) ?? ''}`] as const] : [],
  );
  details[details.length - 1] = { ...last, ...said, ...Object.fromEntries(joined) };
}

type AnswerContent = readonly (TextBlock | ThinkingBlock | ToolCallBlock)[];

/** Returns the fields of an assistant message that send its reasoning back unchanged. */
export function reasoningFields(content: AnswerContent): WireObject {
  const fields: Record<string, unknown> = {};
  for (const block of content) {
    if (block.type !== 'thinking') continue;
    const name = REASONING_FIELDS.find((field) => field === ownSignature('openai', block.signature));
    if (name !== undefined) fields[name] = `${asText(fields[name]) ?? ''}${block.text}`;
    const details = parseJson(ownSignature('openai-details', block.signature) ?? '');
    if (details !== undefined) fields['reasoning_details'] = details;
  }
  return fields;
}

/**
 * Adds `reasoning_content` to every answer if one has it: DeepSeek and Kimi refuse a conversation in which only some answers have
 * reasoning. `blank`: the text for answers without reasoning.
 */
export function withReasoningEverywhere<T extends WireObject>(messages: readonly T[], blank: string): readonly T[] {
  const [field] = REASONING_FIELDS;
  if (!messages.some((message) => field in message)) return messages;
  return messages.map((message) =>
    message['role'] === 'assistant' && (asText(message[field]) ?? '') === '' ? { ...message, [field]: blank } : message,
  );
}
