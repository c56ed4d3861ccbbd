import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Absolute: what stands earlier in a search path is of no matter. */
const PROGRAMS = ['/usr/bin/cp', '/bin/cp'];
const TIME_LIMIT_MS = 10_000;

/**
 * Gives `to` the mode, extended attributes and access control lists of `from`. Both are paths of this process, `/proc/self`
 * included. Node has no way to read or write attributes, not even to ask whether there are any, so GNU cp does it.
 * False when that failed or there is no GNU cp: then they may not be there, and `to` must not take the place of `from`.
 */
export function copyAttributes(from: string, to: string): Promise<boolean> {
  const program = process.platform === 'linux' ? PROGRAMS.find((path) => existsSync(path)) : undefined;
  if (program === undefined) return Promise.resolve(false);
  const args = ['--attributes-only', '--preserve=mode,xattr', '--', forOthers(from), forOthers(to)];
  return new Promise((resolve) => {
    execFile(program, args, { cwd: '/', env: { LC_ALL: 'C' }, timeout: TIME_LIMIT_MS }, (thrown) =>
      resolve(thrown === null),
    );
  });
}

/** What `/proc/self` means is another thing in another process. */
function forOthers(path: string): string {
  return path.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}
