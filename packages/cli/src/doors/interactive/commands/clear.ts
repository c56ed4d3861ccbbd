import type { CommandBody } from './command-row.js';
import { say } from './lines.js';

/** `/clear`: a new, empty session. What was said stays in its own log. */
export const clearCommand: CommandBody = {
  run: async (_typed, { agent, showAgain }) => {
    const before = agent.sessionId;
    await agent.switchSession();
    showAgain();
    return say(`A new session. /resume ${before.slice(0, 8)} goes back to the last one.`);
  },
};
