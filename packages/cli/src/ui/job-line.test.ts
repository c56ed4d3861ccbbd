import { expect, it } from 'vitest';
import { jobLine } from './job-line.js';

const end = {
  type: 'job-end',
  jobId: 'job-1',
  command: 'npm run\n  dev',
  exitCode: 1,
  signal: null,
  durationMs: 35_400,
} as const;

it('says how a job ended, why, and that files changed', () => {
  expect(jobLine(end)).toBe('job-1 (npm run dev) ended after 35 s (exit code 1)');
  const changes = { created: ['/a'], modified: ['/b'], deleted: [] };
  expect(jobLine({ ...end, exitCode: null, signal: 'SIGTERM', reason: 'the run is over', changes })).toBe(
    'job-1 (npm run dev) ended after 35 s (signal SIGTERM), because the run is over; 2 files changed meanwhile',
  );
});

it('says that a job waits, and for what', () => {
  const wait = { type: 'job-wait', jobId: 'job-2', command: `ssh ${'x'.repeat(80)}`, prompt: 'Password:' } as const;
  expect(jobLine(wait)).toBe(`job-2 (ssh ${'x'.repeat(56)}…) waits for input: Password:`);
  expect(jobLine({ ...wait, command: 'cat', prompt: '' })).toBe('job-2 (cat) waits for input');
});
