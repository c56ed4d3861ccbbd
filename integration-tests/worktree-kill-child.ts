import { createAgent } from '../packages/core/src/create-agent.js';
import { createOpenAiChatModel } from '../packages/core/src/models/openai-chat.js';
import { yoloOptions } from './yolo-options.js';

/** Prompts an agent once, and stays until it is killed. */
const [, , root = '', home = '', baseUrl = ''] = process.argv;
const agent = await createAgent({
  ...yoloOptions(root, home),
  model: createOpenAiChatModel({ baseUrl, model: 'scripted' }),
  version: 'test',
});
for await (const event of agent.prompt('go', undefined, { endsJobs: true })) void event;
process.stdout.write('done\n');
setInterval(() => undefined, 1000);
