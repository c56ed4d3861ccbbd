import { join } from 'node:path';
import { canonical, isReadable, lookAt } from './disk.js';
import { guardedPathsOf } from './guarded-paths.js';
import { HOME_SECRETS, SYSTEM_SECRETS } from './guarded-names.js';
import type { SandboxNetwork, SandboxPath, SandboxPlan } from './sandbox-types.js';

/** What a sandbox is made of: places of the session, and what settings add. All paths absolute. */
export interface SandboxPlaces {
  /** The workspace. */
  readonly roots: readonly string[];
  /** The project's own temp folder. */
  readonly tempDir: string;
  readonly home: string;
  /** The agent's own folders: settings, sessions, logs. */
  readonly agentFolders: readonly string[];
  /** May be changed beside the workspace. */
  readonly writable?: readonly string[];
  /** May be read although they are secret by themselves. */
  readonly readable?: readonly string[];
  /** May not be changed, beside what is known to be a control file. */
  readonly protected?: readonly string[];
  /** May not be read, beside what is known to be secret. */
  readonly masked?: readonly string[];
  /** By itself `off`. */
  readonly network?: SandboxNetwork;
  /** By itself none. Means nothing where the network is on. */
  readonly hosts?: readonly string[];
  /** By itself 4096. */
  readonly processes?: number;
  /** By itself false. */
  readonly localSockets?: boolean;
}

/** More than a build on a big machine holds; a command that makes ever more of them comes to its end there. */
const MOST_PROCESSES = 4096;

/** Looks at the disk: a plan holds for one command, since the next one may find other files. */
export function makePlan(
  places: SandboxPlaces,
  privateTemp: string,
  isHeld: (path: string) => boolean = () => false,
): SandboxPlan {
  const roots = existing(places.roots);
  const readable = existing(places.readable ?? []);
  const writable = existing([...roots, places.tempDir, ...(places.writable ?? [])]).filter((path) => path !== '/');
  const {
    protected: kept,
    pinned,
    placeholders,
  } = guardedPathsOf(
    roots,
    (places.protected ?? []).filter((path) => lookAt(path) !== undefined),
    isHeld,
  );
  const secrets = [
    ...HOME_SECRETS.map((name) => join(places.home, name)),
    // What we cannot read, commands cannot read either.
    ...SYSTEM_SECRETS.filter(isReadable),
    ...places.agentFolders,
    ...(places.masked ?? []),
  ];
  const masked = toMask(secrets).filter(({ path }) => !roots.includes(path) && !readable.includes(path));
  const isMasked = (path: string): boolean => masked.some((each) => each.path === path);
  return {
    writable,
    readable,
    // In a home folder that is the workspace, a control file can be a secret too.
    protected: kept.filter((path) => !isMasked(path)),
    pinned: pinned.filter((path) => !isMasked(path)),
    placeholders,
    masked,
    privateTemp,
    network: places.network ?? 'off',
    hosts: places.network === 'on' ? [] : (places.hosts ?? []),
    processes: places.processes ?? MOST_PROCESSES,
    localSockets: places.localSockets ?? false,
  };
}

function existing(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => canonical(path) ?? []))];
}

function toMask(paths: readonly string[]): SandboxPath[] {
  const real = existing(paths).filter((path) => path !== '/');
  return real.map((path) => ({ path, kind: lookAt(path)?.isDirectory() === true ? 'folder' : 'file' }));
}
