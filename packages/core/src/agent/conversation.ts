import type { Message, ToolCallBlock, ToolResultBlock } from '../models/model.js';

/**
 * What was said so far. Its law: every tool call of an assistant message has exactly one result in the message
 * after it, whatever was interrupted, because providers refuse a conversation in which one is missing.
 */
export class Conversation {
  readonly #messages: Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Ids of all tool calls so far. */
  callIds(): Set<string> {
    return new Set(this.#messages.flatMap((message) => callsOf(message).map((call) => call.id)));
  }

  /** Whether what a call was told is still among the messages; a call that failed or was interrupted told nothing. */
  hasResult(callId: string): boolean {
    return this.#messages.some(
      (message) =>
        message.role === 'tool' && message.content.some((result) => result.callId === callId && !result.isError),
    );
  }

  addUser(content: Extract<Message, { role: 'user' }>['content']): void {
    this.#closeOpenCalls();
    const last = this.#messages.at(-1);
    // Two user messages in a row (the first was interrupted before any answer) are one for the provider.
    if (last?.role === 'user')
      this.#messages[this.#messages.length - 1] = { role: 'user', content: [...last.content, ...content] };
    else this.#messages.push({ role: 'user', content });
  }

  /**
   * Something that is neither the user's nor a tool's, behind the newest message: with the last result where it holds
   * results (a message between them and the answer is refused by some providers), else with what the user said. What
   * was sent before stays as it was, so that caches of it hold.
   */
  addNote(text: string): void {
    const last = this.#messages.at(-1);
    const result = last?.role === 'tool' ? last.content.at(-1) : undefined;
    if (last?.role !== 'tool' || result === undefined) return this.addUser([{ type: 'text', text }]);
    const noted = { ...result, content: [...result.content, { type: 'text' as const, text }] };
    this.#messages[this.#messages.length - 1] = { role: 'tool', content: [...last.content.slice(0, -1), noted] };
  }

  addAssistant(content: Extract<Message, { role: 'assistant' }>['content']): void {
    this.#closeOpenCalls();
    if (content.length > 0) this.#messages.push({ role: 'assistant', content });
  }

  /** The results of the last message's calls, in the model's order; a call without one gets `missing`. */
  addResults(results: ReadonlyMap<string, ToolResultBlock>, missing: (call: ToolCallBlock) => ToolResultBlock): void {
    const last = this.#messages.at(-1);
    const calls = last === undefined ? [] : callsOf(last);
    if (calls.length === 0) return;
    this.#messages.push({ role: 'tool', content: calls.map((call) => results.get(call.id) ?? missing(call)) });
  }

  /** For whoever was stopped between an answer and its results. */
  #closeOpenCalls(): void {
    this.addResults(new Map(), neverRan);
  }
}

export function callsOf(message: Message): ToolCallBlock[] {
  return message.role === 'assistant' ? message.content.filter((block) => block.type === 'tool-call') : [];
}

function neverRan({ id, name }: ToolCallBlock): ToolResultBlock {
  const text = 'The call did not run: the work was interrupted before it began.';
  return { type: 'tool-result', callId: id, name, isError: true, content: [{ type: 'text', text }] };
}
