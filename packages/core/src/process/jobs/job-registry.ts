import { unlink } from 'node:fs/promises';
import { Failure } from '../../util/failure.js';
import type { CommandRequest } from '../command-types.js';
import type { LiveCommand } from '../live-command.js';
import { Job } from './job.js';
import { watchForQuestions } from './watch-for-questions.js';

/** What happened to a job while nobody waited for it. */
export type JobNews =
  | { readonly kind: 'ended'; readonly job: Job }
  /** It waits for somebody to type; `prompt` is the unfinished line that it printed last, and may be empty. */
  | { readonly kind: 'waits'; readonly job: Job; readonly prompt: string };

export type JobListener = (news: JobNews) => void;

export interface JobLimits {
  /** Jobs that run at the same time. */
  readonly running: number;
  /** Jobs that are remembered after they ended; the oldest are forgotten first, with their files. */
  readonly ended: number;
  /** What the file of one job holds at most; what comes after is counted, and the end of it kept in memory. */
  readonly outputBytes: number;
  /** A job is ended, and one that ended forgotten, when it is this old. */
  readonly ageMs: number;
}

export const JOB_LIMITS: JobLimits = {
  running: 16,
  ended: 32,
  outputBytes: 256 * 1024 * 1024,
  ageMs: 8 * 60 * 60 * 1000,
};

/** The commands that run in the background in one session, and those that did. They end with the session. */
export class JobRegistry {
  readonly limits: JobLimits;
  readonly #start: (request: CommandRequest) => Promise<LiveCommand | string>;
  readonly #jobs = new Map<string, Job>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #listeners = new Set<JobListener>();
  #count = 0;
  #starting = 0;

  constructor(start: (request: CommandRequest) => Promise<LiveCommand | string>, limits: Partial<JobLimits> = {}) {
    this.#start = start;
    this.limits = { ...JOB_LIMITS, ...limits };
  }

  /** Starts a command that may become a job. The reason when it cannot be started. */
  start(request: CommandRequest): Promise<LiveCommand | string> {
    return this.#start(request);
  }

  /** Starts a command in the background. @throws Failure `too_many_jobs`, `job_not_started` */
  async launch(request: CommandRequest, what: { readonly command: string; readonly directory: string }): Promise<Job> {
    this.#needRoom();
    this.#starting += 1;
    try {
      const live = await this.start(request);
      if (typeof live === 'string') throw new Failure('job_not_started', live);
      return this.#keep(live, what);
    } finally {
      this.#starting -= 1;
    }
  }

  /** A command that runs goes on in the background. Undefined when too many do. */
  adopt(live: LiveCommand, what: { readonly command: string; readonly directory: string }): Job | undefined {
    return this.hasRoom ? this.#keep(live, what) : undefined;
  }

  get hasRoom(): boolean {
    return this.#running().length + this.#starting < this.limits.running;
  }

  /** @throws Failure `job_not_found` */
  get(id: string): Job {
    const job = this.#jobs.get(id);
    if (job !== undefined) return job;
    const ids = [...this.#jobs.keys()];
    const known = ids.length === 0 ? 'There are none.' : `There are: ${ids.join(', ')}.`;
    throw new Failure('job_not_found', `There is no job ${JSON.stringify(id.slice(0, 40))}. ${known}`);
  }

  /** In the order in which they began. */
  list(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  /** Tells what happens to jobs, once each, until the returned function is called. A listener must not throw. */
  listen(listener: JobListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all that run, and waits until what they changed is known. More may be started later. */
  async endAll(why?: string): Promise<readonly Job[]> {
    const running = this.#running();
    await Promise.all(running.map((job) => (why === undefined ? job.live.stop('stopped') : job.endBecause(why))));
    await Promise.all(this.list().map((job) => job.settled()));
    return running;
  }

  /** Ends all that run. */
  async close(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await this.endAll();
  }

  #running(): Job[] {
    return this.list().filter(({ outcome }) => outcome === undefined);
  }

  #needRoom(): void {
    if (this.hasRoom) return;
    const ids = this.#running().map(({ id }) => id);
    throw new Failure(
      'too_many_jobs',
      `${this.limits.running} jobs run already (${ids.join(', ')}). Stop one that is not needed any more.`,
    );
  }

  #keep(live: LiveCommand, what: { readonly command: string; readonly directory: string }): Job {
    this.#count += 1;
    const job = new Job(`job-${this.#count}`, live, what);
    live.leaveAlone(this.limits.outputBytes);
    this.#jobs.set(job.id, job);
    const hours = Math.round(this.limits.ageMs / 360_000) / 10;
    this.#after(job, () => void job.endBecause(`it ran for ${hours} hours, the longest that a job may`));
    watchForQuestions(job, (prompt) => this.#tell({ kind: 'waits', job, prompt }));
    void live.ended.then(() => {
      this.#after(job, () => this.#forget(job));
      this.#tidy();
    });
    void job.settled().then(() => this.#tell({ kind: 'ended', job }));
    return job;
  }

  #tell(news: JobNews): void {
    for (const listener of this.#listeners) listener(news);
  }

  /** Forgets the oldest of those that ended. */
  #tidy(): void {
    const ended = this.list().filter(({ outcome }) => outcome !== undefined);
    for (const job of ended.slice(0, Math.max(0, ended.length - this.limits.ended))) this.#forget(job);
  }

  #forget(job: Job): void {
    clearTimeout(this.#timers.get(job.id));
    this.#timers.delete(job.id);
    this.#jobs.delete(job.id);
    const { spoolFile } = job.live.spooled;
    if (spoolFile !== undefined) unlink(spoolFile).catch(() => undefined);
  }

  /** One timer for each job: first its age, then how long it is remembered. */
  #after(job: Job, act: () => void): void {
    clearTimeout(this.#timers.get(job.id));
    const timer = setTimeout(act, this.limits.ageMs);
    timer.unref();
    this.#timers.set(job.id, timer);
  }
}
