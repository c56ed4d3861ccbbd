import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LoggedEvent } from './log-lines.js';
import { loadSessionLog } from './session-log.js';

/** The folder of subagents' logs, below that of the sessions. */
export const AGENT_LOGS = 'agents';

/** A subagent, as a log tells of it. All texts are untrusted. */
export interface AgentLogEntry {
  readonly agentId: string;
  /** As it is named to people: `explore (a1)`. */
  readonly label: string;
  readonly description: string;
  readonly model: string;
  /** The subagent that handed the work on; absent where that was the agent that talks with the person. */
  readonly parentId?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Its log, where it lies now: absolute. */
  readonly file: string;
  readonly isMissing: boolean;
}

export interface AgentLog extends AgentLogEntry {
  readonly events: readonly LoggedEvent[];
  /** What was found wrong with its log, a sentence each. */
  readonly problems: readonly string[];
}

/** More than any session has; a log could name any number. */
const MOST_LOGS = 10_000;

/**
 * The logs of all subagents of a session, those below others too, each after the one that handed the work on. They are looked
 * for beside the log of the session alone, wherever it says that they were written. Never throws.
 */
export function loadAgentLogs(sessionFile: string, events: readonly LoggedEvent[]): readonly AgentLog[] {
  const folder = join(dirname(sessionFile), AGENT_LOGS);
  const found: AgentLog[] = [];
  const seen = new Set<string>();
  const waiting = entriesOf(events, folder);
  for (let entry = waiting.shift(); entry !== undefined && found.length < MOST_LOGS; entry = waiting.shift()) {
    // A log that names itself, or one above it, would be read for ever.
    if (seen.has(entry.file)) continue;
    seen.add(entry.file);
    const log = loaded(entry);
    found.push(log);
    waiting.push(...entriesOf(log.events, folder, entry.agentId));
  }
  return found;
}

function entriesOf(events: readonly LoggedEvent[], folder: string, parentId?: string): AgentLogEntry[] {
  return events.flatMap(({ event, time }): AgentLogEntry[] => {
    if (event.type !== 'subagent-start') return [];
    const { agentId, agent, description, model, logFile } = event;
    const file = join(folder, basename(logFile));
    const label = `${agent} (${agentId})`;
    const above = parentId === undefined ? {} : { parentId };
    return [{ agentId, label, description, model, ...above, startedAt: time, file, isMissing: !isLog(file) }];
  });
}

/** A link could lead anywhere. */
function isLog(file: string): boolean {
  return file.endsWith('.jsonl') && lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function loaded(entry: AgentLogEntry): AgentLog {
  if (entry.isMissing)
    return { ...entry, events: [], problems: [`The log of the subagent ${entry.label} is missing: ${entry.file}`] };
  try {
    const { events, problems } = loadSessionLog(entry.file);
    return { ...entry, events, problems: problems.map((problem) => `${entry.label}: ${problem}`) };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...entry, events: [], problems: [`The log of the subagent ${entry.label} cannot be read: ${why}`] };
  }
}

/** All lists as one in the order of time, each in its own order, whatever its clock did. Pure. */
export function mergeByTime<T extends { readonly time: string }>(lists: readonly (readonly T[])[]): T[] {
  const timed = lists.flatMap((list) => {
    let latest = '';
    return list.map((value) => {
      latest = value.time > latest ? value.time : latest;
      return { latest, value };
    });
  });
  return timed
    .toSorted((one, other) => (one.latest < other.latest ? -1 : one.latest > other.latest ? 1 : 0))
    .map(({ value }) => value);
}
