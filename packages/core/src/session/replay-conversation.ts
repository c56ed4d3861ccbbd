import { applyCompaction } from '../agent/compaction.js';
import { toResult } from '../agent/call-result.js';
import type { Conversation } from '../agent/conversation.js';
import type { CompactionPlan } from '../agent/events.js';
import type { MediaBlock, TextBlock, ToolResultBlock } from '../models/model.js';
import type { LoggedEvent } from './log-lines.js';

/** The calls of the last answer, as far as the log has told of them. */
interface Batch {
  readonly started: Set<string>;
  readonly results: Map<string, ToolResultBlock>;
}

/**
 * Does to a conversation what the events of a log tell, so that it holds the same messages as the one that was logged.
 * Logs of older versions do not tell of attached content, notes and interrupted answers: those are missing then.
 */
export function replayConversation(events: Iterable<LoggedEvent>, conversation: Conversation): void {
  const replay = new Replay(conversation);
  for (const logged of events) replay.add(logged);
  replay.settle();
}

class Replay {
  readonly #conversation: Conversation;
  #batch: Batch | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  add(logged: LoggedEvent): void {
    const { event } = logged;
    if (event.type === 'tool-call-start') this.#batch?.started.add(event.callId);
    else if (event.type === 'tool-call-end') this.#batch?.results.set(event.callId, toResult(event));
    else if (event.type === 'compaction') this.#compact(event.plan);
    else if (CLOSING.has(event.type)) {
      this.#close();
      this.#say(logged);
    }
  }

  /** Whether the calls of an answer began nobody knows when nothing is told of them: then they wait for what comes next. */
  settle(): void {
    if (this.#batch !== undefined && this.#batch.started.size + this.#batch.results.size > 0) this.#close();
  }

  #close(): void {
    if (this.#batch !== undefined) this.#conversation.addResults(this.#batch.results, this.#batch.started);
    this.#batch = undefined;
  }

  #say(logged: LoggedEvent): void {
    const { event } = logged;
    const conversation = this.#conversation;
    if (event.type === 'user-message') conversation.addWords(event.text, messageId(logged));
    else if (event.type === 'context-added' && event.as === 'user') conversation.addUser(event.content);
    else if (event.type === 'context-added') this.#addNotes(event.content);
    else if (event.type === 'answer-interrupted') conversation.addPartial(event.content);
    else if (event.type === 'rewind' && event.conversation) conversation.rewind(event.to);
    else if (event.type === 'assistant-message') {
      conversation.addAssistant(event.content);
      const hasCalls = event.content.some((block) => block.type === 'tool-call');
      if (hasCalls) this.#batch = { started: new Set(), results: new Map() };
    }
  }

  #addNotes(content: readonly (TextBlock | MediaBlock)[]): void {
    for (const block of content) if (block.type === 'text') this.#conversation.addNote(block.text);
  }

  #compact(plan: CompactionPlan): void {
    this.settle();
    this.#conversation.compact(plan, applyCompaction(this.#conversation.messages, plan));
  }
}

/** What comes behind the results of an answer, if that had calls. */
const CLOSING: ReadonlySet<LoggedEvent['event']['type']> = new Set([
  'assistant-message',
  'user-message',
  'context-added',
  'answer-interrupted',
  'rewind',
  'turn-end',
]);

/** Messages of older logs are named by their line. */
export function messageId({ sequence, event }: LoggedEvent): string {
  return event.type === 'user-message' && event.id !== undefined ? event.id : `line-${sequence}`;
}
