import { join } from 'node:path';
import { Conversation } from '../agent/conversation.js';
import type { AgentEvent, ConversationEvent } from '../agent/events.js';
import { SessionLog, type HideIn } from '../session/session-log.js';

type Logged = AgentEvent | ConversationEvent;

export interface AgentLogOptions {
  /** Where the project's sessions are logged. */
  readonly sessions: string;
  /** Of the session that the agent works for. */
  readonly sessionId: string;
  readonly agentId: string;
  /** Ids of calls of all agents of the session: people are asked by them. */
  readonly taken: Set<string>;
  /** What is written passes through it. */
  readonly hide?: HideIn | undefined;
  /** Told of every event, once it is written down. */
  readonly follow: (event: Logged) => void;
}

/** The log of one subagent, chained as that of a session, and its conversation. */
export class AgentLog {
  /** Names the log as a session. */
  readonly id: string;
  readonly file: string;
  readonly conversation: Conversation;
  readonly #log: SessionLog;
  readonly #follow: (event: Logged) => void;

  constructor({ sessions, sessionId, agentId, taken, hide, follow }: AgentLogOptions) {
    this.id = `${sessionId}.${agentId}`;
    const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
    this.#log = new SessionLog(join(sessions, 'agents', `${time}-${this.id}.jsonl`), { sessionId: this.id, hide });
    this.file = this.#log.file;
    this.#follow = follow;
    this.conversation = new Conversation((event) => void this.record(event));
    this.conversation.shareCallIds(taken);
  }

  /** What went wrong, where it could not be written. */
  record(event: Logged): string | undefined {
    const problem = this.#log.append(event, new Date());
    this.#follow(event);
    return problem;
  }

  close(): void {
    this.#log.close();
  }
}
