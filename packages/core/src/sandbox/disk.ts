import { accessSync, constants, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';

/** Undefined when there is nothing, or it cannot be seen. Links are not followed. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export { canonicalPath as canonical } from '../util/real-path.js';

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
