import type { AgentEvent } from '../agent/events.js';
import type { JobInbox } from '../agent/job-inbox.js';
import type { Memory } from '../memory/memory.js';
import type { BesideTheCalls } from '../agent/loop-types.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { News } from './news.js';
import type { Extensions } from './open-extensions.js';

/** What happened to servers as events for the person. */
export function noticeEvents(news: News): AgentEvent[] {
  return news.takeNotices().map(({ level, text }) => ({ type: 'notice', level, text }));
}

/** What happens to jobs and to servers while calls run. */
export function besideTheCalls(inbox: JobInbox, extensions: Extensions): BesideTheCalls {
  const { news } = extensions;
  return {
    takeEvents: () => {
      // What came meanwhile is told with the request that has it.
      extensions.flush();
      return [...noticeEvents(news), ...inbox.takeEvents()];
    },
    takeNote: () => {
      const notes = [news.takeNote(), inbox.takeNote()].filter((note) => note !== undefined);
      return notes.length === 0 ? undefined : notes.join('\n');
    },
    waitForAgents: (signal) => inbox.waitForAgents(signal),
    endAll: () => inbox.endAll(),
  };
}

/** And what folders that were touched say of themselves, or skills for files that were. */
export function withMemory(beside: BesideTheCalls, memory: Pick<Memory, 'takeNote'>, agent?: string): BesideTheCalls {
  return {
    ...beside,
    takeNote: () => {
      const notes = [beside.takeNote(), memory.takeNote(agent)].filter((note) => note !== undefined);
      return notes.length === 0 ? undefined : notes.join('\n');
    },
  };
}

/** Calls once what they need is there. What cannot be had is told by the calls themselves. */
export function readyCalls(
  extensions: Extensions,
  calls: readonly CallRequest[],
  signal: AbortSignal,
  run: () => AsyncIterable<CallEvent>,
): AsyncIterable<CallEvent> {
  const missing = extensions.missing(calls.map(({ toolName }) => toolName));
  return missing.length === 0 ? run() : callsOnceReady(extensions, missing, signal, run);
}

async function* callsOnceReady(
  extensions: Extensions,
  names: readonly string[],
  signal: AbortSignal,
  run: () => AsyncIterable<CallEvent>,
): AsyncGenerator<CallEvent> {
  // A cancelled call ends as every call does.
  await extensions.readyFor(names, signal).catch(() => undefined);
  yield* run();
}
