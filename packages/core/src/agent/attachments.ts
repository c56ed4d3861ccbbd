import { resolve } from 'node:path';
import type { MediaBlock, TextBlock } from '../models/model.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolNames } from '../tools/tool-names.js';
import type { AgentEvent } from './events.js';
import { toBlocks, type LoopServices } from './loop.js';

/** Of the paths that a prompt names, those that may be read and exist; a glob is taken as it is. */
export function attachable(paths: readonly string[], config: ToolRuntime): readonly string[] {
  const gate = config.getWorkspaceGate();
  return paths.filter((path) => {
    if (/[*?[{]/.test(path)) return true;
    const absolute = resolve(config.getTargetDir(), path);
    return gate.check(absolute) === null && gate.resolve(absolute).kind !== 'missing';
  });
}

/** Reads them with the model's own tool (S118), by the same rules and limits, for the opening of a prompt. */
export async function* readAttached(
  paths: readonly string[],
  runCalls: LoopServices['runCalls'],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly (TextBlock | MediaBlock)[]> {
  const call = { callId: 'attached', toolName: ToolNames.READ_MANY_FILES, argumentsText: JSON.stringify({ paths }) };
  const blocks: (TextBlock | MediaBlock)[] = [];
  for await (const event of runCalls([call], signal)) {
    yield event;
    if (event.type === 'tool-call-end')
      blocks.push({ type: 'text', text: 'The files named with @:' }, ...toBlocks(event.content));
  }
  return blocks;
}
