import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';

/** A program of that name in an absolute folder of PATH, where neither folder nor program lies below a given folder. */
export function findProgram(name: string, path: string, notBelow: readonly string[]): string | undefined {
  const isBelow = (place: string): boolean =>
    notBelow.some((root) => place === root || place.startsWith(root.endsWith(sep) ? root : root + sep));
  for (const folder of path.split(delimiter)) {
    // A relative folder, or one in the workspace, would let the project choose what runs.
    if (!isAbsolute(folder) || isBelow(resolve(folder))) continue;
    const file = executableAt(join(folder, process.platform === 'win32' ? `${name}.exe` : name));
    if (file !== undefined && !isBelow(file)) return file;
  }
  return undefined;
}

function executableAt(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    const real = realpathSync(file);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
