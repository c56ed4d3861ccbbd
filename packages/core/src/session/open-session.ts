import { randomUUID } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, realpathSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Conversation } from '../agent/conversation.js';
import type { AgentEvent, ConversationEvent } from '../agent/events.js';
import { systemFailure } from '../files/system-failure.js';
import type { Undo } from '../journal/undo.js';
import { Failure } from '../util/failure.js';
import { sessionIdOf, type LoggedEvent } from './log-lines.js';
import { recordEvents } from './record-events.js';
import {
  loadSessionLog,
  readSessionLog,
  SessionLog,
  type HideIn,
  type LogOpening,
  type ReadLog,
} from './session-log.js';
import { lockSession, type SessionLock } from './session-lock.js';
import { SessionTrail } from './session-trail.js';
import type { RewindPoint, RewindReport, SessionSource } from './session-types.js';

export interface SessionPlace {
  /** Where new logs are made. */
  readonly sessions: string;
  /** Where processes keep their locks. */
  readonly locks: string;
  /** Canonical. */
  readonly roots: readonly string[];
  /** What is told and written passes through it. */
  readonly hide?: HideIn | undefined;
}

type Logged = AgentEvent | ConversationEvent;

interface SessionParts {
  readonly id: string;
  readonly log: SessionLog;
  readonly trail: SessionTrail;
  readonly earlier: readonly LoggedEvent[];
  readonly problems: readonly string[];
  readonly lock?: SessionLock;
  readonly forkedFrom?: string;
  readonly locks: string;
  readonly hide: HideIn | undefined;
}

/** What belongs to one session that goes on: its log, its conversation, and how far it has come. */
export class OpenSession {
  readonly id: string;
  readonly file: string;
  /** What was found wrong with a log that goes on, a sentence each. */
  readonly problems: readonly string[];
  readonly conversation: Conversation;
  /** Passes events on once they are written down. */
  readonly record: (event: AgentEvent) => Generator<AgentEvent>;
  readonly #log: SessionLog;
  readonly #trail: SessionTrail;
  readonly #linesBefore: number;
  readonly #forkedFrom: string | undefined;
  readonly #locks: string;
  #lock: SessionLock | undefined;
  /** What the log held when it was opened, until it grows. */
  #earlier: readonly LoggedEvent[] | undefined;
  #follow: (event: Logged) => void = () => undefined;
  #start: 'new' | 'logged' | 'told' = 'new';
  #isReplaying = false;

