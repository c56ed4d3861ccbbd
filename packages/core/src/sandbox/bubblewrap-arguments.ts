import { mountsOf, type Mount, type SystemPlaces } from './mounts.js';
import type { SandboxPlan, SandboxRequest } from './sandbox-types.js';

export interface BubblewrapOptions {
  /** Version 0.8 and later can forbid user namespaces inside. */
  readonly canDisableUserNamespaces: boolean;
  /** Set where this process is root: who the command is inside. Its files stay this user's. */
  readonly identity?: { readonly uid: number; readonly gid: number };
  /** Numbers of the child's descriptors. */
  readonly descriptors: { readonly seccomp?: number; readonly users?: number; readonly groups?: number };
  readonly system: SystemPlaces;
  /** Programs that are shown elsewhere than they lie. */
  readonly shown?: readonly Mount[];
}

/** These folders are to stay empty: who changes their permissions must not fill the machine's memory. */
const MEMORY_FOLDER_BYTES = 1 << 20;

/**
 * The options with which bubblewrap runs a command as the plan says; the command's own words come behind them.
 *
 * Two of them are there for root alone, whose user id the kernel still knows behind the mapping: `--cap-drop ALL`,
 * without which the whole disk can be mounted again for writing, and the read-only `/proc`, without which
 * `/proc/sys/kernel/core_pattern` names a program that the machine runs as root, outside.
 */
export function bubblewrapArguments(
  plan: SandboxPlan,
  { cwd, env, terminal = false }: Pick<SandboxRequest, 'cwd' | 'env' | 'terminal'>,
  options: BubblewrapOptions,
): string[] {
  const mounts = mountsOf(plan, options.system, options.shown);
  return [
    ...namespaces(plan, options),
    '--die-with-parent',
    // The filter keeps the terminal from being typed into; a new session would lose it.
    ...(terminal && options.descriptors.seccomp !== undefined ? [] : ['--new-session']),
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--remount-ro',
    '/proc',
    '--dev',
    '/dev',
    ...mounts.flatMap(mountArguments),
    ...dataArguments(options),
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    cwd,
  ];
}

function namespaces({ network }: SandboxPlan, { identity, canDisableUserNamespaces }: BubblewrapOptions): string[] {
  return [
    '--unshare-all',
    '--unshare-user',
    ...(network === 'on' ? ['--share-net'] : []),
    ...(canDisableUserNamespaces ? ['--disable-userns'] : []),
    ...(identity === undefined ? [] : ['--uid', String(identity.uid), '--gid', String(identity.gid)]),
  ];
}

function mountArguments(mount: Mount): string[] {
  if (mount.as === 'folder') return ['--bind', mount.source, mount.path];
  if (mount.as === 'shown') return ['--ro-bind', mount.source, mount.path];
  const options: Record<typeof mount.as, readonly string[]> = {
    writable: ['--bind', mount.path],
    'read-only': ['--ro-bind', mount.path],
    listed: memoryFolder('0555'),
    hidden: memoryFolder('0111'),
    // Devices are dead in what bubblewrap binds: opening it says "Permission denied".
    'closed-file': ['--ro-bind', '/dev/null'],
  };
  return [...options[mount.as], mount.path];
}

/** Not made read-only: each such step costs bubblewrap a reading of all mounts, and what is written here goes nowhere. */
function memoryFolder(permissions: string): string[] {
  return ['--perms', permissions, '--size', String(MEMORY_FOLDER_BYTES), '--tmpfs'];
}

/** Programs ask for the name of their user; the one inside needs one. */
function dataArguments({ descriptors: { seccomp, users, groups } }: BubblewrapOptions): string[] {
  return [
    ...(users === undefined ? [] : ['--perms', '0444', '--ro-bind-data', String(users), '/etc/passwd']),
    ...(groups === undefined ? [] : ['--perms', '0444', '--ro-bind-data', String(groups), '/etc/group']),
    ...(seccomp === undefined ? [] : ['--seccomp', String(seccomp)]),
  ];
}
