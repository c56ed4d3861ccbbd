/** What is known of a command's tree when it is to get a signal. */
export interface TreeState {
  /** Of the command itself, which leads a group of its own where there are groups. */
  readonly pid: number;
  /** It was reaped: its number may be somebody else's by now. */
  readonly hasExited: boolean;
  /** Its processes can be listed: there is a `/proc`. */
  readonly isListed: boolean;
  /** The processes that live, as far as they can be listed. */
  readonly living: readonly number[];
}

/** How a signal reaches them. */
export interface TreeSignal {
  /** Who gets it; below zero: a group. */
  readonly pids: readonly number[];
  /** Run first: it ends the whole tree; `pids` get the signal only where it cannot. */
  readonly program?: readonly [string, ...string[]];
}

/** By its full path: a name alone would be looked for in the working directory first, where a project may have one. */
const TASKKILL = String.raw`C:\Windows\System32\taskkill.exe`;
/** Signals that end; of no other one has Windows anything alike. */
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'];

/**
 * Who must be told so that all of the tree gets the signal. Windows has no groups, and no way to ask a program of a
 * console to end: a tree is ended at once, as long as the command that began it lives. Pure.
 */
export function treeSignal(
  { pid, hasExited, isListed, living }: TreeState,
  name: NodeJS.Signals,
  platform: NodeJS.Platform,
): TreeSignal {
  if (platform === 'win32') {
    if (hasExited || !ENDING.includes(name)) return { pids: [] };
    return { pids: [pid], program: [TASKKILL, '/pid', String(pid), '/t', '/f'] };
  }
  // Until it is reaped, nobody else can have the group's number. Elsewhere than on Linux there is nothing better.
  return { pids: hasExited && isListed ? living : [-pid, ...living] };
}

/** Whether something of the tree lives; `group`: only its group can tell. Pure. */
export function treeLife(
  { hasExited, isListed, living }: Omit<TreeState, 'pid'>,
  platform: NodeJS.Platform,
): 'alive' | 'gone' | 'group' {
  if (platform !== 'win32' && !isListed) return 'group';
  return !hasExited || living.length > 0 ? 'alive' : 'gone';
}
