import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { RequestError, type ListSessionsResponse, type SessionInfo } from '@agentclientprotocol/sdk';
import { findSessionFile, listSessions, projectRoots, type SessionSummary } from '@tenon/core';
import type { Surroundings } from '../../surroundings.js';
import { clientPaths } from './client-paths.js';

const PAGE = 50;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Listed extends SessionSummary {
  readonly cwd: string;
}

/** The sessions that are on the disk, of all workspaces. */
export class SessionStore {
  readonly #tenonHome: string;
  readonly #userHome: string;

  constructor({ tenonHome, userHome }: Pick<Surroundings, 'tenonHome' | 'userHome'>) {
    this.#tenonHome = tenonHome;
    this.#userHome = userHome;
  }

  /** The last used first. `cwd`: of this workspace alone. @throws RequestError -32602 for a cursor that was not given out here */
  async page(cwd: string | undefined, cursor: string | undefined): Promise<ListSessionsResponse> {
    const sessions = cwd === undefined ? await this.#all() : await this.#of(cwd);
    const start = cursor === undefined ? 0 : afterCursor(sessions, cursor);
    const shown = sessions.slice(start, start + PAGE);
    const last = shown.at(-1);
    const isMore = last !== undefined && start + PAGE < sessions.length;
    return {
      sessions: shown.map((each) => infoOf(each, this.#userHome)),
      ...(isMore && { nextCursor: cursorOf(last) }),
    };
  }

  /** The log of a session by its whole id. */
  async find(sessionId: string): Promise<string | undefined> {
    if (!ID.test(sessionId)) return undefined;
    for (const root of await projectRoots(this.#tenonHome)) {
      const file = fileIn(root, sessionId, this.#tenonHome);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** @throws RequestError -32002 for one that there is not, -32600 for one that is open elsewhere */
  async remove(sessionId: string): Promise<void> {
    const file = await this.find(sessionId);
    if (file === undefined) throw RequestError.sessionNotFound(sessionId);
    const listed = (await this.#all()).find((session) => session.file === file);
    if (listed?.openBy !== undefined)
      throw RequestError.invalidRequest({ sessionId }, `The session is open in another process (${listed.openBy}).`);
    await rm(file, { force: true });
  }

  async #all(): Promise<Listed[]> {
    const roots = await projectRoots(this.#tenonHome);
    const lists = await Promise.all(roots.map((root) => this.#of(root)));
    return lists.flat().toSorted(byLastUse);
  }

  /** None where the folder is gone. */
  async #of(cwd: string): Promise<Listed[]> {
    const root = await realpath(cwd).catch(() => undefined);
    if (root === undefined) return [];
    const sessions = await listSessions({ root, tenonHome: this.#tenonHome });
    return sessions.map((session) => ({ ...session, cwd })).toSorted(byLastUse);
  }
}

function fileIn(root: string, sessionId: string, tenonHome: string): string | undefined {
  try {
    const file = findSessionFile(sessionId, { root, tenonHome, cwd: root });
    return path.basename(file).endsWith(`-${sessionId}.jsonl`) ? file : undefined;
  } catch {
    return undefined;
  }
}

function byLastUse(one: Listed, other: Listed): number {
  if (one.lastAt === other.lastAt) return one.id < other.id ? -1 : 1;
  return one.lastAt < other.lastAt ? 1 : -1;
}

function infoOf({ id, cwd, title, lastAt }: Listed, userHome: string): SessionInfo {
  const { inTitle } = clientPaths([{ given: cwd, canonical: cwd }], userHome);
  return { sessionId: id, cwd, title: inTitle(title), updatedAt: lastAt };
}

function cursorOf({ lastAt, id }: Listed): string {
  return Buffer.from(JSON.stringify([lastAt, id])).toString('base64url');
}

/** Behind the place where the session stands or stood: others may have been used or deleted meanwhile. */
function afterCursor(sessions: readonly Listed[], cursor: string): number {
  const [lastAt, id] = readCursor(cursor);
  const index = sessions.findIndex((each) => each.lastAt < lastAt || (each.lastAt === lastAt && each.id > id));
  return index === -1 ? sessions.length : index;
}

function readCursor(cursor: string): readonly [string, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string')
      return [value[0], value[1]];
  } catch {
    // Below.
  }
  throw RequestError.invalidParams(undefined, 'The cursor is none that this agent gave out.');
}
