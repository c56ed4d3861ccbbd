import { resolve } from 'node:path';
import type { MediaBlock, TextBlock } from '../models/model.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolNames } from '../tools/tool-names.js';
import type { Part } from '../tools/tool-result.js';
import type { AgentEvent } from './events.js';
import { toBlocks } from './call-result.js';
import type { LoopServices } from './loop-types.js';

/** Of the paths that a prompt names, those that may be read and exist; a glob is taken as it is. */
export function attachable(paths: readonly string[], config: ToolRuntime): readonly string[] {
  const gate = config.getWorkspaceGate();
  return paths.filter((path) => {
    if (/[*?[{]/.test(path)) return true;
    const absolute = resolve(config.getTargetDir(), path);
    return gate.check(absolute) === null && gate.resolve(absolute).kind !== 'missing';
  });
}

/** What goes with a prompt beside its words. */
export interface Attached {
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  readonly resources: readonly { readonly server: string; readonly uri: string }[];
  readonly content: readonly Part[];
  /** Why others that were named are not sent, a sentence each. */
  readonly notSent: () => Promise<readonly string[]>;
}

/** Reads them with the model's own tools (S118), by the same rules and limits, for the opening of a prompt. */
export async function* readAttached(
  { paths, resources, content, notSent }: Attached,
  runCalls: LoopServices['runCalls'],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly (TextBlock | MediaBlock)[]> {
  const files = { callId: 'attached', toolName: ToolNames.READ_MANY_FILES, argumentsText: JSON.stringify({ paths }) };
  const others = resources.map(({ server, uri }, index) => ({
    callId: `attached-${index + 1}`,
    toolName: ToolNames.MCP_RESOURCE,
    argumentsText: JSON.stringify({ operation: 'read', server, uri }),
  }));
  const calls = [...(paths.length > 0 ? [files] : []), ...others];
  const blocks: (TextBlock | MediaBlock)[] = toBlocks(content);
  const reasons = await notSent();
  for (const text of reasons) yield { type: 'notice', level: 'warning', text };
  if (reasons.length > 0)
    blocks.push({ type: 'text', text: ['Not all that is named with @ was sent:', ...reasons].join('\n') });
  if (calls.length === 0) return blocks;
  const ends = new Map<string, readonly Part[]>();
  for await (const event of runCalls(calls, signal)) {
    yield event;
    if (event.type === 'tool-call-end') ends.set(event.callId, event.content);
  }
  if (paths.length > 0) blocks.push({ type: 'text', text: 'The files named with @:' });
  blocks.push(...toBlocks(ends.get(files.callId) ?? []));
  for (const [index, { callId }] of others.entries()) {
    blocks.push({
      type: 'text',
      text: `The resource named with @${resources[index]?.server}:${resources[index]?.uri}:`,
    });
    blocks.push(...toBlocks(ends.get(callId) ?? []));
  }
  return blocks;
}
