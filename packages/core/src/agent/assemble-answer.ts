import type { FinishReason, ModelEvent, TextBlock, ThinkingBlock, TokenUsage, ToolCallBlock } from '../models/model.js';

export type AnswerBlock = TextBlock | ThinkingBlock | ToolCallBlock;

/** A whole answer of the model. */
export interface Answer {
  readonly content: readonly AnswerBlock[];
  /** Undefined while the answer is not complete. */
  readonly finish: FinishReason | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Returns the text of an answer, without thinking and calls. */
export function wordsOf({ content }: Pick<Answer, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

interface OpenCall {
  id: string;
  name: string;
  argumentsText: string;
  signature: string | undefined;
}

/** Puts the deltas of one streamed answer together. Blocks stand in the order in which they began. */
export class AnswerAssembly {
  readonly #blocks: (OpenCall | { type: 'text' | 'thinking'; text: string; signature: string | undefined })[] = [];
  readonly #calls = new Map<number, OpenCall>();
  #finish: FinishReason | undefined;
  #usage: TokenUsage | undefined;

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text-delta':
        return this.#addText('text', event.text, undefined);
      case 'thinking-delta':
        return this.#addText('thinking', event.text, event.signature);
      case 'text-was-thinking':
        for (const block of this.#blocks) if ('type' in block) block.type = 'thinking';
        return undefined;
      case 'tool-call-delta':
        return this.#addCall(event);
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'finish':
        this.#finish = event.reason;
        return undefined;
      default:
        return event satisfies never;
    }
  }

  /**
   * The answer so far. Call ids are made unique within `taken` (which is not changed): servers send none, or the
   * same one twice, and every call needs a result of its own. Empty text is left out.
   */
  answer(taken: ReadonlySet<string>): Answer {
    const used = new Set(taken);
    const content = this.#blocks.flatMap((block): AnswerBlock[] => {
      if ('type' in block) return closeText(block);
      const id = uniqueId(block.id, used);
      used.add(id);
      const signature = block.signature === undefined ? {} : { signature: block.signature };
      return [{ type: 'tool-call', id, name: block.name, argumentsText: block.argumentsText, ...signature }];
    });
    return { content, finish: this.#finish, usage: this.#usage };
  }

  #addText(type: 'text' | 'thinking', text: string, signature: string | undefined): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined && 'type' in last && last.type === type && last.signature === undefined) {
      last.text += text;
      last.signature = signature;
      return;
    }
    this.#blocks.push({ type, text, signature });
  }

  #addCall(event: Extract<ModelEvent, { type: 'tool-call-delta' }>): void {
    let call = this.#calls.get(event.index);
    if (call === undefined) {
      call = { id: '', name: '', argumentsText: '', signature: undefined };
      this.#calls.set(event.index, call);
      this.#blocks.push(call);
    }
    call.id ||= event.id ?? '';
    call.name ||= event.name ?? '';
    call.argumentsText += event.argumentsText ?? '';
    call.signature ??= event.signature;
  }
}

function closeText(block: { type: 'text' | 'thinking'; text: string; signature: string | undefined }): AnswerBlock[] {
  if (block.text === '' && block.signature === undefined) return [];
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  return [
    { type: 'thinking', text: block.text, ...(block.signature === undefined ? {} : { signature: block.signature }) },
  ];
}

function uniqueId(wanted: string, used: ReadonlySet<string>): string {
  const base = wanted === '' ? 'call' : wanted;
  if (wanted !== '' && !used.has(base)) return base;
  for (let count = 1; ; count++) {
    const id = `${base}_${count}`;
    if (!used.has(id)) return id;
  }
}
