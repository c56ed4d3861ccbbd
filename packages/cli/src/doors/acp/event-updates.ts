import { randomUUID } from 'node:crypto';
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent, LoggedEvent } from '@tenon/core';
import { hookLine } from '../../ui/hook-line.js';
import { standingEvents } from '../../ui/standing-events.js';
import { CallUpdates } from './call-updates.js';
import type { ClientPaths } from './client-paths.js';
import { SubagentUpdates } from './subagent-updates.js';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** What the events of a session are for a client. Calls are known by their keys (`callKey`). */
export class EventUpdates {
  readonly #showsNotices: boolean;
  readonly #newId: () => string;
  readonly #calls: CallUpdates;
  readonly #subagents: SubagentUpdates;
  #answerId: string;
  #thoughtId: string;
  #saidId: string;
  #saidInTurn = false;
  #thoughtInTurn = false;

  /** `showsNotices`: the client has a place for them beside the conversation. */
  constructor(paths: ClientPaths, showsNotices = false, newId: () => string = randomUUID) {
    this.#showsNotices = showsNotices;
    this.#newId = newId;
    this.#calls = new CallUpdates(paths, newId);
    this.#subagents = new SubagentUpdates({ calls: this.#calls, notice: (...said) => this.notice(...said) });
    this.#answerId = newId();
    this.#thoughtId = newId();
    this.#saidId = newId();
  }

  /** The id by which the client knows a call that has begun. */
  idOf(key: string): string | undefined {
    return this.#calls.idOf(key);
  }

  /** Of the call that an event is about; undefined for none. */
  keyOf(event: AgentEvent): string | undefined {
    if (event.type === 'subagent-start' || event.type === 'subagent-event' || event.type === 'subagent-end')
      return this.#subagents.keyOf(event);
    return 'callId' in event ? event.callId : undefined;
  }

  /** As it happens. Todo lists, the mode and what was used are told elsewhere. */
  live(event: AgentEvent): SessionUpdate[] {
    switch (event.type) {
      case 'turn-start':
        this.#newTurn();
        return [];
      case 'text-delta':
        this.#saidInTurn = true;
        return event.text === '' ? [] : [this.#answer(event.text)];
      case 'thinking-delta':
        this.#thoughtInTurn = true;
        return event.text === '' ? [] : [this.#thought(event.text)];
      case 'model-retry': {
        const voided = this.#saidInTurn ? ' What was said of the answer so far does not count.' : '';
        this.#newTurn();
        return [this.notice(`The request is sent again (${event.reason}).${voided}`, 'warning')];
      }
      case 'assistant-message':
        return this.#message(event);
      case 'notice':
        return [this.notice(event.text, event.level)];
      case 'compaction':
        return [this.notice(['The conversation was made shorter.', ...event.told].join('\n'))];
      case 'job-end':
        return [this.notice(jobText(event))];
      case 'approval-answer':
        return [
          ...this.#calls.of(event),
          ...(event.problem === undefined ? [] : [this.notice(event.problem, 'warning')]),
        ];
      case 'tool-call-start':
      case 'approval-request':
      case 'tool-call-update':
      case 'tool-call-end':
        return this.#calls.of(event);
      case 'subagent-start':
      case 'subagent-event':
      case 'subagent-end':
        return this.#subagents.of(event);
      case 'session-start':
      case 'user-message':
      case 'turn-end':
      case 'job-wait':
      case 'model-change':
      case 'rewind':
      case 'prompt-end':
        return [];
      case 'hook-run':
        return event.problem === undefined ? [] : [this.notice(hookLine(event) ?? event.problem, 'warning')];
      default:
        return unknownEvent(event);
    }
  }

  /** From a log: what the client would have been told then, but for what was only of use then. */
  replayed(event: LoggedEvent['event']): SessionUpdate[] {
    if (event.type === 'model-retry' || event.type === 'notice') return [];
    if (event.type === 'answer-interrupted') return event.content.map(({ text }) => this.#answer(text));
    if (event.type === 'context-added')
      return event.as === 'user' ? event.content.flatMap(pictureOf).map((picture) => this.#said(picture)) : [];
    if (event.type !== 'user-message') return this.live(event);
    this.#saidId = event.id ?? this.#newId();
    return [this.#said({ type: 'text', text: event.text })];
  }

  /** Calls that never came to an end: whoever ran them was killed. */
  closeOpen(): SessionUpdate[] {
    return this.#calls.closeOpen();
  }

  startedBy(key: string): SessionUpdate[] {
    return this.#calls.startedBy(key);
  }

  showTerminal(key: string, terminalId: string): SessionUpdate[] | undefined {
    return this.#calls.showTerminal(key, terminalId);
  }

  /** Whether the client was told of a call that runs. */
  isOpen(key: string): boolean {
    return this.#calls.isOpen(key);
  }

  /** Reports a notice to the user, outside the conversation if the client supports that. */
  notice(text: string, severity: 'info' | 'warning' = 'info'): SessionUpdate {
    if (!this.#showsNotices) return this.note(text);
    const [title = '', ...more] = text.split('\n');
    return { sessionUpdate: 'notice', severity, title, ...(more.length > 0 && { description: more.join('\n') }) };
  }

  /** Something that Tenon says, not the model. */
  note(text: string): SessionUpdate {
    return {
      sessionUpdate: 'agent_message_chunk',
      messageId: this.#newId(),
      content: { type: 'text', text: `${text}\n` },
      _meta: { tenon: { note: true } },
    };
  }

  /** What did not come in pieces. */
  #message({ content }: EventOf<'assistant-message'>): SessionUpdate[] {
    return content.flatMap((block): SessionUpdate[] => {
      if (block.type === 'text' && !this.#saidInTurn && block.text !== '') return [this.#answer(block.text)];
      if (block.type === 'thinking' && !this.#thoughtInTurn && block.text !== '') return [this.#thought(block.text)];
      return [];
    });
  }

  #newTurn(): void {
    this.#answerId = this.#newId();
    this.#thoughtId = this.#newId();
    this.#saidInTurn = false;
    this.#thoughtInTurn = false;
  }

  #answer(text: string): SessionUpdate {
    return { sessionUpdate: 'agent_message_chunk', messageId: this.#answerId, content: { type: 'text', text } };
  }

  #said(content: ContentBlock): SessionUpdate {
    return { sessionUpdate: 'user_message_chunk', messageId: this.#saidId, content };
  }

  #thought(text: string): SessionUpdate {
    return { sessionUpdate: 'agent_thought_chunk', messageId: this.#thoughtId, content: { type: 'text', text } };
  }
}

type ContextBlock = Extract<LoggedEvent['event'], { type: 'context-added' }>['content'][number];

/** Texts that went along are not repeated: they are those of files. */
function pictureOf(block: ContextBlock): ContentBlock[] {
  if (block.type !== 'media' || !block.mimeType.startsWith('image/')) return [];
  return [{ type: 'image', data: block.data, mimeType: block.mimeType }];
}

/** Logs of newer versions, and what logs alone have. */
function unknownEvent(_event: never): [] {
  return [];
}

function jobText({ jobId, command, exitCode, signal }: EventOf<'job-end'>): string {
  const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  return `The background job ${jobId} (${command}) ${how}.`;
}

/** What of a log still counts: what a rewind took back is not shown again. Pure. */
export function inForce(events: readonly LoggedEvent['event'][]): LoggedEvent['event'][] {
  return standingEvents(events, (event) => event).filter(({ type }) => type !== 'rewind');
}
