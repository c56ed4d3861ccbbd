import type { Job } from '../process/jobs/job.js';
import type { JobNews, JobRegistry } from '../process/jobs/job-registry.js';
import type { JobEvent } from './events.js';
import { jobNote } from './job-note.js';

/** News that wait to be told; of more the oldest are dropped, and `job_list` still knows them. */
const MOST_KEPT = 64;

/**
 * What happened to jobs while nobody waited for them, until it was told: once to the readers of the events, once to the
 * model. What a call's result told in the meantime is not told again.
 */
export class JobInbox {
  readonly #jobs: JobRegistry;
  readonly #folder: string;
  #forReaders: JobNews[] = [];
  #forModel: JobNews[] = [];

  /** `folder`: absolute; the model is told of changed files relative to it. */
  constructor(jobs: JobRegistry, folder: string) {
    this.#jobs = jobs;
    this.#folder = folder;
    jobs.listen((news) => {
      this.#forReaders = [...this.#forReaders, news].slice(-MOST_KEPT);
      this.#forModel = [...this.#forModel, news].slice(-MOST_KEPT);
    });
  }

  /** What the readers were not told yet. */
  takeEvents(): JobEvent[] {
    const news = this.#forReaders.filter((one) => isNews(one));
    this.#forReaders = [];
    return news.map(jobEvent);
  }

  /** What the model was not told yet, as a text for it; undefined when there is nothing. */
  takeNote(): string | undefined {
    const news = this.#forModel.filter((one) => isNews(one));
    this.#forModel = [];
    for (const { kind, job } of news) {
      if (kind === 'ended') job.noteEndSeen();
      else job.noteWaitSeen();
    }
    return news.length === 0 ? undefined : jobNote(news, this.#folder);
  }

  /** Ends all jobs, since what they were started for is over, and tells that. */
  async endAll(): Promise<JobEvent[]> {
    const earlier = this.takeEvents();
    const ended = await this.#jobs.endAll('the run that started it is over');
    const told = new Set(earlier.map(({ jobId }) => jobId));
    this.#forReaders = [];
    return [...earlier, ...ended.filter(({ id }) => !told.has(id)).map((job) => jobEvent({ kind: 'ended', job }))];
  }
}

/** True while it is so and nobody was told. */
function isNews({ kind, job }: JobNews): boolean {
  return kind === 'ended' ? !job.endSeen : job.outcome === undefined && !job.waitSeen;
}

/** The same as an event, for doors and the session's log. */
export function jobEvent(news: JobNews): JobEvent {
  const { job } = news;
  const { id: jobId, command } = job;
  if (news.kind === 'waits') return { type: 'job-wait', jobId, command, prompt: news.prompt };
  return { type: 'job-end', jobId, command, ...howItEnded(job) };
}

function howItEnded({
  outcome,
  live,
  endedBecause,
  changes,
}: Job): Omit<Extract<JobEvent, { type: 'job-end' }>, 'type' | 'jobId' | 'command'> {
  return {
    exitCode: outcome?.exitCode ?? null,
    signal: outcome?.signal ?? null,
    durationMs: Math.round(live.durationMs),
    ...(endedBecause === undefined ? {} : { reason: endedBecause }),
    ...(changes === undefined ? {} : { changes }),
  };
}