  private constructor({ id, log, trail, earlier, problems, lock, forkedFrom, locks, hide }: SessionParts) {
    this.id = id;
    this.file = log.file;
    this.problems = problems;
    this.#log = log;
    this.#trail = trail;
    this.#earlier = earlier;
    this.#linesBefore = log.lines;
    this.#lock = lock;
    this.#forkedFrom = forkedFrom;
    this.#locks = locks;
    this.conversation = new Conversation((event) => void this.#append(event));
    this.record = recordEvents((event) => this.#append(event), hide);
  }

  /** @throws Failure `no_session`, `session_open` */
  static async open(place: SessionPlace, source?: SessionSource): Promise<OpenSession> {
    if (source === undefined) {
      const id = randomUUID();
      const log = new SessionLog(join(place.sessions, logName(id)), { sessionId: id, hide: place.hide });
      const trail = new SessionTrail();
      return new OpenSession({ id, log, trail, earlier: [], problems: [], ...ofPlace(place) });
    }
    if (!existsSync(source.file)) throw noSession(source.file);
    // One name for all who want it.
    const file = realpathSync.native(source.file);
    if (source.fork === true) return OpenSession.#reopen(place, file, true);
    const lock = await lockSession(file, place.locks);
    try {
      return await OpenSession.#reopen(place, file, false, lock);
    } catch (thrown) {
      lock.release();
      throw thrown;
    }
  }

  static async #reopen(place: SessionPlace, file: string, isFork: boolean, lock?: SessionLock): Promise<OpenSession> {
    const read = readSessionLog(file);
    if (read.events.length === 0) throw noSession(file);
    const trail = new SessionTrail();
    for (const logged of read.events) trail.add(logged);
    const before = trail.sessionId ?? sessionIdOf(file);
    const id = isFork ? randomUUID() : before;
    const opening = { sessionId: id, read, hide: place.hide };
    const log = isFork ? copyLog(file, join(place.sessions, logName(id)), opening) : new SessionLog(file, opening);
    const session = new OpenSession({
      id,
      log,
      trail,
      earlier: read.events,
      problems: [
        ...read.problems,
        ...otherPlace(read.events, place.roots),
        ...(lock?.problem === undefined ? [] : [lock.problem]),
      ],
      ...ofPlace(place),
      ...(lock === undefined ? {} : { lock }),
      ...(isFork ? { forkedFrom: before } : {}),
    });
    await session.#replay(read.events);
    return session;
  }

  /** Ordinal of the person's prompt, from 1; 0 before the first. */
  get turn(): number {
    return this.#trail.turns;
  }

  /** Subagents that have worked for it. */
  get agents(): number {
    return this.#trail.agents;
  }

  /** Whether a reader of its events was told of its beginning. */
  get hasBegun(): boolean {
    return this.#start === 'told';
  }

  /** Names of tools that were called or found by a search. */
  get tools(): readonly string[] {
    return [...this.#trail.tools];
  }

  /** All that was logged. Read anew once the session has gone on: a session of many days need not stay in memory. */
  get history(): readonly LoggedEvent[] {
    if (this.#earlier !== undefined) return this.#earlier;
    return existsSync(this.file) ? loadSessionLog(this.file).events : [];
  }

  /** Tells of every event, also of those that were logged before. */
  follow(listener: (event: Logged) => void): void {
    this.#follow = listener;
    for (const { event } of this.history) listener(event);
  }

  /** A prompt begins. `start`: what the session begins with, written before all else. Yields it the first time. */
  async *begin(start: () => Extract<AgentEvent, { type: 'session-start' }>): AsyncGenerator<AgentEvent> {
    await this.#hold();
    if (this.#start === 'told') return;
    const event = this.#started(start());
    const wasLogged = this.#start === 'logged';
    this.#start = 'told';
    if (wasLogged) yield event;
    else yield* this.record(event);
    this.#noteProblems();
  }

  /** Newest first. */
  async rewindPoints(undo: Undo): Promise<readonly RewindPoint[]> {
    const said = this.#trail.said.toReversed();
    const files = await undo.filesWithin(said.map(({ time }) => this.#trail.since(time, this.id)));
    return said.map((message, index) => ({
      ...message,
      changedFiles: files[index] ?? [],
      hasConversation: this.conversation.canRewind(message.id),
    }));
  }

  /** Goes back to before a message. @throws Failure `no_such_message`, and those of `Undo.undo` */
  async rewind(
    id: string,
    what: { readonly conversation: boolean; readonly files: boolean },
    { undo, start }: { readonly undo: Undo; readonly start: () => Extract<AgentEvent, { type: 'session-start' }> },
  ): Promise<RewindReport> {
    const message = this.#trail.said.find((one) => one.id === id);
    if (message === undefined)
      throw new Failure('no_such_message', `This session has no message ${JSON.stringify(id)} to go back to.`);
    if (what.conversation && !this.conversation.canRewind(id)) {
      const why =
        'What was said around that message is a summary by now, so that the conversation cannot go back to it.';
      throw new Failure('no_such_message', `${why} Its files can.`);
    }
    await this.#hold();
    if (this.#start === 'new') {
      this.#append(this.#started(start()));
      this.#noteProblems();
      this.#start = 'logged';
    }
    const files = what.files ? await takeBack(undo, this.#trail.since(message.time, this.id)) : undefined;
    if (what.conversation) this.conversation.rewind(id);
    const left = files?.files.filter(({ result }) => result === 'left').length ?? 0;
    const counts = files === undefined ? {} : { files: { reverted: files.files.length - left, left } };
    this.#append({ type: 'rewind', to: id, conversation: what.conversation, ...counts });
    return { ...(what.conversation ? { text: message.text } : {}), ...(files === undefined ? {} : { files }) };
  }

  close(): void {
    const isUntouched = this.#forkedFrom !== undefined && this.#log.lines === this.#linesBefore;
    this.#log.close();
    this.#lock?.release();
    this.#lock = undefined;
    // A copy to which nothing was added is worth nothing.
    if (isUntouched && existsSync(this.file)) unlinkSync(this.file);
  }

  #append(event: Logged): string | undefined {
    if (this.#isReplaying) return undefined;
    const now = new Date();
    const lines = this.#log.lines;
    const problem = this.#log.append(event, now);
    if (this.#log.lines > lines) this.#earlier = undefined;
    this.#trail.add({ sequence: this.#log.lines, time: now.toISOString(), event });
    this.#follow(event);
    return problem;
  }

  async #replay(events: readonly LoggedEvent[]): Promise<void> {
    const { replayConversation } = await import('./replay-conversation.js');
    this.#isReplaying = true;
    replayConversation(events, this.conversation);
    this.#isReplaying = false;
  }

  /** From its first line on, the log of a new session is this process's. */
  async #hold(): Promise<void> {
    if (this.#lock !== undefined) return;
    // A home that cannot be written to is told with the first line of the log.
    this.#lock = await lockSession(this.file, this.#locks).catch(() => ({ release: () => undefined }));
  }

  #started(start: Extract<AgentEvent, { type: 'session-start' }>): AgentEvent {
    if (this.#forkedFrom !== undefined) return { ...start, forkedFrom: this.#forkedFrom };
    return this.#linesBefore === 0 ? start : { ...start, resumed: { lines: this.#linesBefore } };
  }

  /** Whoever reads the log later is told what was lost of it. */
  #noteProblems(): void {
    for (const text of this.problems) this.#append({ type: 'notice', level: 'warning', text });
  }
}

function ofPlace({ locks, hide }: SessionPlace): Pick<SessionParts, 'locks' | 'hide'> {
  return { locks, hide };
}

function copyLog(from: string, to: string, { read, ...opening }: LogOpening & { readonly read: ReadLog }): SessionLog {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(to, 0o600);
    // A last line that was cut off, and what the other session wrote meanwhile.
    truncateSync(to, read.bytes);
  } catch (thrown) {
    throw systemFailure(thrown, `The copy of the session cannot be written to ${to}`);
  }
  return new SessionLog(to, { ...opening, read: { ...read, torn: 0 } });
}

async function takeBack(
  undo: Undo,
  stretches: Parameters<Undo['filesWithin']>[0][number],
): Promise<RewindReport['files']> {
  try {
    return await undo.undo({ stretches });
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'nothing_to_undo') return undefined;
    throw thrown;
  }
}

function otherPlace(events: readonly LoggedEvent[], roots: readonly string[]): string[] {
  const start = events.findLast(({ event }) => event.type === 'session-start')?.event;
  if (start?.type !== 'session-start' || start.roots[0] === undefined || start.roots[0] === roots[0]) return [];
  return [`This session was about another folder: ${start.roots[0]}.`];
}

/** Sorts by time, and is a file name everywhere. */
function logName(id: string): string {
  return `${new Date().toISOString().replace(/[:.]/g, '-')}-${id}.jsonl`;
}

function noSession(file: string): Failure {
  return new Failure('no_session', `${file} is not the log of a session.`);
}
