import { safeBlock } from '../../../ui/safe-lines.js';
import { serverCommand } from '../server-commands.js';
import type { CommandBody } from './command-row.js';
import { completionsOf } from './lines.js';

/** `/mcp [reconnect NAME]`: servers with their tools and prompts, or connects one anew. */
export const mcpCommand: CommandBody = {
  run: async (typed, { agent, signal }) => {
    const answer = await serverCommand(`/mcp ${typed}`.trim(), agent.mcp, signal);
    return answer !== undefined && 'shown' in answer ? { shown: safeBlock(answer.shown) } : {};
  },
  complete: async (typed, { agent }) => {
    const name = /^reconnect\s+(.*)$/s.exec(typed)?.[1];
    if (name === undefined) return completionsOf([{ word: 'reconnect', detail: 'connects one anew' }], typed);
    return completionsOf(
      agent.mcp.list().map(({ alias, state }) => ({ word: alias, detail: state })),
      name,
    );
  },
};
