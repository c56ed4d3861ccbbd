import { open, type FileHandle } from 'node:fs/promises';
import { sessionFiles, type SessionsPlace } from './find-session.js';
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

async function summarize(file: string): Promise<SessionSummary | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size, mtime } = await handle.stat();
    const head = await readPart(handle, 0, Math.min(size, HEAD_BYTES));
    const [, escaped] = FIRST_WORDS.exec(head) ?? [];
    if (escaped === undefined) return undefined;
    const tail = size <= HEAD_BYTES ? head : await readPart(handle, Math.max(0, size - TAIL_BYTES), size);
    const ends = wholeLines(tail);
    const openBy = holderOf(file);
    return {
      id: sessionIdOf(file),
      file,
      startedAt: wholeLines(head)[0]?.time ?? mtime.toISOString(),
      lastAt: ends.at(-1)?.time ?? mtime.toISOString(),
      title: titleOf(escaped),
      messages: countOf(ends) ?? countAll(file),
      bytes: size,
      ...(openBy === undefined ? {} : { openBy }),
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
