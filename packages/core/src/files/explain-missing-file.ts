import { basename, dirname, join } from 'node:path';
import { Failure } from '../util/failure.js';
import { nearestNames } from '../util/nearest-names.js';
import type { WorkspaceGate } from './workspace-gate.js';

export interface MissingFile {
  readonly gate: WorkspaceGate;
  /** Names of ignored files are not given away. */
  readonly isIgnored: (path: string) => boolean;
  /** The path that does not exist. */
  readonly path: string;
}

/** The message for a file that is not there, with the names in its folder that come nearest (S74). */
export async function explainMissingFile({ gate, isIgnored, path }: MissingFile): Promise<string> {
  const folder = dirname(path);
  let names: string[];
  try {
    names = await gate.withFolder(folder, async (handle) => (await handle.list()).map((entry) => entry.name));
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === 'file_not_found'
      ? `File not found: ${path}. The folder ${folder} does not exist either.`
      : `File not found: ${path}.`;
  }
  const shown = names.filter((name) => !isIgnored(join(folder, name)));
  const nearest = nearestNames(basename(path), shown, { parts: true });
  if (nearest.length === 0) return `File not found: ${path}. No name in ${folder} is like it.`;
  return `File not found: ${path}. The nearest names in ${folder}: ${nearest.join(', ')}.`;
}
