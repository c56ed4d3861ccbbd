import type {
  AgentDefinition,
  AgentSettings,
  BackgroundSubagent,
  SubagentOrder,
  SubagentReport,
  Subagents,
} from '../subagents/subagent-types.js';
import { Failure } from '../util/failure.js';
import { nearestName } from '../util/nearest-names.js';
import { AgentOutlet } from './agent-outlet.js';
import { BackgroundAgents, type WorkDone } from './background-agents.js';
import type { AgentAbove, DelegationHost } from './delegation-types.js';
import { PlacesToWork, type Place } from './places-to-work.js';

const DEFAULTS = { maxTurns: 50, maxSeconds: 1800, maxParallel: 8, maxDepth: 3 } as const;

export interface DelegationOptions {
  /** In the order in which models see them. */
  readonly definitions: readonly AgentDefinition[];
  readonly settings: AgentSettings;
}

/** All who take work from the agent that talks with the person, and from those below it. */
export class Delegation {
  readonly definitions: readonly AgentDefinition[];
  readonly background = new BackgroundAgents();
  /** What those right below the agent that talks with the person tell. */
  readonly outlet = new AgentOutlet();
  /** Who takes work from it. */
  readonly main: Subagents;
  readonly limits: Required<Omit<AgentSettings, 'isTrusted' | 'extensions'>>;
  readonly places: PlacesToWork;
  /** Ids of calls of all agents: none stands for two. */
  readonly taken = new Set<string>();
  /** Those that a call waits for, by their ids. */
  readonly working = new Map<string, AbortController>();
  #host: DelegationHost | undefined;
  #count = 0;
  #session: string | undefined;

  constructor({ definitions, settings }: DelegationOptions) {
    this.definitions = definitions;
    const { isTrusted: _trusted, extensions: _extensions, ...limits } = settings;
    this.limits = { ...DEFAULTS, ...limits };
    this.places = new PlacesToWork(this.limits.maxParallel);
    this.main = new HandedOn(this, () => this.#above());
  }

  /** Once the agent is there; nothing can be handed on before. */
  connect(host: DelegationHost): void {
    this.#host = host;
  }

  /** @throws Failure `no_agent` */
  get host(): DelegationHost {
    if (this.#host !== undefined) return this.#host;
    throw new Failure('no_agent', 'There is no agent here that could hand work on.');
  }

  /** Ends those that work in the background. Those that a call waits for end with it. */
  async close(): Promise<void> {
    await this.background.endAll('the session is over');
  }

  #above(): AgentAbove {
    const { system, model } = this.host;
    const { config, services } = system;
    return {
      config,
      runtime: config,
      registry: config.getToolRegistry(),
      services,
      journalDir: system.folders.journal,
      outlet: this.outlet,
      depth: 0,
      model,
      place: undefined,
      nextId: () => this.#nextId(),
    };
  }

  /** No agent of a session has the name of another, also of those that its log knows; nor has a call. */
  #nextId(): string {
    const { id, agents, shareCallIds } = this.host.session();
    // While its call runs it asks the model nothing: none of its answers misses what those below it take.
    shareCallIds(this.taken);
    if (id !== this.#session) this.#count = 0;
    this.#session = id;
    this.#count = Math.max(this.#count, agents) + 1;
    return `a${this.#count}`;
  }
}

/** Who takes work from one agent. */
class HandedOn implements Subagents {
  readonly #all: Delegation;
  readonly #above: () => AgentAbove;

  constructor(
    all: Delegation,
    above: () => AgentAbove,
    readonly depth = 0,
  ) {
    this.#all = all;
    this.#above = above;
  }

  definitions(): readonly AgentDefinition[] {
    return this.#all.definitions;
  }

  refusal(): string | undefined {
    const { maxDepth } = this.#all.limits;
    if (this.depth < maxDepth) return undefined;
    return `Work may be handed on ${maxDepth} ${maxDepth === 1 ? 'time' : 'times'} only (setting agents.maxDepth), and you are at the end of that. Do it yourself.`;
  }

  async run(order: SubagentOrder, signal: AbortSignal, update: (status: string) => void): Promise<SubagentReport> {
    const definition = this.#accepted(order);
    const above = this.#above();
    const agentId = above.nextId();
    const own = new AbortController();
    const { working } = this.#all;
    working.set(agentId, own);
    try {
      const until = AbortSignal.any([signal, own.signal]);
      const { report } = await this.#work({ order, definition, agentId, above }, until, update);
      signal.throwIfAborted();
      return report;
    } finally {
      working.delete(agentId);
    }
  }

  async start(order: SubagentOrder): Promise<BackgroundSubagent> {
    const definition = this.#accepted(order);
    if (this.depth > 0)
      throw new Failure(
        'no_background',
        'A subagent cannot have others work on behind it: wait for them, without `run_in_background`.',
      );
    const above = this.#above();
    const { background } = this.#all;
    const agentId = above.nextId();
    const { description, callId } = order;
    return background.start({
      agentId,
      agent: definition.name,
      description,
      callId,
      model: definition.model ?? above.model().model.label,
      run: async (signal, doing) => this.#work({ order, definition, agentId, above }, signal, doing),
    });
  }

  background(): readonly BackgroundSubagent[] {
    return this.depth > 0 ? [] : this.#all.background.list();
  }

  async stop(agentId: string): Promise<boolean> {
    if (this.depth > 0) return false;
    const own = this.#all.working.get(agentId);
    own?.abort(new Failure('agent_stopped', 'The person stopped the agent.'));
    return own !== undefined || this.#all.background.stop(agentId);
  }

  /** @throws Failure `delegation_refused`, `unknown_agent` */
  #accepted({ agent }: SubagentOrder): AgentDefinition {
    const refusal = this.refusal();
    if (refusal !== undefined) throw new Failure('delegation_refused', refusal);
    const found = this.definitions().find(({ name }) => name === agent);
    if (found !== undefined) return found;
    const names = this.definitions().map(({ name }) => name);
    const near = nearestName(agent, names);
    const hint = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`;
    throw new Failure('unknown_agent', `There is no agent ${JSON.stringify(agent.slice(0, 100))}. ${hint}`);
  }

  async #work(
    { order, definition, agentId, above }: Handed,
    signal: AbortSignal,
    update: (status: string) => void,
  ): Promise<WorkDone> {
    const all = this.#all;
    const { places, limits, taken } = all;
    // What works beside the agent above has no use of its place.
    const lender = order.isBackground ? undefined : above.place;
    if (places.mustWait(lender))
      update(`waits for one of ${limits.maxParallel} agents to end (setting agents.maxParallel)`);
    const place: Place = await places.take(lender, signal);
    try {
      const { runSubagent } = await import('./run-subagent.js');
      const { maxTurns = limits.maxTurns, maxSeconds = limits.maxSeconds } = definition;
      return await runSubagent(
        {
          order: { ...order, isolation: order.isolation ?? definition.isolation },
          definition,
          agentId,
          above,
          host: all.host,
          place,
          taken,
          limits: { maxTurns, maxSeconds },
          below: (self) => new HandedOn(all, () => self, self.depth),
        },
        signal,
        update,
      );
    } finally {
      place.release();
    }
  }
}

interface Handed {
  readonly order: SubagentOrder;
  readonly definition: AgentDefinition;
  readonly agentId: string;
  readonly above: AgentAbove;
}
