import type { CallEvent } from '../../scheduler/call-events.js';
import type { Caller, SchedulerServices } from '../../scheduler/services.js';
import type { ProjectFolders } from '../../session/project-folders.js';
import type { ToolRuntime } from '../../runtime.js';

/** The agent that hands work on. */
export interface WorktreeSource {
  readonly config: ToolRuntime;
  /** Of its project. */
  readonly folders: Pick<ProjectFolders, 'base'>;
  readonly tenonHome: string;
  /** Where its changes are written down. */
  readonly journalDir: string;
}

/** Who gets the worktree. */
export interface WorktreeUser {
  readonly agentId: string;
  readonly agent: string;
  readonly description: string;
}

/** Who gets the changes, and on whose behalf they are made. */
export interface WorktreeReturn {
  /** Of the agent above. */
  readonly services: SchedulerServices;
  /** The agent that made them. */
  readonly caller: () => Caller;
  readonly emit: (event: CallEvent) => void;
  /** Aborted: nothing is taken over. */
  readonly signal: AbortSignal;
}
