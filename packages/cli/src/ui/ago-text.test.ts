import { expect, it } from 'vitest';
import { agoText } from './ago-text.js';

it('says how long ago something was in its largest unit', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  for (const [time, text] of [
    [0, 'just now'],
    [-5 * day, 'just now'],
    [Number.NaN, 'just now'],
    [minute - 1, 'just now'],
    [minute, '1 minute ago'],
    [hour - 1, '59 minutes ago'],
    [2.9 * hour, '2 hours ago'],
    [day, '1 day ago'],
    [400 * day, '400 days ago'],
  ] as const)
    expect(agoText(time)).toBe(text);
});
