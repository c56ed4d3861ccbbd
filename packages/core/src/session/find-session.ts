import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../util/failure.js';
import { projectFolders } from './project-folders.js';

/**
 * The log of a session of a project: a file, or the id of a session or its beginning. Newest first where several fit.
 * @throws Failure `no_session`, which names the newest ones
 */
export function findSessionFile(
  session: string,
  { root, tenonHome, cwd }: { root: string; tenonHome: string; cwd: string },
): string {
  const file = resolve(cwd, session);
  if (existsSync(file) && statSync(file).isFile()) return file;
  const { sessions } = projectFolders(tenonHome, realpathSync.native(root));
  const logs = readdirSync(sessions)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .toReversed();
  const found = /^[\w-]{4,}$/.test(session) ? logs.find((name) => idOf(name).startsWith(session)) : undefined;
  if (found !== undefined) return join(sessions, found);
  const newest = logs.slice(0, 3).map(idOf);
  const hint = newest.length === 0 ? 'There is none of this project yet.' : `The newest are ${newest.join(', ')}.`;
  throw new Failure('no_session', `There is no session ${JSON.stringify(session)}, and no such file. ${hint}`);
}

/** Names are a time, which ends in `Z`, and the id. */
function idOf(name: string): string {
  return name.replace(/^[\dT-]+Z-/, '').replace(/\.jsonl$/, '');
}
