import { readdirSync, readFileSync } from 'node:fs';

/** One living process, as `/proc/<pid>/stat` tells it (proc(5)). */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks from boot to its start: together with the pid it names one process for ever. */
  readonly started: number;
}

/** The variable that marks everything a command starts, whatever group or session it moves to. */
export const CALL_MARKER = 'TENON_CALL_ID';

/** A command that was started: its own process, and the marker that its descendants carry. */
export interface ProcessRoot {
  readonly pid: number;
  /** Undefined where there is no `/proc`. */
  readonly started: number | undefined;
  readonly marker: string;
}

/** A command as it was written down: before it is started only its marker is known, and when it cannot have started yet. */
export interface RecordedCommand {
  readonly pid?: number;
  readonly started: number;
  readonly marker: string;
}

/** All processes but zombies, with numbers from `lowest` on; empty where there is no `/proc`. */
export function readProcesses(lowest = 1): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of namesOf('/proc')) {
    const pid = Number(name);
    const row = Number.isSafeInteger(pid) && pid >= lowest ? readProcess(pid) : undefined;
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** More processes than a machine can start in a millisecond. */
const MOST_STARTS_PER_MS = 100;

/**
 * The lowest number that a process can have which started after the process `pid` did, `elapsedMs` ago. Numbers are
 * given out in turn, so that it is `pid` itself unless they may have begun again at the bottom since (proc(5): `loadavg`
 * tells the last one that was given).
 */
export function lowestNewPid(pid: number, elapsedMs: number, last = lastPid(), most = highestPid()): number {
  const isFirstRound = last >= pid && elapsedMs * MOST_STARTS_PER_MS < most - pid;
  return isFirstRound ? pid : 1;
}

function lastPid(): number {
  return Number(readQuietly('/proc/loadavg')?.trimEnd().split(' ').at(-1) ?? 0);
}

function highestPid(): number {
  return Number(readQuietly('/proc/sys/kernel/pid_max') ?? 0);
}

/** When a process started, in ticks; also of one that ended and was not reaped yet. Undefined where there is no `/proc`. */
export function startOfProcess(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields === undefined ? undefined : Number(fields[19]);
}

function readProcess(pid: number): ProcessRow | undefined {
  const fields = statOf(pid);
  if (fields === undefined) return undefined;
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X' || state === 'x') return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), started: Number(fields[19]) };
}

/** The fields of `stat` from the third on. */
function statOf(pid: number): string[] | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  // The name may hold blanks and parentheses; the fields begin behind the last one.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * The processes that a command started and that still live, its own one included. A process counts
 * as the command's when it carries the marker, is in the command's group or session, descends from
 * one that counts, or counted before (`known`, pid → start). Nothing that started earlier ever counts.
 */
export function findDescendants(
  root: ProcessRoot,
  known: ReadonlyMap<number, number>,
  processes: readonly ProcessRow[] = readProcesses(),
  carriesMarker: (pid: number, marker: string) => boolean = hasMarker,
): ProcessRow[] {
  const { pid: rootPid, started, marker } = root;
  if (started === undefined) return [];
  const leader = processes.find((row) => row.pid === rootPid);
  // Once the command was reaped its number may name somebody else's process, and somebody else's group.
  const recycled = leader !== undefined && leader.started !== started;
  const candidates = processes.filter((row) => row.started >= started && row.pid !== process.pid);
  const ours = new Map<number, ProcessRow>();
  for (const row of candidates) {
    const inGroup = !recycled && (row.pid === rootPid || row.group === rootPid || row.session === rootPid);
    if (inGroup || known.get(row.pid) === row.started || carriesMarker(row.pid, marker)) ours.set(row.pid, row);
  }
  for (let before = -1; before < ours.size;) {
    before = ours.size;
    for (const row of candidates) if (ours.has(row.parent)) ours.set(row.pid, row);
  }
  return [...ours.values()];
}

/**
 * What still lives of commands whose Tenon is gone. Their own processes are known by number and start, what they started
 * by marker, group of a living leader or descent; a number alone names nobody.
 */
export function findLeftBehind(
  commands: readonly RecordedCommand[],
  processes: readonly ProcessRow[] = readProcesses(),
  markerOf: (pid: number) => string | undefined = readMarker,
): ProcessRow[] {
  const markers = new Set(commands.map(({ marker }) => marker));
  const starts = new Map(commands.map(({ pid, started }) => [pid, started]));
  const earliest = Math.min(...commands.map(({ started }) => started));
  const isLeader = (row: ProcessRow | undefined): boolean => row !== undefined && starts.get(row.pid) === row.started;
  const leaders = new Set(processes.filter(isLeader).map(({ pid }) => pid));
  const own = ancestorsOf(process.pid, processes);
  const candidates = processes.filter((row) => row.started >= earliest && !own.has(row.pid));
  const found = new Map<number, ProcessRow>();
  for (const row of candidates) {
    const isOurs = leaders.has(row.pid) || leaders.has(row.group) || leaders.has(row.session);
    if (isOurs || markers.has(markerOf(row.pid) ?? '')) found.set(row.pid, row);
  }
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const row of candidates) if (found.has(row.parent)) found.set(row.pid, row);
  }
  return [...found.values()];
}

/** This process and those above it: they are not left behind, whatever they were started by. */
function ancestorsOf(pid: number, processes: readonly ProcessRow[]): ReadonlySet<number> {
  const parents = new Map(processes.map((row) => [row.pid, row.parent]));
  const found = new Set([pid]);
  for (let next = parents.get(pid); next !== undefined && !found.has(next); next = parents.get(next)) found.add(next);
  return found;
}

/** What a process does, as far as the system tells. */
export interface ProcessActivity {
  /** The processor time that it has used. */
  readonly ticks: number;
  readonly sleeps: boolean;
  /** It has a processor or waits for one, or for a disk. */
  readonly isAtWork: boolean;
}

/** Undefined when the process is gone. */
export function activityOf(pid: number): ProcessActivity | undefined {
  const fields = statOf(pid);
  if (fields === undefined) return undefined;
  const [state] = fields;
  return {
    ticks: Number(fields[11]) + Number(fields[12]),
    sleeps: state === 'S',
    isAtWork: state === 'R' || state === 'D',
  };
}

/** The short name of a process, as the system keeps it. */
export function nameOfProcess(pid: number): string | undefined {
  return readQuietly(`/proc/${pid}/comm`)?.trimEnd();
}

function readMarker(pid: number): string | undefined {
  const prefix = `${CALL_MARKER}=`;
  return readQuietly(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((entry) => entry.startsWith(prefix))
    ?.slice(prefix.length);
}

function hasMarker(pid: number, marker: string): boolean {
  const environment = readQuietly(`/proc/${pid}/environ`);
  return environment !== undefined && environment.split('\0').includes(`${CALL_MARKER}=${marker}`);
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for a process that ended meanwhile or belongs to somebody else. */
function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
