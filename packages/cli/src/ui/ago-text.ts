import { count } from '@tenon/core';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in the largest unit that fits. A clock that was set back counts as no time. */
export function agoText(milliseconds: number): string {
  if (!(milliseconds >= MINUTE)) return 'just now';
  if (milliseconds < HOUR) return `${count(Math.floor(milliseconds / MINUTE), 'minute')} ago`;
  if (milliseconds < DAY) return `${count(Math.floor(milliseconds / HOUR), 'hour')} ago`;
  return `${count(Math.floor(milliseconds / DAY), 'day')} ago`;
}
