import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { AgentEvent, ConversationEvent } from '../agent/events.js';
import type { ToolResultDisplay } from '../tools/tool-result.js';
import { errorMessage } from '../util/failure.js';
import { inOrder, LogChain } from './log-chain.js';
import { LogMedia } from './log-media.js';
import { ChainStart, formatLine, linkOf, parseLine, readLines, sessionIdOf, type LoggedEvent } from './log-lines.js';

export type { LoggedEvent } from './log-lines.js';

/** Gives data of the same shape without what is not to be written. */
export type HideIn = <T>(value: T) => T;

export interface LoadedLog {
  readonly events: readonly LoggedEvent[];
  /** What was found wrong and left out, one sentence each. */
  readonly problems: readonly string[];
}

/** A log that goes on. */
export interface LogOpening {
  /** Default: as the file's name says. */
  readonly sessionId?: string;
  /** What `readSessionLog` told of the file. Default: it is read. */
  readonly read?: ReadLog | undefined;
  /** Changes what is written: it holds no secrets then. */
  readonly hide?: HideIn | undefined;
}

export interface ReadLog extends LoadedLog {
  /** Of whole lines. */
  readonly bytes: number;
  /** Of a last line that was cut off. */
  readonly torn: number;
  /** Of the last whole line; undefined when it has none. */
  readonly hash: string | undefined;
  readonly media: LogMedia;
}

/** Deltas and progress are not logged: the event that ends them says all of it. What subagents do is in logs of their own. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['text-delta', 'thinking-delta', 'tool-call-update', 'subagent-event']);

/**
 * Append-only JSON lines, one event each, written as it happens, readable by the owner only; the file is made with the
 * first. Each line carries the hash of the one before. A line that a crash cut short is taken off before the next one is
 * written, so it never swallows a good one.
 */
export class SessionLog {
  readonly file: string;
  /** What was found when an existing log was opened. */
  readonly problems: readonly string[];
  readonly #sessionId: string;
  #fd: number | undefined;
  #isClosed = false;
  #sequence: number;
  /** Bytes of whole lines: where the log is cut back to when a line could not be written whole. */
  #size: number;
  #torn: number;
  readonly #media: LogMedia;
  /** Of the last line; undefined when the chain is still to begin. */
  #hash: string | undefined;
  readonly #hide: HideIn;

  constructor(file: string, { sessionId = sessionIdOf(file), read, hide = (event) => event }: LogOpening = {}) {
    this.file = file;
    this.#hide = hide;
    this.#sessionId = sessionId;
    const nothing = { events: [], problems: [], bytes: 0, torn: 0, hash: undefined, media: new LogMedia() };
    const { problems, events, bytes, torn, hash, media } = read ?? (existsSync(file) ? readSessionLog(file) : nothing);
    this.problems = problems;
    this.#sequence = events.at(-1)?.sequence ?? 0;
    this.#size = bytes;
    this.#torn = torn;
    this.#hash = hash;
    this.#media = media.forget();
  }

  /** How many lines it has. */
  get lines(): number {
    return this.#sequence;
  }

  /**
   * Writes one event, whole or not at all. Never throws: a session goes on when its log cannot (a full disk); what
   * went wrong is returned. After `close` nothing is written, whoever still holds the log.
   */
  append(event: AgentEvent | ConversationEvent, now: Date): string | undefined {
    if (this.#isClosed || NOT_LOGGED.has(event.type)) return undefined;
    const logged: LoggedEvent = {
      sequence: this.#sequence + 1,
      time: now.toISOString(),
      event: this.#hide(trimmed(event)),
    };
    try {
      this.#fd ??= this.#open();
      this.#hash ??= chainStart(this.file, this.#sessionId);
      const line = formatLine({ ...logged, event: this.#media.shrink(logged.event) }, this.#hash);
      const bytes = Buffer.from(line.text);
      for (let offset = 0; offset < bytes.length;) offset += writeSync(this.#fd, bytes, offset);
      this.#sequence += 1;
      this.#size += bytes.length;
      this.#hash = line.hash;
      return undefined;
    } catch (thrown) {
      this.#cutBack();
      this.#media.takeBack();
      return `The session log ${this.file} cannot be written: ${errorMessage(thrown)}`;
    }
  }

  close(): void {
    this.#isClosed = true;
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  #open(): number {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    const fd = openSync(this.file, flags, 0o600);
    if (this.#torn > 0 && fstatSync(fd).size === this.#size + this.#torn) ftruncateSync(fd, this.#size);
    this.#torn = 0;
    return fd;
  }

  #cutBack(): void {
    try {
      if (this.#fd !== undefined) ftruncateSync(this.#fd, this.#size);
    } catch {
      // The line stays cut; loading drops it and says so.
    }
  }
}

function chainStart(file: string, sessionId: string): string {
  const start = new ChainStart(sessionId);
  const newline = Buffer.from('\n');
  readLines(file, (line) => {
    start.add(line);
    start.add(newline);
  });
  return start.value();
}

/** Reads a log. Lines that are cut or damaged are left out and reported, never guessed at. */
export function loadSessionLog(file: string): LoadedLog {
  const { events, problems } = readSessionLog(file);
  return { events, problems };
}

/** The same, with what whoever writes on must know. */
export function readSessionLog(file: string): ReadLog {
  const events: LoggedEvent[] = [];
  const problems: string[] = [];
  let bytes = 0;
  let count = 0;
  let last = '';
  const media = new LogMedia();
  const chain = new LogChain();
  const torn = readLines(file, (line) => {
    const onLost = (): void => {
      problems.push(`An attachment in line ${count} of the session log is lost with the line that held it.`);
    };
    bytes += line.length + 1;
    count += 1;
    last = line.toString('utf8');
    try {
      const logged = parseLine(last);
      const problem = logged === undefined ? chain.notAnEvent(count) : chain.problemOf(last, count);
      if (problem !== undefined) problems.push(problem);
      else if (logged !== undefined) events.push({ ...logged, event: media.expand(logged.event, onLost) });
    } catch (thrown) {
      chain.forget();
      problems.push(`Line ${count} of the session log is damaged and was left out: ${errorMessage(thrown)}.`);
      last = '';
    }
  });
  if (torn > 0) problems.push(`The last line of the session log was cut off (${torn} bytes); it was left out.`);
  if (chain.breaks !== undefined) problems.push(chain.breaks);
  const inTurn = inOrder(events);
  const missing = (inTurn[0]?.sequence ?? 1) - 1;
  // What is wrong with lines that are there says it already.
  if (missing > 0 && problems.length === 0)
    problems.push(
      missing === 1
        ? 'The first line of the session log is missing.'
        : `The first ${missing} lines of the session log are missing.`,
    );
  return { events: inTurn, problems, bytes, torn, hash: linkOf(last)?.hash, media };
}

/** Whole file contents beside a diff are left out: the diff says it, and the log stays small. */
function trimmed(event: AgentEvent | ConversationEvent): AgentEvent | ConversationEvent {
  if (event.type === 'tool-call-end') return { ...event, display: trimDisplay(event.display) };
  if (event.type !== 'approval-request' || event.request.details.type !== 'edit') return event;
  const details = { ...event.request.details, originalContent: null, newContent: '' };
  return { ...event, request: { ...event.request, details } };
}

function trimDisplay(display: ToolResultDisplay): ToolResultDisplay {
  if (typeof display === 'string' || !('fileDiff' in display)) return display;
  return { ...display, originalContent: null, newContent: '' };
}
