import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { AgentEvent, ConversationEvent } from '../agent/events.js';

/** One line of a session log. `sequence` counts from 1 without gaps; `time` is ISO 8601. */
export interface LoggedEvent {
  readonly sequence: number;
  readonly time: string;
  readonly event: AgentEvent | ConversationEvent;
}

/** How a line holds on to the one before it: SHA-256, in hex. */
export interface ChainLink {
  /** The hash of the line before; of the first line, and after a line without a hash, what `ChainStart` says. */
  readonly previous: string;
  /** Of `previous` and the rest of the line. */
  readonly hash: string;
}

const LINK = /,"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}$/;
/** Of the end of a line, its brace included: all that the link takes. */
export const LINK_CHARACTERS = 153;
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** The line of an event, with its end, and the hash that the next one names. */
export function formatLine(logged: LoggedEvent, previous: string): { readonly text: string; readonly hash: string } {
  const body = JSON.stringify(logged);
  const hash = hashOf(previous, body);
  return { text: `${body.slice(0, -1)},"previous":"${previous}","hash":"${hash}"}\n`, hash };
}

/** The link at the end of a line; undefined when it has none, as the lines of older versions. */
export function linkOf(line: string): ChainLink | undefined {
  const [, previous, hash] = LINK.exec(line.slice(-LINK_CHARACTERS)) ?? [];
  return previous === undefined || hash === undefined ? undefined : { previous, hash };
}

/** Whether a line that has a link is what it was when that was made. */
export function isIntact(line: string, { previous, hash }: ChainLink): boolean {
  return hashOf(previous, `${line.slice(0, -LINK_CHARACTERS)}}`) === hash;
}

function hashOf(previous: string, body: string): string {
  return createHash('sha256').update(previous).update('\n').update(body).digest('hex');
}

/** Where a chain begins: it binds the session, and every byte before, whatever that is. */
export class ChainStart {
  readonly #hash: Hash;

  constructor(sessionId: string) {
    this.#hash = createHash('sha256').update(`tenon session ${sessionId}\n`);
  }

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** What a first link names, behind all that was added so far. */
  value(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** An event of a line; undefined when it is none. @throws SyntaxError for what is not JSON */
export function parseLine(line: string): LoggedEvent | undefined {
  const value: unknown = JSON.parse(line);
  if (!isLogged(value)) return undefined;
  const { sequence, time, event } = value;
  return { sequence, time, event };
}

function isLogged(value: unknown): value is LoggedEvent {
  if (typeof value !== 'object' || value === null) return false;
  if (!('event' in value) || !('sequence' in value) || typeof value.sequence !== 'number') return false;
  return typeof value.event === 'object' && value.event !== null && 'type' in value.event;
}

/**
 * Hands over the lines of a file one by one, without their ends, so that a log of any size takes little memory. Returns the
 * bytes of a last line that does not end; a line is only good until the next. False from `onLine` stops it.
 */
export function readLines(file: string, onLine: (line: Buffer) => unknown): number {
  const fd = openSync(file, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = readSync(fd, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) return rest.length;
      const fresh = chunk.subarray(0, count);
      let start = 0;
      for (let end = fresh.indexOf(NEWLINE); end >= 0; end = fresh.indexOf(NEWLINE, start)) {
        const line = fresh.subarray(start, end);
        if (onLine(rest.length === 0 ? line : Buffer.concat([rest, line])) === false) return 0;
        rest = Buffer.alloc(0);
        start = end + 1;
      }
      if (start < count)
        rest = rest.length === 0 ? fresh.subarray(start) : Buffer.concat([rest, fresh.subarray(start)]);
    }
  } finally {
    closeSync(fd);
  }
}

/** The id in the name of a log, which is a time, which ends in `Z`, and the id. */
export function sessionIdOf(file: string): string {
  return basename(file)
    .replace(/^[\dT-]+Z-/, '')
    .replace(/\.jsonl$/, '');
}
