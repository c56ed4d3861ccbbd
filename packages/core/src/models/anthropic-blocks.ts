import type { ModelEvent } from './model.js';
import { markSignature } from './signatures.js';
import { asObject, asText, at } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** A content block that was started and not stopped. */
interface OpenBlock {
  /** Position among the calls of the answer; undefined when it is no call. */
  readonly callIndex: number | undefined;
  /** Whole arguments given at the start, used when no pieces follow. */
  readonly input: WireObject | undefined;
  hasPieces: boolean;
  signature: string;
}

/** The content blocks of one Messages stream: what each piece of a block means. */
export interface AnthropicBlocks {
  start(index: unknown, content: unknown): readonly ModelEvent[];
  continue(index: unknown, delta: unknown): readonly ModelEvent[];
  stop(index: unknown): readonly ModelEvent[];
  /** Calls so far. */
  callCount(): number;
}

export function createAnthropicBlocks(fromWire: (name: string) => string): AnthropicBlocks {
  const blocks = new Map<unknown, OpenBlock>();
  let callCount = 0;

  const start = (index: unknown, content: unknown): readonly ModelEvent[] => {
    const type = at(content, 'type');
    const isCall = type === 'tool_use';
    blocks.set(index, {
      callIndex: isCall ? callCount : undefined,
      input: isCall ? asObject(at(content, 'input')) : undefined,
      hasPieces: false,
      signature: asText(at(content, 'signature')) ?? '',
    });
    if (type === 'text') return textEvent(at(content, 'text'));
    if (type === 'thinking') return thinkingEvent(at(content, 'thinking'));
    if (type === 'redacted_thinking') {
      const data = asText(at(content, 'data'));
      if (data === undefined) return [];
      return [{ type: 'thinking-delta', text: '', signature: markSignature('anthropic-redacted', data) }];
    }
    if (!isCall) return [];
    callCount += 1;
    const id = asText(at(content, 'id')) ?? `toolu_${crypto.randomUUID().replaceAll('-', '')}`;
    return [{ type: 'tool-call-delta', index: callCount - 1, id, name: fromWire(asText(at(content, 'name')) ?? '') }];
  };

  const continueBlock = (index: unknown, delta: unknown): readonly ModelEvent[] => {
    const block = blocks.get(index);
    switch (at(delta, 'type')) {
      case 'text_delta':
        return textEvent(at(delta, 'text'));
      case 'thinking_delta':
        return thinkingEvent(at(delta, 'thinking'));
      case 'signature_delta':
        // Kept until the block stops: a signature ends its thinking, and it may come in pieces.
        if (block !== undefined) block.signature += asText(at(delta, 'signature')) ?? '';
        return [];
      case 'input_json_delta': {
        const argumentsText = asText(at(delta, 'partial_json'));
        if (block?.callIndex === undefined || argumentsText === undefined) return [];
        block.hasPieces = true;
        return [{ type: 'tool-call-delta', index: block.callIndex, argumentsText }];
      }
      default:
        return [];
    }
  };

  const stop = (index: unknown): readonly ModelEvent[] => {
    const block = blocks.get(index);
    blocks.delete(index);
    if (block === undefined) return [];
    if (block.signature !== '') {
      return [{ type: 'thinking-delta', text: '', signature: markSignature('anthropic', block.signature) }];
    }
    if (block.callIndex === undefined || block.hasPieces) return [];
    return [{ type: 'tool-call-delta', index: block.callIndex, argumentsText: JSON.stringify(block.input ?? {}) }];
  };

  return { start, continue: continueBlock, stop, callCount: () => callCount };
}

function textEvent(value: unknown): readonly ModelEvent[] {
  const text = asText(value);
  return text === undefined ? [] : [{ type: 'text-delta', text }];
}

function thinkingEvent(value: unknown): readonly ModelEvent[] {
  const text = asText(value);
  return text === undefined ? [] : [{ type: 'thinking-delta', text }];
}
