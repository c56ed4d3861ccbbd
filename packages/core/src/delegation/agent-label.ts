/** What people are shown of a subagent's name. */
export function labelOf(agent: string, agentId: string): string {
  return `${agent} (${agentId})`;
}

/** The id in what people are shown; undefined where there is none. */
export function agentIdOf(label: string): string | undefined {
  return /\((a[\d.]+)\)$/.exec(label)?.[1];
}
