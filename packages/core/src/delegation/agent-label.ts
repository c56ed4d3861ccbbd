/** What people are shown of a subagent's name. */
export function labelOf(agent: string, agentId: string): string {
  return `${agent} (${agentId})`;
}
