import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandSupervisor } from '../command-supervisor.js';
import type { CommandRequest } from '../command-types.js';
import { JobRegistry, type JobLimits } from './job-registry.js';
import type { Job } from './job.js';

const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
const supervisor = new CommandSupervisor();
let count = 0;
afterAll(() => {
  supervisor.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const registry = (limits: Partial<JobLimits> = {}): JobRegistry => new JobRegistry(supervisor.start, limits);
const request = (shell: string): CommandRequest => ({
  command: { shell },
  cwd: folder,
  env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  timeoutMs: 1,
  keepBytes: 4000,
  spoolFile: join(folder, `spool-${(count += 1)}`),
});
const launch = (jobs: JobRegistry, shell: string): Promise<Job> =>
  jobs.launch(request(shell), { command: shell, directory: folder });

describe('the jobs of a session', () => {
  it('are counted while they start too: no more than may run', async () => {
    const jobs = registry({ running: 2 });
    const started = await Promise.allSettled([1, 2, 3, 4].map(() => launch(jobs, 'sleep 30')));
    expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await expect(launch(jobs, 'true')).rejects.toThrow('2 jobs run already (job-1, job-2). Stop one');
    await jobs.get('job-1').live.stop('stopped');
    expect((await launch(jobs, 'sleep 30')).id).toBe('job-3');
    await jobs.close();
    expect(jobs.list().map(({ outcome }) => outcome?.ending)).toEqual(['stopped', 'stopped', 'stopped']);
  });

  it('that ended are forgotten, the oldest first, with their files', async () => {
    const jobs = registry({ ended: 2 });
    for (const text of ['one', 'two', 'three']) await (await launch(jobs, `echo ${text}`)).live.ended;
    await sleep(50);
    expect(jobs.list().map(({ id }) => id)).toEqual(['job-2', 'job-3']);
    expect(() => jobs.get('job-1')).toThrow('There is no job "job-1". There are: job-2, job-3.');
    const files = jobs.list().map(({ live }) => live.spooled.spoolFile ?? '');
    expect(files.map(existsSync)).toEqual([true, true]);
    expect(readdirSync(folder).filter((name) => name.startsWith('spool'))).toHaveLength(2);
  });

  it('are ended at their age, and later forgotten', async () => {
    const jobs = registry({ ageMs: 400 });
    const job = await launch(jobs, 'echo x; sleep 30');
    expect((await job.live.ended).ending).toBe('stopped');
    expect(job.endedBecause).toContain('the longest that a job may');
    await sleep(600);
    expect(jobs.list()).toEqual([]);
  });

  it('write no more than their share to the disk; what comes after is counted, and its end can be looked at', async () => {
    const jobs = registry({ outputBytes: 10_000 });
    const job = await launch(jobs, 'seq 1 200000; echo end');
    await job.live.ended;
    const { spoolFile = '', spooledBytes } = job.live.spooled;
    expect([statSync(spoolFile).size, spooledBytes]).toEqual([10_000, 10_000]);
    expect(job.live.totalBytes).toBe(1_288_895 + 4);
    expect((await job.look()).tail.endsWith('\n200000\nend\n')).toBe(true);
  });

  it('tell their end once to whoever listens, after what they changed is known', async () => {
    const jobs = registry();
    const told: string[] = [];
    const stop = jobs.listen(({ kind, job }) => told.push(`${kind} ${job.id} ${job.changes?.created.join() ?? '-'}`));
    const [one, two] = [await launch(jobs, 'sleep 0.1'), await launch(jobs, 'true')];
    one.follow(one.live.ended.then(() => sleep(200)).then(() => ({ created: ['x'], modified: [], deleted: [] })));
    await two.settled();
    await one.settled();
    await sleep(0);
    expect(told).toEqual(['ended job-2 -', 'ended job-1 x']);
    stop();
    await (await launch(jobs, 'true')).settled();
    expect(told).toHaveLength(2);
    expect(one.endSeen).toBe(false);
    one.noteEndSeen();
    expect(one.endSeen).toBe(true);
  });

  it('all end, with the reason that is given, and what they changed is known then', async () => {
    const jobs = registry();
    const job = await launch(jobs, 'sleep 30');
    job.noteEndSeen();
    job.follow(job.live.ended.then(() => sleep(100)).then(() => ({ created: [], modified: ['y'], deleted: [] })));
    expect((await jobs.endAll('the run is over')).map(({ id }) => id)).toEqual(['job-1']);
    expect(job).toMatchObject({ endedBecause: 'the run is over', endSeen: false, changes: { modified: ['y'] } });
    expect(await jobs.endAll()).toEqual([]);
  });

  it('cannot begin where nothing can', async () => {
    const jobs = registry();
    const gone = { ...request('true'), cwd: join(folder, 'gone') };
    await expect(jobs.launch(gone, { command: 'true', directory: folder })).rejects.toThrow('does not exist');
    expect(jobs.list()).toEqual([]);
    expect(() => jobs.get('x')).toThrow('There are none.');
  });

  it('tell each byte once, with what was left out between two looks', async () => {
    const job = await launch(registry(), 'echo begin; sleep 0.3; seq 1 5000; echo end');
    await sleep(150);
    expect((await job.look()).head).toBe('begin\n');
    await job.live.ended;
    const { head, tail, omittedBytes } = await job.look();
    expect(head.startsWith('1\n2\n')).toBe(true);
    expect(tail.endsWith('\n5000\nend\n')).toBe(true);
    expect(head.length + tail.length + omittedBytes).toBe(23_893 + 4);
    expect(await job.look()).toEqual({ head: '', tail: '', omittedBytes: 0 });
  });
});
