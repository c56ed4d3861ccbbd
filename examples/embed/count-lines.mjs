// An agent inside a program of its own. `node count-lines.mjs`, in the folder that it is to look at.
import { openAgent } from '@tenon/core';

const agent = await openAgent({
  host: process,
  approve: ({ displayName }) => `${displayName} is not needed for counting.`,
});
try {
  const schema = { type: 'object', properties: { lines: { type: 'integer' } }, required: ['lines'] };
  const { json, denials } = await agent.ask('How many lines has notes.txt?', { schema });
  console.log(`${json.lines} lines; ${denials.length} calls were refused`);
} finally {
  await agent.close();
}
