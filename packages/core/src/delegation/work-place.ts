import type { SubagentEvent } from '../agent/events.js';
import type { Config } from '../config/config.js';
import type { JobRegistry } from '../process/jobs/job-registry.js';
import type { Caller, SchedulerServices } from '../scheduler/services.js';
import type { WorktreeReport } from '../subagents/subagent-types.js';
import { agentLabel } from './agent-label.js';
import type { DelegationSystem, SubagentTask } from './delegation-types.js';
import type { Worktree } from './worktree/worktree.js';

/** Where a subagent works: in the workspace of the agent above, or in one of its own. */
export interface WorkPlace {
  readonly config: Config;
  /** Of the agent above, in this workspace. */
  readonly services: SchedulerServices;
  readonly jobs: JobRegistry;
  readonly journalDir: string;
  /** For its system prompt. */
  readonly note?: string;
  /** Ends what it left running. */
  readonly close: () => Promise<void>;
  /** Brings back what was done in a workspace of its own, once it is closed. Never rejects. */
  readonly finish?: (returning: Returning) => Promise<WorktreeReport>;
}

/** On whose behalf something is brought back, and who is told. */
export interface Returning {
  readonly label: string;
  readonly caller: () => Caller;
  readonly emit: (event: Extract<SubagentEvent, { type: 'subagent-event' }>['event']) => void;
  readonly signal: AbortSignal;
}

/** @throws Failure where a workspace of its own cannot be made; the signal's reason */
export async function openWorkPlace(task: SubagentTask, signal: AbortSignal): Promise<WorkPlace> {
  signal.throwIfAborted();
  if (task.order.isolation === 'worktree') return inWorktree(task, signal);
  const { above, host } = task;
  const { config, services, journalDir } = above;
  const jobs = host.system.newJobs();
  return { config, services, jobs, journalDir, close: () => jobs.close() };
}

async function inWorktree(
  { above, host, agentId, definition, order }: SubagentTask,
  signal: AbortSignal,
): Promise<WorkPlace> {
  const { system, options } = host;
  const { openWorktree } = await import('./worktree/open-worktree.js');
  const source = {
    config: above.config,
    folders: system.folders,
    tenonHome: options.tenonHome,
    journalDir: above.journalDir,
  };
  const user = { agentId, agent: definition.name, description: order.description };
  const worktree = await openWorktree(source, user, signal);
  const { roots, journalDir, note } = worktree;
  const finish: WorkPlace['finish'] = async ({ label, ...rest }) =>
    worktree.finish({ services: { ...above.services, agent: label, agentId }, ...rest });
  const config = await openConfig(worktree, system).catch(async (thrown: unknown) => {
    await finish(unused(agentId, definition.name));
    throw thrown;
  });
  const policyContext = () => ({ ...above.services.policyContext(), roots });
  return {
    config,
    services: { ...above.services, gate: config.getWorkspaceGate(), policyContext },
    jobs: config.getJobs(),
    journalDir,
    note,
    close: () => config.close(),
    finish,
  };
}

/** For a place in which nothing was done: it goes. */
export function unused(agentId: string, agent: string): Returning {
  return {
    label: agentLabel(agent, agentId),
    caller: () => ({ agent: agentId, stillShown: () => false }),
    emit: () => undefined,
    signal: AbortSignal.abort(),
  };
}

async function openConfig({ roots, journalDir, searchDir }: Worktree, system: DelegationSystem): Promise<Config> {
  const config = system.openPlace({ roots, journalDir, searchDir });
  try {
    await Promise.all([config.getMemory().refresh(), config.getSkills().load()]);
    return config;
  } catch (thrown) {
    await config.close();
    throw thrown;
  }
}
