import { expect, it } from 'vitest';
import { circumstances } from './policy-grants.js';

it('says times as the clock on the wall does', () => {
  const grant = { rule: 'Read', scope: 'project' } as const;
  // Of this machine's own time zone, whichever that is.
  const time = new Date(2026, 2, 4, 23, 30).toISOString();
  const expires = new Date(2026, 2, 11, 0, 10).toISOString();
  expect(circumstances({ ...grant, time, call: 'npm test', expires })).toBe(
    '2026-03-04 23:30, for npm test, until 2026-03-11',
  );
  expect(circumstances({ ...grant, time: 'soon', isOver: true })).toBe('soon, holds no longer');
  expect(circumstances({ ...grant })).toBe('by an earlier version, when is not known');
});
