import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure, systemErrorCode } from '../util/failure.js';
import { makeFolders } from './make-folders.js';

/** Where Tenon keeps what belongs to one project: never in the project itself, readable by the owner only. */
export interface ProjectFolders {
  readonly base: string;
  /** What the gate lets tools read beside the workspace (K15): spilled output. */
  readonly temp: string;
  readonly sessions: string;
  /** Pre-images of what was changed, and the log of changes. */
  readonly journal: string;
  /** What runs now, written down by each Tenon for the case that it is killed; made when first needed. */
  readonly running: string;
  /** What the sandbox needs beside the workspace; commands cannot see it. */
  readonly sandbox: string;
  /** What searches know of the project. */
  readonly search: string;
  readonly grantsFile: string;
  /** Plans that the person approved; made when first needed. */
  readonly plans: string;
}

/**
 * Makes the folders that are missing. `root`: canonical path of the first workspace root.
 * @throws Failure `home_unusable` when they cannot be made or written to
 */
export function projectFolders(tenonHome: string, root: string): ProjectFolders {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 40);
  const base = join(tenonHome, 'projects', `${name}-${hash}`);
  const folders = {
    base,
    temp: join(base, 'tmp'),
    sessions: join(base, 'sessions'),
    journal: join(base, 'journal'),
    running: join(base, 'running'),
    sandbox: join(base, 'sandbox'),
    search: join(base, 'search'),
    grantsFile: join(base, 'grants.json'),
    plans: join(base, 'plans'),
  };
  for (const folder of [folders.temp, folders.sessions]) {
    const problem = makeFolders(folder);
    if (problem !== undefined) throw unusable(tenonHome, problem);
  }
  try {
    // A folder that stood there before may be open to others.
    chmodSync(base, 0o700);
  } catch (thrown) {
    const code = systemErrorCode(thrown) ?? 'unknown error';
    throw unusable(tenonHome, `${base} cannot be kept from others (${code})`, thrown);
  }
  return folders;
}

function unusable(tenonHome: string, problem: string, cause?: unknown): Failure {
  return new Failure(
    'home_unusable',
    `Tenon's own folder ${tenonHome} cannot be used: ${problem}. Mend that, or name another folder in TENON_HOME.`,
    cause === undefined ? undefined : { cause },
  );
}
