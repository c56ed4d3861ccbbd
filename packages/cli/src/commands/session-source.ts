import { Failure, findSessionFile, listSessions, type SessionSource } from '@tenon/core';
import type { SessionWish } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Person } from '../person.js';
import type { Surroundings } from '../surroundings.js';

/**
 * The log of the session that `--continue` and `--resume` mean; undefined when the person was asked and chose none.
 * @throws ExitFailure `USAGE` when there is none, or nobody to choose one, `INTERRUPTED` when the person left
 */
export async function sessionSource(
  surroundings: Surroundings,
  wish: SessionWish,
  { root, person }: { readonly root: string; readonly person: Pick<Person, 'terminal'> },
): Promise<SessionSource | undefined> {
  const { tenonHome, cwd } = surroundings;
  const place = { root, tenonHome, cwd: cwd ?? root };
  const file =
    wish.from === 'choose' ? await chosen() : named(wish.from === 'newest' ? 'newest' : (wish.name ?? ''), place);
  return file === undefined ? undefined : { file, ...(wish.isFork && { fork: true }) };

  async function chosen(): Promise<string | undefined> {
    const sessions = await listSessions({ root, tenonHome });
    if (sessions.length === 0) throw usage('There is no session of this folder to go on with yet.');
    if (person.terminal === undefined) {
      const ids = sessions.slice(0, 3).map(({ id }) => id);
      throw usage(`--resume needs the id of a session where nobody can choose one. The newest are ${ids.join(', ')}.`);
    }
    const { chooseSession } = await import('./choose-session.js');
    return (await chooseSession(sessions, person.terminal, surroundings))?.file;
  }
}

function named(name: string, place: { root: string; tenonHome: string; cwd: string }): string {
  try {
    return findSessionFile(name, place);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'no_session') throw usage(thrown.message);
    throw thrown;
  }
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
