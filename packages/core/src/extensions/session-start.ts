import type { AgentEvent } from '../agent/events.js';
import type { ToolRuntime } from '../runtime.js';
import type { ToolRegistry } from '../tools/tool-registry.js';

export interface SessionStartFacts {
  readonly sessionId: string;
  readonly version: string;
  /** Its label. */
  readonly model: string;
}

/** What a session, or the log of a subagent, begins with. */
export function sessionStart(
  { sessionId, version, model }: SessionStartFacts,
  runtime: Pick<ToolRuntime, 'getWorkspaceContext' | 'getApprovalMode'>,
  registry: ToolRegistry,
): Extract<AgentEvent, { type: 'session-start' }> {
  return {
    type: 'session-start',
    sessionId,
    version,
    model,
    roots: runtime.getWorkspaceContext().getDirectories(),
    approvalMode: runtime.getApprovalMode(),
    tools: registry.getAllTools().map((tool) => tool.name),
  };
}
