import { accessSync, constants } from 'node:fs';

/** Whether this process may run what is there; false when nothing is. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
