import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { AgentEvent } from '../agent/events.js';
import type { ToolResultDisplay } from '../tools/tool-result.js';
import { errorMessage } from '../util/failure.js';

/** One line of a session log. `sequence` counts from 1 without gaps; `time` is ISO 8601. */
export interface LoggedEvent {
  readonly sequence: number;
  readonly time: string;
  readonly event: AgentEvent;
}

export interface LoadedLog {
  readonly events: readonly LoggedEvent[];
  /** What was found wrong and left out, one sentence each. */
  readonly problems: readonly string[];
}

/** Deltas and progress are not logged: the event that ends them says all of it. */
const NOT_LOGGED: ReadonlySet<AgentEvent['type']> = new Set(['text-delta', 'thinking-delta', 'tool-call-update']);

/**
 * Append-only JSON lines, one event each, written as it happens, readable by the owner only. A line that a crash
 * cut short is taken off before the next one is written, so it never swallows a good one.
 */
export class SessionLog {
  readonly file: string;
  /** What was found when an existing log was opened. */
  readonly problems: readonly string[];
  #fd: number | undefined;
  #sequence: number;
  /** Bytes of whole lines: where the log is cut back to when a line could not be written whole. */
  #size: number;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.file = file;
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    const fd = openSync(file, flags, 0o600);
    this.#fd = fd;
    const torn = dropTornTail(fd);
    this.#size = fstatSync(fd).size;
    const loaded = loadSessionLog(file);
    this.problems = torn === 0 ? loaded.problems : [...loaded.problems, tornTail(torn)];
    this.#sequence = loaded.events.at(-1)?.sequence ?? 0;
  }

  /**
   * Writes one event, whole or not at all. Never throws: a session goes on when its log cannot (a full disk); what
   * went wrong is returned. After `close` nothing is written, whoever still holds the log.
   */
  append(event: AgentEvent, now: Date): string | undefined {
    if (this.#fd === undefined || NOT_LOGGED.has(event.type)) return undefined;
    const line: LoggedEvent = { sequence: this.#sequence + 1, time: now.toISOString(), event: trimmed(event) };
    try {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let offset = 0; offset < bytes.length;) offset += writeSync(this.#fd, bytes, offset);
      this.#sequence += 1;
      this.#size += bytes.length;
      return undefined;
    } catch (thrown) {
      this.#cutBack(this.#fd);
      return `The session log ${this.file} cannot be written: ${errorMessage(thrown)}`;
    }
  }

  close(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  #cutBack(fd: number): void {
    try {
      ftruncateSync(fd, this.#size);
    } catch {
      // The line stays cut; loading drops it and says so.
    }
  }
}

/** Reads a log. Lines that are cut or damaged are left out and reported, never guessed at. */
export function loadSessionLog(file: string): LoadedLog {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const problems: string[] = [];
  const last = lines.pop() ?? '';
  const events = lines.flatMap((line, index): LoggedEvent[] => {
    try {
      const value: unknown = JSON.parse(line);
      if (isLogged(value)) return [value];
      problems.push(`Line ${index + 1} of the session log is not an event; it was left out.`);
    } catch (thrown) {
      problems.push(`Line ${index + 1} of the session log is damaged and was left out: ${errorMessage(thrown)}.`);
    }
    return [];
  });
  if (last !== '') problems.push(tornTail(Buffer.byteLength(last)));
  return { events, problems };
}

function tornTail(bytes: number): string {
  return `The last line of the session log was cut off (${bytes} bytes); it was left out.`;
}

function isLogged(value: unknown): value is LoggedEvent {
  if (typeof value !== 'object' || value === null) return false;
  if (!('event' in value) || !('sequence' in value) || typeof value.sequence !== 'number') return false;
  return typeof value.event === 'object' && value.event !== null && 'type' in value.event;
}

/** The bytes of an unfinished last line that were cut off; 0 when the log ends as it should. */
function dropTornTail(fd: number): number {
  const { size } = fstatSync(fd);
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunk.length);
    const count = readSync(fd, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, count).lastIndexOf(0x0a);
    if (newline >= 0) {
      const good = start + newline + 1;
      if (good < size) ftruncateSync(fd, good);
      return size - good;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(fd, 0);
  return size;
}

/** Whole file contents beside a diff are left out: the diff says it, and the log stays small. */
function trimmed(event: AgentEvent): AgentEvent {
  if (event.type === 'tool-call-end') return { ...event, display: trimDisplay(event.display) };
  if (event.type !== 'approval-request' || event.request.details.type !== 'edit') return event;
  const details = { ...event.request.details, originalContent: null, newContent: '' };
  return { ...event, request: { ...event.request, details } };
}

function trimDisplay(display: ToolResultDisplay): ToolResultDisplay {
  if (typeof display === 'string' || !('fileDiff' in display)) return display;
  return { ...display, originalContent: null, newContent: '' };
}
