import { expect, it } from 'vitest';
import { hookLine } from './hook-line.js';

const run = { type: 'hook-run', event: 'PreToolUse', name: 'guard', durationMs: 5 } as const;

it('says what a hook did, and nothing where nothing came of it', () => {
  expect(hookLine({ ...run, outcome: 'passed' })).toBeUndefined();
  expect(hookLine({ ...run, outcome: 'denied', reason: 'no' })).toBe('hook guard (PreToolUse) denied: no');
  expect(hookLine({ ...run, outcome: 'changed', message: 'formatted' })).toBe(
    'hook guard (PreToolUse) changed; says: formatted',
  );
  expect(hookLine({ ...run, outcome: 'failed', problem: 'it ended with exit code 1' })).toBe(
    'hook guard (PreToolUse) failed: it ended with exit code 1',
  );
});
