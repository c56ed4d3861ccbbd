import { loadAgentLogs } from './agent-logs.js';
import { ChainStart, isIntact, linkOf, parseLine, readLines, sessionIdOf, type ChainLink } from './log-lines.js';
import { loadSessionLog } from './session-log.js';

/** Something about a log that is not as it was written. `line` counts from 1. */
export interface LogFault {
  readonly line: number;
  readonly text: string;
}

export interface SessionVerification {
  readonly file: string;
  readonly sessionId: string;
  /**
   * `intact`: nothing was changed, put in, moved or taken out. `not-chained`: no line has a hash, as in logs of older
   * versions; nothing can be said. `broken`: see `faults`.
   */
  readonly status: 'intact' | 'not-chained' | 'broken';
  readonly lines: number;
  /** Of them those that hold on to the line before. */
  readonly chained: number;
  readonly faults: readonly LogFault[];
  /** Bytes of a last line that was cut off, as a crash leaves it. */
  readonly torn: number;
  /**
   * Of the last line. Whoever notes it down can tell later whether lines were taken off the end, or all was written anew, which the
   * log by itself cannot show.
   */
  readonly head?: string;
}

/** The log of a subagent of a session. */
export interface AgentVerification extends Omit<SessionVerification, 'status'> {
  /** As it is named to people. */
  readonly agent: string;
  /** `missing`: the session tells of it, and there is no such log. */
  readonly status: SessionVerification['status'] | 'missing';
}

/** Checks the logs of all subagents of a session. */
export function verifyAgents(sessionFile: string): readonly AgentVerification[] {
  const { events } = loadSessionLog(sessionFile);
  return loadAgentLogs(sessionFile, events).map(({ agentId, label: agent, file, isMissing }) => {
    if (isMissing)
      return {
        agent,
        file,
        sessionId: sessionIdOf(file),
        status: 'missing',
        lines: 0,
        chained: 0,
        faults: [],
        torn: 0,
      };
    const verification = verifySession(file);
    if (verification.sessionId.endsWith(`.${agentId}`)) return { agent, ...verification };
    const fault = { line: 1, text: `The log is not named after the subagent ${agentId}.` };
    return { agent, ...verification, status: 'broken', faults: [fault, ...verification.faults] };
  });
}

const NEWLINE = Buffer.from('\n');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks the chain of a log's lines. It takes little memory, whatever the size. */
export function verifySession(file: string): SessionVerification {
  const sessionId = sessionIdOf(file);
  const check = new ChainCheck(sessionId);
  const torn = readLines(file, (line) => check.add(line));
  check.end();
  const { lines, chained, faults, head } = check;
  const status = faults.length > 0 ? 'broken' : chained === 0 && lines > 0 ? 'not-chained' : 'intact';
  return { file, sessionId, status, lines, chained, faults, torn, ...(head === undefined ? {} : { head }) };
}

class ChainCheck {
  lines = 0;
  chained = 0;
  head: string | undefined;
  readonly faults: LogFault[] = [];
  /** A copy begins with the chain of the session that it was made of. */
  readonly #starts: ChainStart[];
  readonly #ownId: string;
  /** Ids of the sessions that the log says it is of. */
  readonly #ids = new Set<string>();

  constructor(sessionId: string) {
    this.#ownId = sessionId;
    this.#starts = [new ChainStart(sessionId)];
  }

  add(line: Buffer): void {
    this.lines += 1;
    const text = line.toString('utf8');
    const link = linkOf(text);
    this.#noteSession(text);
    if (link === undefined) this.#addUnchained(text);
    else this.#addChained(text, link);
    for (const start of this.#starts) {
      start.add(line);
      start.add(NEWLINE);
    }
    this.head = link?.hash;
  }

  /** A name that Tenon gave holds the id of the session; a log that a person has named may have any. */
  end(): void {
    if (!UUID.test(this.#ownId) || this.#ids.size === 0 || this.#ids.has(this.#ownId)) return;
    this.faults.push({
      line: 1,
      text: `The file is named after the session ${this.#ownId}, and is the log of another.`,
    });
  }

  #addChained(text: string, link: ChainLink): void {
    this.chained += 1;
    if (!isIntact(text, link)) return this.#fault('was changed: its hash is another.');
    if (link.previous === this.head) return;
    if (this.head === undefined && this.#starts.some((start) => start.value() === link.previous)) return;
    if (this.lines === 1)
      this.#fault(
        'does not begin a session of this name: lines before it were taken out, or it is that of another session.',
      );
    else this.#fault('does not follow the line before it: lines were changed, taken out, put in or moved there.');
  }

  #addUnchained(text: string): void {
    if (!isEvent(text)) this.#fault('is damaged: it cannot be read.');
    else if (this.chained > 0) this.#fault('has no hash, although lines before it have: it was put in.');
  }

  #noteSession(text: string): void {
    if (!text.slice(0, 200).includes('"event":{"type":"session-start"')) return;
    const id = startedIn(text);
    if (id === undefined) return;
    this.#ids.add(id);
    if (id !== this.#ownId && this.lines === 1) this.#starts.push(new ChainStart(id));
  }

  #fault(text: string): void {
    this.faults.push({ line: this.lines, text: `Line ${this.lines} ${text}` });
  }
}

function startedIn(line: string): string | undefined {
  try {
    const event = parseLine(line)?.event;
    return event?.type === 'session-start' ? event.sessionId : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(line: string): boolean {
  try {
    return parseLine(line) !== undefined;
  } catch {
    return false;
  }
}
