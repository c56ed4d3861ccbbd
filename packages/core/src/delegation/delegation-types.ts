import type { CostMeter } from '../agent/prompt-limits.js';
import type { AgentOptions, NamedModel } from '../agent-types.js';
import type { Config } from '../config/config.js';
import type { Extensions } from '../extensions/open-extensions.js';
import type { OpenedHooks } from '../hooks/open-hooks.js';
import type { JobRegistry } from '../process/jobs/job-registry.js';
import type { ToolRuntime } from '../runtime.js';
import type { SchedulerServices } from '../scheduler/services.js';
import type { ProjectFolders } from '../session/project-folders.js';
import type { AgentDefinition, SubagentOrder, Subagents } from '../subagents/subagent-types.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { AgentOutlet } from './agent-outlet.js';
import type { Place } from './places-to-work.js';

/** A workspace of its own for an agent: absolute, canonical folders. */
export interface OwnPlace {
  readonly roots: readonly string[];
  readonly journalDir: string;
  readonly searchDir: string;
}

/** What a whole session has once. */
export interface DelegationSystem {
  readonly config: Config;
  /** What the calls of the agent go by that talks with the person. */
  readonly services: SchedulerServices;
  readonly extensions: Extensions;
  readonly hooks: OpenedHooks | undefined;
  readonly folders: ProjectFolders;
  /** Each agent looks after what it left running itself. */
  readonly newJobs: () => JobRegistry;
  readonly openPlace: (place: OwnPlace) => Config;
}

/** What subagents take from the agent that talks with the person. */
export interface DelegationHost {
  readonly options: Pick<
    AgentOptions,
    'maxToolCalls' | 'maxCost' | 'compactAt' | 'modelNamed' | 'version' | 'mcp' | 'approver' | 'tenonHome'
  >;
  readonly system: DelegationSystem;
  /** The model that answers now. */
  readonly model: () => NamedModel;
  /** `agents`: how many subagents its log knows of. */
  readonly session: () => {
    readonly id: string;
    readonly turn: number;
    readonly agents: number;
    /** Its calls have no id of these, from now on. */
    readonly shareCallIds: (taken: Set<string>) => void;
  };
  /** What the prompt that is worked on has cost. */
  readonly cost: () => CostMeter | undefined;
}

/** The agent that hands work on, as those below it know it. */
export interface AgentAbove {
  readonly config: Config;
  readonly runtime: ToolRuntime;
  readonly registry: ToolRegistry;
  readonly services: SchedulerServices;
  /** Where its changes are written down. */
  readonly journalDir: string;
  readonly outlet: AgentOutlet;
  readonly depth: number;
  readonly model: () => NamedModel;
  /** What it works in; undefined for the one that talks with the person. */
  readonly place: Place | undefined;
  readonly nextId: () => string;
}

/** What becomes one subagent. */
export interface SubagentTask {
  readonly order: SubagentOrder;
  readonly definition: AgentDefinition;
  readonly agentId: string;
  readonly above: AgentAbove;
  readonly host: DelegationHost;
  /** Right to work, which it lends to those below it. */
  readonly place: Place;
  /** Ids of calls of all agents of the session. */
  readonly taken: Set<string>;
  readonly limits: { readonly maxTurns: number; readonly maxSeconds: number };
  /** Who takes work from it. */
  readonly below: (above: AgentAbove) => Subagents;
}
