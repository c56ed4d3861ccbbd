import { findSessionFile, listSessions, safeText, type SessionSummary } from '@tenon/core';
import { pickFromList } from '../panels/pick-from-list.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** `/resume [SESSION]`: goes on with an earlier session of this project; its id or the beginning of it names one. */
export const resumeCommand: CommandBody = {
  run: async (typed, context) => {
    const { surroundings, stage, signal, agent } = context;
    const place = placeOf(context);
    if (typed !== '') return open(findSessionFile(typed, { ...place, cwd: surroundings.cwd ?? place.root }), context);
    const others = (await listSessions(place)).filter(({ file }) => file !== agent.sessionFile);
    if (others.length === 0) return say('There is no earlier session of this project.');
    const now = Date.now();
    const items = others.map((value) => ({ label: value.title, detail: detailOf(value, now), value }));
    const picked = await pickFromList(
      stage,
      { title: safeText`Which session goes on?`, items, filterable: true },
      signal,
    );
    return picked === undefined ? {} : open(picked.file, context);
  },
  complete: async (typed, context) =>
    completionsOf(
      (await listSessions(placeOf(context))).map(({ id, title }) => ({ word: id, detail: title })),
      typed,
    ),
};

function placeOf({ preparation, surroundings }: CommandContext): { readonly root: string; readonly tenonHome: string } {
  return { root: preparation.roots[0], tenonHome: surroundings.tenonHome };
}

async function open(file: string, { agent, showAgain }: CommandContext): Promise<CommandAnswer> {
  if (file === agent.sessionFile) return say('That is the session that is open.');
  await agent.switchSession({ file });
  showAgain();
  return { ...(agent.sessionProblems.length > 0 && say(agent.sessionProblems.join('\n'))) };
}

const MINUTE = 60_000;

/** How long ago it was used, and how much was said. Pure. */
export function detailOf({ lastAt, messages, openBy }: SessionSummary, now: number): string {
  const said = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
  return [ago(Date.parse(lastAt), now), said, ...(openBy === undefined ? [] : ['open elsewhere'])].join(', ');
}

function ago(time: number, now: number): string {
  const minutes = Math.floor((now - time) / MINUTE);
  if (Number.isNaN(minutes)) return 'some time ago';
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / 60 / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
