import { basename, dirname, join } from 'node:path';
import { Failure } from '../util/failure.js';
import type { WorkspaceGate } from './workspace-gate.js';

/** Comparing costs time; folders larger than this are judged by their first entries. */
const MAX_COMPARED = 5000;

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
  const nearest = await nearestNames(
    basename(path),
    names.filter((name) => !isIgnored(join(folder, name))),
  );
  if (nearest.length === 0) return `File not found: ${path}. No name in ${folder} is like it.`;
  return `File not found: ${path}. The nearest names in ${folder}: ${nearest.join(', ')}.`;
}

/** Up to three candidates that are like `wanted`, the most alike first. */
export async function nearestNames(wanted: string, candidates: readonly string[]): Promise<string[]> {
  const { distance } = await import('fastest-levenshtein');
  const target = wanted.toLowerCase();
  const limit = Math.max(2, Math.ceil(target.length * 0.4));
  return candidates
    .slice(0, MAX_COMPARED)
    .map((name) => ({ name, far: farness(target, name.toLowerCase(), distance) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A name that holds the other, such as `config.ts` for `config`, is near whatever its length. */
function farness(target: string, name: string, distance: (a: string, b: string) => number): number {
  const contained = Math.min(target.length, name.length) >= 3 && (name.includes(target) || target.includes(name));
  return contained ? Math.min(1, Math.abs(target.length - name.length)) : distance(target, name);
}
