import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../util/failure.js';
import { sessionIdOf } from './log-lines.js';
import { projectFolders } from './project-folders.js';

/** Whose sessions are meant. */
export interface SessionsPlace {
  /** An existing folder, the first of the workspace. */
  readonly root: string;
  /** Tenon's own folder. */
  readonly tenonHome: string;
}

/**
 * The log of a session of a project: a file, the id of a session or its beginning (of several the one that began last), or
 * `newest`, in which something was said last. @throws Failure `no_session`, which names some
 */
export function findSessionFile(
  session: string,
  { root, tenonHome, cwd }: SessionsPlace & { readonly cwd: string },
): string {
  if (session === 'newest') return newestSession({ root, tenonHome });
  const file = resolve(cwd, session);
  if (existsSync(file) && statSync(file).isFile()) return file;
  const logs = sessionFiles({ root, tenonHome });
  const found = /^[\w-]{4,}$/.test(session) ? logs.find((log) => sessionIdOf(log).startsWith(session)) : undefined;
  if (found !== undefined) return found;
  const newest = logs.slice(0, 3).map(sessionIdOf);
  const hint = newest.length === 0 ? NONE : `The newest are ${newest.join(', ')}.`;
  throw new Failure('no_session', `There is no session ${JSON.stringify(session)}, and no such file. ${hint}`);
}

/** The logs of a project, those that began last first. Absolute paths. */
export function sessionFiles({ root, tenonHome }: SessionsPlace): string[] {
  const { sessions } = projectFolders(tenonHome, realpathSync.native(root));
  const names = readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
  return names
    .toSorted()
    .toReversed()
    .map((name) => join(sessions, name));
}

const NONE = 'There is none of this project yet.';

function newestSession(place: SessionsPlace): string {
  const [newest] = newestFiles(place);
  if (newest === undefined) throw new Failure('no_session', `There is no session to continue. ${NONE}`);
  return newest;
}

/** The logs of a project that hold anything, those that were written last first; `except`: a log that is none of them. */
export function newestFiles(place: SessionsPlace, except?: string): string[] {
  return sessionFiles(place)
    .flatMap((file) => {
      const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      return size > 0 && file !== except ? [{ file, mtimeMs }] : [];
    })
    .toSorted((one, other) => other.mtimeMs - one.mtimeMs)
    .map(({ file }) => file);
}
