import type { SubagentEvent } from '../agent/events.js';
import type { BackgroundSubagent, SubagentReport } from '../subagents/subagent-types.js';
import { errorMessage, Failure } from '../util/failure.js';

export type SubagentEnd = Extract<SubagentEvent, { type: 'subagent-end' }>;

/** What an agent does while the one above goes on. */
export interface BackgroundWork {
  readonly agentId: string;
  /** Name of its definition. */
  readonly agent: string;
  readonly description: string;
  /** Of the call that hands it on. */
  readonly callId: string;
  readonly model: string;
  /** `doing`: told what it does now. Aborted, it resolves with what there is, once all that it started has ended. */
  readonly run: (signal: AbortSignal, doing: (status: string) => void) => Promise<WorkDone>;
}

export interface WorkDone {
  readonly report: SubagentReport;
  readonly end: SubagentEnd;
}

/** An agent has ended while nobody waited for it. */
export interface AgentNews {
  readonly agent: BackgroundSubagent;
  readonly end: SubagentEnd;
}

export interface BackgroundLimits {
  /** Agents that work at the same time. */
  readonly running: number;
  /** That are remembered after their end; the oldest are forgotten first. */
  readonly ended: number;
}

const LIMITS: BackgroundLimits = { running: 8, ended: 64 };

/** The agents that work in the background of one session, and those that did. They end with it. */
export class BackgroundAgents {
  readonly #limits: BackgroundLimits;
  readonly #agents = new Map<string, LiveAgent>();
  readonly #listeners = new Set<(news: AgentNews) => void>();

  constructor(limits: Partial<BackgroundLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Begins at once, and returns before anything is done. @throws Failure `too_many_agents` */
  start(work: BackgroundWork): BackgroundSubagent {
    const running = this.running();
    if (running.length >= this.#limits.running) {
      const ids = running.map(({ agentId }) => agentId).join(', ');
      const message = `${running.length} agents work in the background already (${ids}). Wait for one, or stop one that is not needed any more.`;
      throw new Failure('too_many_agents', message);
    }
    const agent = new LiveAgent(work, ({ end }) => {
      this.#tidy();
      for (const listener of this.#listeners) listener({ agent, end });
    });
    this.#agents.set(work.agentId, agent);
    return agent;
  }

  /** In the order in which they began. */
  list(): readonly BackgroundSubagent[] {
    return [...this.#agents.values()];
  }

  running(): readonly BackgroundSubagent[] {
    return this.list().filter(({ state }) => state === 'running');
  }

  /** Ends it with all that it started, and waits for that. False when none of that id works. */
  async stop(agentId: string): Promise<boolean> {
    const agent = this.#agents.get(agentId);
    if (agent?.state !== 'running') return false;
    await agent.stop('it was stopped');
    return true;
  }

  /** Ends all that work, and waits for that. More may be started later. */
  async endAll(why = 'what it was started for is over'): Promise<void> {
    const all = [...this.#agents.values()].filter(({ state }) => state === 'running');
    await Promise.all(all.map((agent) => agent.stop(why)));
  }

  /** Tells of each end once, until the returned function is called. A listener must not throw. */
  listen(listener: (news: AgentNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the oldest of those that ended. */
  #tidy(): void {
    const ended = this.list().filter(({ state }) => state === 'ended');
    for (const { agentId } of ended.slice(0, Math.max(0, ended.length - this.#limits.ended)))
      this.#agents.delete(agentId);
  }
}

class LiveAgent implements BackgroundSubagent {
  readonly agentId: string;
  readonly agent: string;
  readonly description: string;
  readonly startedAt = Date.now();
  readonly ended: Promise<WorkDone>;
  readonly #stopper = new AbortController();
  #doing = '';
  #report: SubagentReport | undefined;
  #endSeen = false;

  /** `onEnd`: told the moment it has ended. */
  constructor(work: BackgroundWork, onEnd: (done: WorkDone) => void) {
    this.agentId = work.agentId;
    this.agent = work.agent;
    this.description = work.description;
    this.ended = this.#live(work, onEnd);
  }

  get state(): 'running' | 'ended' {
    return this.#report === undefined ? 'running' : 'ended';
  }

  get doing(): string {
    return this.#doing;
  }

  get report(): SubagentReport | undefined {
    return this.#report;
  }

  get endSeen(): boolean {
    return this.#endSeen;
  }

  noteEndSeen(): void {
    if (this.#report !== undefined) this.#endSeen = true;
  }

  async stop(why: string): Promise<void> {
    this.#stopper.abort(new Failure('agent_stopped', `The agent was ended: ${why}.`));
    await this.ended;
  }

  async #live(work: BackgroundWork, onEnd: (done: WorkDone) => void): Promise<WorkDone> {
    let done: WorkDone;
    try {
      // The call that started it has its answer first.
      await Promise.resolve();
      done = await work.run(this.#stopper.signal, (status) => {
        this.#doing = status;
      });
    } catch (thrown) {
      done = this.#failed(work, thrown);
    }
    this.#report = done.report;
    onEnd(done);
    return done;
  }

  /** How one ends that could not say so itself. */
  #failed({ agentId, callId, model }: BackgroundWork, thrown: unknown): WorkDone {
    const stopReason = this.#stopper.signal.aborted ? 'cancelled' : 'model-error';
    const counts = { turns: 0, toolCalls: 0, durationMs: Date.now() - this.startedAt };
    const message = errorMessage(thrown);
    const usage = { inputTokens: 0, outputTokens: 0 };
    return {
      report: { agentId, stopReason, text: '', message, ...counts, transcript: '' },
      end: { type: 'subagent-end', callId, agentId, stopReason, model, usage, ...counts },
    };
  }
}
