import { isWithin } from '../util/paths-below.js';
import type { SandboxPlan } from './sandbox-types.js';

/** One thing that is put over the read-only disk. */
export type Mount =
  | { readonly path: string; readonly as: 'writable' | 'read-only' }
  /** Another folder of the disk, writable. */
  | { readonly path: string; readonly as: 'folder'; readonly source: string }
  /** A file of the disk that is shown elsewhere, read-only. */
  | { readonly path: string; readonly as: 'shown'; readonly source: string }
  /** An empty folder of its own: `listed` can be looked into, `hidden` can only be gone through. */
  | { readonly path: string; readonly as: 'listed' | 'hidden' }
  /** A file that cannot be opened. */
  | { readonly path: string; readonly as: 'closed-file' };

/** Programs and settings that some systems keep below `/run`. */
const KEPT_OF_RUN = ['/run/current-system', '/run/opengl-driver', '/run/booted-system'];

export interface SystemPlaces {
  /** Which of the folders that are private in every sandbox exist, links aside: `/tmp`, `/var/tmp`, `/run`, `/var/run`. */
  readonly privateFolders: readonly string[];
  /** Where name servers are told, every link followed; undefined where there is no such file. */
  readonly resolverFile?: string;
  /** Tells which of some absolute paths exist. */
  readonly exists: (path: string) => boolean;
}

/** All mounts of a plan in the order in which they must be made: what holds others first; the last of a path counts. */
export function mountsOf(plan: SandboxPlan, system: SystemPlaces, shown: readonly Mount[] = []): Mount[] {
  const mounts: Mount[] = [
    ...system.privateFolders.map((path): Mount => privateMount(path, plan.privateTemp)),
    ...KEPT_OF_RUN.filter(system.exists).map((path): Mount => ({ path, as: 'read-only' })),
    ...resolverMounts(plan, system),
    ...plan.masked.map(({ path, kind }): Mount => ({ path, as: kind === 'folder' ? 'hidden' : 'closed-file' })),
    ...plan.readable.map((path): Mount => ({ path, as: 'read-only' })),
    ...plan.writable.map((path): Mount => ({ path, as: 'writable' })),
    ...plan.pinned.map((path): Mount => ({ path, as: 'writable' })),
    ...plan.protected.map((path): Mount => ({ path, as: 'read-only' })),
    ...plan.placeholders.map((path): Mount => ({ path, as: 'listed' })),
    ...shown,
  ];
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...last.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
}

const SHOWN_PROGRAM = '/run/sandbox-node';

/** Where a program of the disk lies inside, and the mount that it needs there: what is hidden is shown in another place. */
export function showProgram(
  program: string,
  { masked, readable, writable }: SandboxPlan,
  { privateFolders }: SystemPlaces,
): { readonly path: string; readonly mounts: readonly Mount[] } {
  const hiding = [...privateFolders, ...masked.map(({ path }) => path)];
  const open = [...readable, ...writable];
  const isHidden = hiding.some(
    (hidden) => isWithin(program, hidden) && !open.some((each) => isWithin(each, hidden) && isWithin(program, each)),
  );
  if (!isHidden || !privateFolders.includes('/run')) return { path: program, mounts: [] };
  return { path: SHOWN_PROGRAM, mounts: [{ path: SHOWN_PROGRAM, as: 'shown', source: program }] };
}

function privateMount(path: string, privateTemp: string): Mount {
  return path.endsWith('/run') ? { path, as: 'listed' } : { path, as: 'folder', source: privateTemp };
}

/** `/etc/resolv.conf` often leads into `/run`. */
function resolverMounts({ network }: SandboxPlan, { resolverFile }: SystemPlaces): Mount[] {
  const isHidden = resolverFile?.startsWith('/run/') === true;
  return network === 'on' && resolverFile !== undefined && isHidden ? [{ path: resolverFile, as: 'read-only' }] : [];
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}
