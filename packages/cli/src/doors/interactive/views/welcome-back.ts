import { displayWidth, joinSafe, makeSafe, safeText, truncateToWidth, type LastSession, type Safe } from '@tenon/core';
import { paintAll } from './paint.js';
import type { Look } from './block.js';
import { agoText } from '../../../ui/ago-text.js';

/** What of the person's own words has to be seen for the line to say anything. */
const LEAST_TITLE = 12;
const WAYS = safeText` · /resume or tenon --continue`;

/** One line about the last session of the folder, for who comes back: `Last here 2 hours ago: "…" · /resume or …`. Pure. */
export function welcomeBackLine(
  { title, lastAt, wasInterrupted }: Omit<LastSession, 'file'>,
  { columns, now }: Pick<Look, 'columns' | 'now'>,
): Safe {
  const ago = makeSafe(agoText(now - Date.parse(lastAt)));
  const front = safeText`Last here ${ago}: "`;
  const end = wasInterrupted ? safeText`" was interrupted` : safeText`"`;
  const words = makeSafe(title);
  const room = (rest: Safe): number => columns - displayWidth(joinSafe([front, end, rest], safeText``));
  const least = Math.min(LEAST_TITLE, displayWidth(words));
  // The ways back can be had by /help as well; when and what cannot.
  const ways = room(WAYS) >= least ? WAYS : safeText``;
  const shown = truncateToWidth(words, Math.max(least, room(ways)));
  return truncateToWidth(safeText`${front}${shown}${end}${ways}`, columns);
}

export function welcomeBack(last: Omit<LastSession, 'file'>, look: Pick<Look, 'columns' | 'now' | 'theme'>): Safe {
  return paintAll(look.theme, ['dim'], welcomeBackLine(last, look));
}
