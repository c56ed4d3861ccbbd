import { randomBytes } from 'node:crypto';
import type { Message, TextBlock, ToolCallBlock, ToolResultBlock } from '../models/model.js';
import type { CompactionPlan, ConversationEvent } from './events.js';

type UserContent = Extract<Message, { role: 'user' }>['content'];
type AssistantContent = Extract<Message, { role: 'assistant' }>['content'];

/** Where a message of the user began: how many messages were before it, and the last of them where it went on in that one. */
interface Mark {
  readonly count: number;
  readonly last: Message | undefined;
}

/**
 * What was said so far. Its laws: every tool call of an assistant message has exactly one result in the message
 * after it, whatever was interrupted, because providers refuse a conversation in which one is missing; and what is
 * added is either told by an event of the stream or by `onAdded`, so that a log of both gives the same messages again.
 */
export class Conversation {
  readonly #onAdded: (event: ConversationEvent) => void;
  #messages: Message[] = [];
  #marks = new Map<string, Mark>();
  #said = 0;
  #callIds = new Set<string>();
  /** Calls whose results were taken out, or cut, to save room. */
  readonly #dropped = new Set<string>();

  constructor(onAdded: (event: ConversationEvent) => void = () => undefined) {
    this.#onAdded = onAdded;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Ids of all tool calls so far, also of those that are among the messages no more: none stands for two calls. */
  callIds(): ReadonlySet<string> {
    return this.#callIds;
  }

  /** From now on no id stands for two calls in all conversations that share these either. */
  shareCallIds(shared: Set<string>): void {
    for (const id of this.#callIds) shared.add(id);
    this.#callIds = shared;
  }

  /** Whether what a call was told is still among the messages; a call that failed or was interrupted told nothing. */
  hasResult(callId: string): boolean {
    if (this.#dropped.has(callId)) return false;
    return this.#messages.some(
      (message) =>
        message.role === 'tool' && message.content.some((result) => result.callId === callId && !result.isError),
    );
  }

  /**
   * The user's own words, told by `user-message`. Returns the id of the message, which `rewind` takes: it begins with how
   * many there were so far, those that a rewind took away included.
   */
  addWords(text: string, id: string = `${this.#said + 1}-${randomBytes(4).toString('hex')}`): string {
    this.#said += 1;
    this.#closeOpenCalls();
    const last = this.#messages.at(-1);
    this.#marks.set(id, { count: this.#messages.length, last: last?.role === 'user' ? last : undefined });
    this.#addUser([{ type: 'text', text }]);
    return id;
  }

  /** What goes with the user's words: files, prompts of servers. */
  addUser(content: UserContent): void {
    if (content.length === 0) return;
    this.#onAdded({ type: 'context-added', as: 'user', content });
    this.#closeOpenCalls();
    this.#addUser(content);
  }

  /**
   * Something that is neither the user's nor a tool's, behind the newest message: with the last result where it holds
   * results (a message between them and the answer is refused by some providers), else with what the user said. What
   * was sent before stays as it was, so that caches of it hold.
   */
  addNote(text: string): void {
    const note: TextBlock = { type: 'text', text };
    this.#onAdded({ type: 'context-added', as: 'note', content: [note] });
    this.#closeOpenCalls();
    const last = this.#messages.at(-1);
    const result = last?.role === 'tool' ? last.content.at(-1) : undefined;
    if (last?.role !== 'tool' || result === undefined) return this.#addUser([note]);
    const noted = { ...result, content: [...result.content, note] };
    this.#messages[this.#messages.length - 1] = { role: 'tool', content: [...last.content.slice(0, -1), noted] };
  }

  /** A whole answer, told by `assistant-message`. */
  addAssistant(content: AssistantContent): void {
    this.#closeOpenCalls();
    if (content.length > 0) this.#messages.push({ role: 'assistant', content });
    for (const block of content) if (block.type === 'tool-call') this.#callIds.add(block.id);
  }

  /** What came of an answer that was interrupted; only its words are kept. */
  addPartial(content: AssistantContent): void {
    const words = content.filter((block) => block.type === 'text');
    if (words.length === 0) return;
    this.#onAdded({ type: 'answer-interrupted', content: words });
    this.addAssistant(words);
  }

  /**
   * The results of the last message's calls, in the model's order, told by `tool-call-end`. A call without one gets
   * `missingResult`; `started`: ids of those that began, as `tool-call-start` tells.
   */
  addResults(results: ReadonlyMap<string, ToolResultBlock>, started: ReadonlySet<string>): void {
    const last = this.#messages.at(-1);
    const calls = last === undefined ? [] : callsOf(last);
    if (calls.length === 0) return;
    const content = calls.map((call) => results.get(call.id) ?? missingResult(call, started.has(call.id)));
    this.#messages.push({ role: 'tool', content });
  }

  /** The messages as a compaction left them, told by `compaction`: `messages` is what the plan makes of those before. */
  compact(plan: CompactionPlan, messages: readonly Message[]): void {
    const longer = messages.length - this.#messages.length;
    const first = plan.summary?.before ?? 0;
    const kept = [...this.#marks].filter(([, { count }]) => plan.summary === undefined || count > first);
    this.#marks = new Map(kept.map(([id, { count, last }]) => [id, { count: count + longer, last }]));
    this.#messages = [...messages];
    for (const callId of [...plan.droppedResults, ...(plan.shortenedResults ?? [])]) this.#dropped.add(callId);
  }

  /** Whether `rewind` can go back to before that message: it was said, and is not in a summary by now. */
  canRewind(id: string): boolean {
    return this.#marks.has(id);
  }

  /** Goes back to before a message of the user, told by `rewind`. False when it is not there. */
  rewind(id: string): boolean {
    const mark = this.#marks.get(id);
    if (mark === undefined) return false;
    this.#messages = this.#messages.slice(0, mark.count);
    if (mark.last !== undefined) this.#messages[mark.count - 1] = mark.last;
    const ids = [...this.#marks.keys()];
    for (const later of ids.slice(ids.indexOf(id))) this.#marks.delete(later);
    return true;
  }

  #addUser(content: UserContent): void {
    const last = this.#messages.at(-1);
    // Two user messages in a row (the first was interrupted before any answer) are one for the provider.
    if (last?.role === 'user')
      this.#messages[this.#messages.length - 1] = { role: 'user', content: [...last.content, ...content] };
    else this.#messages.push({ role: 'user', content });
  }

  /** For whoever was stopped between an answer and its results. */
  #closeOpenCalls(): void {
    this.addResults(new Map(), new Set());
  }
}

export function callsOf(message: Message): ToolCallBlock[] {
  return message.role === 'assistant' ? message.content.filter((block) => block.type === 'tool-call') : [];
}

/** What the model is told of a call that has no result of its own. */
export function missingResult({ id, name }: ToolCallBlock, hasStarted: boolean): ToolResultBlock {
  const text = hasStarted
    ? 'The call was cancelled before it finished.'
    : 'The call did not run: the work was interrupted, or the limit of tool calls for one prompt was reached, before it began.';
  return { type: 'tool-result', callId: id, name, isError: true, content: [{ type: 'text', text }] };
}
