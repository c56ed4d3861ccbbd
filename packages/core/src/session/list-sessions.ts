import { open, type FileHandle } from 'node:fs/promises';
import { newestFiles, sessionFiles, type SessionsPlace } from './find-session.js';
import { parseLine, readLines, sessionIdOf, type LoggedEvent } from './log-lines.js';
import { holderOf } from './session-lock.js';

/** A session of a project, as a list shows it. */
export interface SessionSummary {
  readonly id: string;
  /** Its log. Absolute. */
  readonly file: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly lastAt: string;
  /** The beginning of what the user said first, in one line. Untrusted text. */
  readonly title: string;
  /** How often the user said something. */
  readonly messages: number;
  /** Of the log. */
  readonly bytes: number;
  /** The process that has it open, or may have it. */
  readonly openBy?: number;
}

/** The last session of a project, for who comes back. */
export interface LastSession extends Pick<SessionSummary, 'file' | 'title' | 'lastAt'> {
  /** It ended in the middle of a prompt. */
  readonly wasInterrupted: boolean;
}

/** Logs that may be empty or open before one is found. */
const MOST_LOOKED_AT = 5;
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 256 * 1024;
const TITLE_CHARACTERS = 80;
/** The first words of the user, also of a line that is longer than what was read of it. */
const FIRST_WORDS = /"type":"user-message","text":"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-f]{4})){0,600})/i;
const WORDS = Buffer.from('"event":{"type":"user-message","text":');

/**
 * The sessions of a project in which something was said, the one last used first. Of each log only the beginning and
 * the end are read, but for logs of older versions, which do not count their messages.
 */
export async function listSessions(place: SessionsPlace): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (const file of sessionFiles(place)) {
    // A log that cannot be read, or was removed just now, is none that can be gone on with.
    const summary = await summarize(file).catch(() => undefined);
    if (summary !== undefined) found.push(summary);
  }
  return found.sort((one, other) => (one.lastAt < other.lastAt ? 1 : -1));
}

/**
 * The session of a project in which something was said last, of those that no process has open; `except`: a log that is none of
 * them. Of one log the beginning and the end are read, of a few where those are empty. Undefined also where nothing can be read.
 */
export async function lastSession(place: SessionsPlace, except?: string): Promise<LastSession | undefined> {
  try {
    for (const file of newestFiles(place, except).slice(0, MOST_LOOKED_AT)) {
      const ends = holderOf(file) === undefined ? await readEnds(file).catch(() => undefined) : undefined;
      if (ends === undefined) continue;
      const { title, lastAt, lines } = ends;
      return { file, title, lastAt, wasInterrupted: isCutShort(lines) };
    }
  } catch {
    // Nobody asked: what cannot be read is not worth a word.
  }
  return undefined;
}

/** A prompt that did not come to its end: the process ended before it, or somebody stopped it. Pure. */
function isCutShort(lines: readonly LoggedEvent[]): boolean {
  const last = lines.findLast(({ event: { type } }) => type === 'user-message' || type === 'prompt-end')?.event;
  // Without either, the end of a long prompt is all that was read.
  return last?.type === 'prompt-end' ? last.stopReason === 'cancelled' : true;
}

async function summarize(file: string): Promise<SessionSummary | undefined> {
  const ends = await readEnds(file);
  if (ends === undefined) return undefined;
  const { startedAt, lastAt, title, lines, bytes } = ends;
  const openBy = holderOf(file);
  return {
    id: sessionIdOf(file),
    file,
    startedAt,
    lastAt,
    title,
    messages: countOf(lines) ?? countAll(file),
    bytes,
    ...(openBy === undefined ? {} : { openBy }),
  };
}

interface LogEnds extends Pick<SessionSummary, 'startedAt' | 'lastAt' | 'title' | 'bytes'> {
  /** The last ones. */
  readonly lines: readonly LoggedEvent[];
}

/** Undefined for a log in which nothing was said. */
async function readEnds(file: string): Promise<LogEnds | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size, mtime } = await handle.stat();
    const head = await readPart(handle, 0, Math.min(size, HEAD_BYTES));
    const [, escaped] = FIRST_WORDS.exec(head) ?? [];
    if (escaped === undefined) return undefined;
    const tail = size <= HEAD_BYTES ? head : await readPart(handle, Math.max(0, size - TAIL_BYTES), size);
    const lines = wholeLines(tail);
    return {
      startedAt: wholeLines(head)[0]?.time ?? mtime.toISOString(),
      lastAt: lines.at(-1)?.time ?? mtime.toISOString(),
      title: titleOf(escaped),
      bytes: size,
      lines,
    };
  } finally {
    await handle.close();
  }
}

async function readPart(handle: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.toString('utf8', 0, bytesRead);
}

/** The lines of a part of a log that are whole and sound. */
function wholeLines(text: string): LoggedEvent[] {
  return text.split('\n').flatMap((line) => {
    try {
      return parseLine(line) ?? [];
    } catch {
      return [];
    }
  });
}

/** The ids of messages begin with how many there were. */
function countOf(lines: readonly LoggedEvent[]): number | undefined {
  const last = lines.findLast(({ event }) => event.type === 'user-message')?.event;
  const [, count] = /^(\d+)-/.exec((last?.type === 'user-message' && last.id) || '') ?? [];
  return count === undefined ? undefined : Number(count);
}

function countAll(file: string): number {
  let count = 0;
  readLines(file, (line) => {
    // It stands behind the number and the time.
    if (line.subarray(0, 200).includes(WORDS)) count += 1;
  });
  return count;
}

function titleOf(escaped: string): string {
  const text: unknown = JSON.parse(`"${escaped}"`);
  const line = String(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`;
}
