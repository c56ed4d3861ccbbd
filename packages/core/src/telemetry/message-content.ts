import type { FinishReason, Message } from '../models/model.js';
import { FINISHES } from './attributes.js';

type AnswerContent = Extract<Message, { role: 'assistant' }>['content'];

/** A message as OpenTelemetry's conventions for generative AI have it. */
export interface ToldMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly object[];
  readonly finish_reason?: string;
}

export function toldWords(text: string): ToldMessage {
  return { role: 'user', parts: [{ type: 'text', content: text }] };
}

/** What a run came to. */
export function toldResult(text: string, stopReason: string): ToldMessage {
  const finish = stopReason === 'completed' ? 'stop' : stopReason;
  return { role: 'assistant', parts: [{ type: 'text', content: text }], finish_reason: finish };
}

/** One answer of a model. Signatures are its provider's own business. */
export function toldAnswer(content: AnswerContent, finish: FinishReason): ToldMessage {
  return { role: 'assistant', parts: content.map(partOf), finish_reason: FINISHES[finish] };
}

function partOf(block: AnswerContent[number]): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', content: block.text };
    case 'thinking':
      return { type: 'reasoning', content: block.text };
    case 'tool-call':
      return { type: 'tool_call', id: block.id, name: block.name, arguments: argumentsOf(block.argumentsText) };
    default:
      return block satisfies never;
  }
}

/** As they came where they are no JSON. */
function argumentsOf(text: string): unknown {
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
