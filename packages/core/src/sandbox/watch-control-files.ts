import { readlinkSync, statSync } from 'node:fs';
import { canonical, lookAt, namesIn } from './disk.js';
import { controlFilesOf } from './guarded-paths.js';
import type { SandboxPlan } from './sandbox-types.js';

/** Path → what it was. */
export type ControlFileSnapshot = ReadonlyMap<string, string>;

/** The control files of some roots as they are now. */
export function snapshotControlFiles(roots: readonly string[]): ControlFileSnapshot {
  return new Map(roots.flatMap(controlFilesOf).map((path) => [path, signatureOf(path)]));
}

/**
 * Control files that came into existence since, or that are something else now. What the plan kept read-only is left
 * out: if that changed, somebody outside did it. So is what is empty, which nothing obeys: it may be another session's
 * placeholder.
 */
export function changedControlFiles(
  before: ControlFileSnapshot,
  roots: readonly string[],
  plan: Pick<SandboxPlan, 'protected' | 'placeholders'>,
): string[] {
  const held = new Set([...plan.protected, ...plan.placeholders]);
  return [...snapshotControlFiles(roots)]
    .filter(([path, signature]) => before.get(path) !== signature && !held.has(path) && !isEmpty(path))
    .map(([path]) => path);
}

function isEmpty(path: string): boolean {
  const stats = lookAt(path);
  if (stats?.isDirectory() === true) return namesIn(path).length === 0;
  return stats?.isFile() === true && stats.size === 0;
}

/** A folder is itself whatever it holds; a link is also what it leads to. */
function signatureOf(path: string): string {
  const stats = lookAt(path);
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return `folder ${stats.ino}`;
  if (!stats.isSymbolicLink()) return `file ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  return `link ${stats.ino} ${linkText(path)} ${identityOfTarget(path)}`;
}

function linkText(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function identityOfTarget(path: string): string {
  if (canonical(path) === undefined) return 'nowhere';
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return 'nowhere';
  }
}
