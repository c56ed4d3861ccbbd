import { writeSync } from 'node:fs';
import { createToolSystem } from '../packages/core/src/create-agent.js';
import type { CallRequest } from '../packages/core/src/scheduler/prepare-call.js';
import { yoloOptions } from './yolo-options.js';

/** Runs the calls that it is given, one after the other, says `done`, and stays until it is killed. */
const [, , root = '', home = '', calls = '[]'] = process.argv;
const system = await createToolSystem(yoloOptions(root, home));
for (const request of JSON.parse(calls) as readonly CallRequest[]) {
  for await (const event of system.runCalls([request], new AbortController().signal)) {
    if (event.type === 'tool-call-end' && event.status !== 'success') writeSync(1, JSON.stringify(event.content));
  }
}
writeSync(1, 'done\n');
setInterval(() => undefined, 1000);
