/** How a subagent is named to people, as in questions: `explore (a1)`. */
export function agentLabel(name: string, agentId: string): string {
  return `${name} (${agentId})`;
}
