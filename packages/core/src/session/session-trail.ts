import type { SessionStretch } from '../journal/select-entries.js';
import type { LoggedEvent } from './log-lines.js';
import { messageId } from './replay-conversation.js';

/** A message of the user in a session, as long as no rewind went back to before it. */
export interface SaidMessage {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly time: string;
}

/** What a log tells of its session beside the conversation. */
export interface Trail {
  /** Oldest first. */
  readonly said: readonly SaidMessage[];
  /** The session, and before it those that it began as a copy of: which of them wrote until when. */
  readonly sessions: readonly { readonly sessionId: string; readonly until?: string }[];
  /** Prompts so far; steering is part of one. */
  readonly turns: number;
  /** The highest number so far of a subagent that worked for the agent itself. */
  readonly agents: number;
  readonly sessionId: string | undefined;
  /** Names of tools that were called or found by a search. */
  readonly tools: ReadonlySet<string>;
}

/** Follows the events of a session as they are logged. */
export class SessionTrail implements Trail {
  #said: SaidMessage[] = [];
  #sessions: { sessionId: string; until?: string }[] = [];
  #turns = 0;
  #agents = 0;
  #lastTime: string | undefined;
  readonly tools = new Set<string>();

  get said(): readonly SaidMessage[] {
    return this.#said;
  }

  get sessions(): Trail['sessions'] {
    return this.#sessions;
  }

  get turns(): number {
    return this.#turns;
  }

  get agents(): number {
    return this.#agents;
  }

  get sessionId(): string | undefined {
    return this.#sessions.at(-1)?.sessionId;
  }

  add(logged: LoggedEvent): void {
    const { event, time } = logged;
    if (event.type === 'session-start') this.#begin(event.sessionId);
    else if (event.type === 'user-message') {
      if (event.isSteering !== true) this.#turns += 1;
      this.#said.push({ id: messageId(logged), text: event.text, time });
    } else if (event.type === 'rewind' && event.conversation) {
      const index = this.#said.findIndex(({ id }) => id === event.to);
      if (index >= 0) this.#said = this.#said.slice(0, index);
    } else if (event.type === 'tool-call-end') {
      this.tools.add(event.toolName);
      for (const name of foundBy(event.data)) this.tools.add(name);
    }
    // Numbers that were given and not used leave gaps.
    if (event.type === 'subagent-start') this.#agents = Math.max(this.#agents, numberOf(event.agentId));
    this.#lastTime = time;
  }

  /** What the sessions changed from a moment on, for the journal. `own`: the id of this session. */
  since(time: string, own: string): SessionStretch[] {
    const earlier = this.#sessions.filter(({ sessionId }) => sessionId !== own);
    return [
      { sessionId: own, since: time },
      ...earlier.flatMap(({ sessionId, until = this.#lastTime ?? time }) =>
        until >= time ? [{ sessionId, since: time, until }] : [],
      ),
    ];
  }

  /** A copy has another id than the log that it was made of. */
  #begin(sessionId: string): void {
    const last = this.#sessions.at(-1);
    if (last?.sessionId === sessionId) return;
    if (last !== undefined && this.#lastTime !== undefined) last.until = this.#lastTime;
    this.#sessions.push({ sessionId });
  }
}

/** Of `a12`; 0 for one that worked for another subagent. */
function numberOf(agentId: string): number {
  return Number(/^a(\d{1,9})$/.exec(agentId)?.[1] ?? 0);
}

/** Tools that `tool_search` found, which says so in its data. */
function foundBy(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('found' in data) || !Array.isArray(data.found)) return [];
  return data.found.filter((name) => typeof name === 'string');
}
