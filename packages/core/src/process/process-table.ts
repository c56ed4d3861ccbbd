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

/** All processes but zombies; empty where there is no `/proc`. */
export function readProcesses(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of namesOf('/proc')) {
    const pid = Number(name);
    const row = Number.isSafeInteger(pid) && pid > 0 ? readProcess(pid) : undefined;
    if (row !== undefined) rows.push(row);
  }
  return rows;
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
