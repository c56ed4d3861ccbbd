import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { FileJournal } from '../journal/file-journal.js';
import { Failure } from '../util/failure.js';
import { loadAgentLogs } from './agent-logs.js';
import { projectFolders } from './project-folders.js';
import { copyTree, type MadeCopy } from './replay-copy.js';
import { playedCalls, type PlayedCall } from './replay-session.js';
import { loadSessionLog } from './session-log.js';

export interface ReplayPlace {
  /** The log of the session. */
  readonly file: string;
  /** The folder that the session was about, where its log does not say. */
  readonly root: string;
  /** Tenon's own folder. */
  readonly tenonHome: string;
  /** An existing empty folder, in which the copy is made. */
  readonly folder: string;
}

export interface PreparedReplay extends MadeCopy {
  readonly calls: readonly PlayedCall[];
  /** Canonical. */
  readonly root: string;
  readonly copy: string;
}

/**
 * What a session is played again on: a copy of its folder as it was before its calls changed it, as far as the journal still
 * knows. @throws Failure `no_session`, `no_workspace`
 */
export async function prepareReplay({ file, root, tenonHome, folder }: ReplayPlace): Promise<PreparedReplay> {
  const { events, problems } = loadSessionLog(file);
  const starts = events.flatMap(({ event }) => (event.type === 'session-start' ? [event] : []));
  if (events.length === 0) throw new Failure('no_session', `${file} is not the log of a session.`);
  const canonical = canonicalRoot(starts.at(-1)?.roots[0] ?? root);
  const folders = projectFolders(tenonHome, canonical);
  const ignore = new IgnoreRules(QWEN_IGNORE, [canonical]);
  const gate = new WorkspaceGate({ roots: [canonical], tempDir: folders.temp, ignore });
  const journal = new FileJournal({ gate, folder: folders.journal });
  const { entries } = await journal.entries();
  const copy = join(realpathSync.native(folder), basename(canonical));
  const made = await copyTree({
    root: canonical,
    copy,
    sessionIds: new Set(starts.map(({ sessionId }) => sessionId)),
    changes: entries,
    content: (hash) => journal.content(hash),
  });
  const agents = loadAgentLogs(file, events);
  return {
    ...made,
    problems: [...problems, ...agents.flatMap((agent) => agent.problems), ...made.problems],
    calls: playedCalls(events, agents),
    root: canonical,
    copy,
  };
}

function canonicalRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (cause) {
    throw new Failure('no_workspace', `The folder of the session, ${root}, is not there any more.`, { cause });
  }
}
