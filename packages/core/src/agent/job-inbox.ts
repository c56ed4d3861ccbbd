import type { Job } from '../process/jobs/job.js';
import type { JobNews, JobRegistry } from '../process/jobs/job-registry.js';
import type { BackgroundSubagent } from '../subagents/subagent-types.js';
import { abortable } from '../util/abort.js';
import type { JobEvent, SubagentEvent } from './events.js';
import { newsNote } from './job-note.js';

/** News that wait to be told; of more the oldest are dropped, and `job_list` still knows them. */
const MOST_KEPT = 64;

type SubagentEnd = Extract<SubagentEvent, { type: 'subagent-end' }>;

interface AgentNews {
  readonly agent: BackgroundSubagent;
  readonly end: SubagentEnd;
}

/** The agents that work in the background of a session. */
export interface AgentsInBackground {
  list(): readonly BackgroundSubagent[];
  listen(listener: (news: AgentNews) => void): () => void;
  endAll(why?: string): Promise<void>;
}

type News = JobNews | ({ readonly kind: 'agent' } & AgentNews);

/**
 * What happened to jobs and to agents in the background while nobody waited for them, until it was told: once to the readers
 * of the events, once to the model. What a call's result told in the meantime is not told again.
 */
export class JobInbox {
  readonly #jobs: JobRegistry;
  readonly #folder: string;
  readonly #agents: AgentsInBackground | undefined;
  #forReaders: News[] = [];
  #forModel: News[] = [];

  /** `folder`: absolute; the model is told of changed files relative to it. */
  constructor(jobs: JobRegistry, folder: string, agents?: AgentsInBackground) {
    this.#jobs = jobs;
    this.#folder = folder;
    this.#agents = agents;
    jobs.listen((news) => this.#note(news));
    agents?.listen((news) => this.#note({ kind: 'agent', ...news }));
  }

  /** What the readers were not told yet. */
  takeEvents(): (JobEvent | SubagentEnd)[] {
    // Of an agent the stream told the beginning, so that it tells the end whoever has heard of it.
    const news = this.#forReaders.filter((one) => one.kind === 'agent' || isNews(one));
    this.#forReaders = [];
    return news.map((one) => (one.kind === 'agent' ? one.end : jobEvent(one)));
  }

  /** What the model was not told yet, as a text for it; undefined when there is nothing. */
  takeNote(): string | undefined {
    const news = this.#forModel.filter((one) => isNews(one));
    this.#forModel = [];
    for (const one of news) {
      if (one.kind === 'agent') one.agent.noteEndSeen();
      else if (one.kind === 'ended') one.job.noteEndSeen();
      else one.job.noteWaitSeen();
    }
    return news.length === 0 ? undefined : newsNote(news, this.#folder);
  }

  /**
   * Waits as long as agents work and none has ended that the model was not told of. Resolves to whether there is one to tell
   * of; rejects with the signal's reason only.
   */
  async waitForAgents(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#forModel.some((one) => one.kind === 'agent' && isNews(one))) return true;
      const agents = this.#agents;
      if (agents === undefined || !agents.list().some(({ state }) => state === 'running')) return false;
      let leave: (() => void) | undefined;
      const next = new Promise<void>((resolve) => {
        leave = agents.listen(() => resolve());
      });
      await abortable(next, signal).finally(() => leave?.());
    }
  }

  /** Ends all jobs and agents, since what they were started for is over, and tells that. */
  async endAll(): Promise<(JobEvent | SubagentEnd)[]> {
    await this.#agents?.endAll('the run that started it is over');
    const earlier = this.takeEvents();
    const ended = await this.#jobs.endAll('the run that started it is over');
    const told = new Set(earlier.map((event) => (event.type === 'subagent-end' ? undefined : event.jobId)));
    this.#forReaders = [];
    return [...earlier, ...ended.filter(({ id }) => !told.has(id)).map((job) => jobEvent({ kind: 'ended', job }))];
  }

  /** Another conversation begins, which knows nothing of the agents that this one started: they end, and the model is told nothing. */
  async endAgents(): Promise<void> {
    await this.#agents?.endAll('the conversation that started it is left');
    this.#forModel = this.#forModel.filter(({ kind }) => kind !== 'agent');
    for (const agent of this.#agents?.list() ?? []) agent.noteEndSeen();
  }

  #note(news: News): void {
    this.#forReaders = [...this.#forReaders, news].slice(-MOST_KEPT);
    this.#forModel = [...this.#forModel, news].slice(-MOST_KEPT);
  }
}

/** True while it is so and nobody was told. */
function isNews(news: News): boolean {
  if (news.kind === 'agent') return !news.agent.endSeen;
  return news.kind === 'ended' ? !news.job.endSeen : news.job.outcome === undefined && !news.job.waitSeen;
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
