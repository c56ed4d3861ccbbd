import { resolve } from 'node:path';
import type { MediaBlock, TextBlock } from '../models/model.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolNames } from '../tools/tool-names.js';
import type { Part } from '../tools/tool-result.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { AgentEvent } from './events.js';
import { toBlocks } from './call-result.js';
import type { LoopServices } from './loop-types.js';
import { withLines, type LineRange } from './mentions.js';

/** A file, folder or glob; `lines` of a file, from 1. */
export interface AttachedPath {
  readonly path: string;
  readonly lines?: LineRange;
}

/** Finds the mentions that exist and may be read, by mention; a glob is taken as it is. */
export function attachable(mentions: readonly string[], config: ToolRuntime): ReadonlyMap<string, AttachedPath> {
  const gate = config.getWorkspaceGate();
  const isThere = (path: string): boolean => {
    const absolute = resolve(config.getTargetDir(), path);
    return gate.check(absolute) === null && gate.resolve(absolute).kind !== 'missing';
  };
  const found = (mention: string): AttachedPath | undefined => {
    if (isThere(mention)) return { path: mention };
    const ranged = withLines(mention);
    if (ranged !== undefined && isThere(ranged.path)) return ranged;
    return /[*?[{]/.test(mention) ? { path: mention } : undefined;
  };
  return new Map(
    mentions.flatMap((mention) => {
      const attached = found(mention);
      return attached === undefined ? [] : [[mention, attached]];
    }),
  );
}

/** What goes with a prompt beside its words. */
export interface Attached {
  readonly paths: readonly AttachedPath[];
  readonly resources: readonly { readonly server: string; readonly uri: string }[];
  readonly content: readonly Part[];
  /** Why others that were named are not sent, a sentence each. */
  readonly notSent: () => Promise<readonly string[]>;
}

/** Reads them with the model's own tools (S118), by the same rules and limits, for the opening of a prompt. */
export async function* readAttached(
  { paths, resources, content, notSent }: Attached,
  { runCalls, folder }: Pick<LoopServices, 'runCalls'> & { readonly folder: string },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly (TextBlock | MediaBlock)[]> {
  const readings = readingsOf(paths, resources, folder);
  const blocks: (TextBlock | MediaBlock)[] = toBlocks(content);
  const reasons = await notSent();
  for (const text of reasons) yield { type: 'notice', level: 'warning', text };
  if (reasons.length > 0)
    blocks.push({ type: 'text', text: ['Not all that is named with @ was sent:', ...reasons].join('\n') });
  if (readings.length === 0) return blocks;
  const ends = new Map<string, readonly Part[]>();
  for await (const event of runCalls(
    readings.map(({ call }) => call),
    signal,
  )) {
    yield event;
    if (event.type === 'tool-call-end') ends.set(event.callId, event.content);
  }
  for (const { heading, call } of readings)
    blocks.push({ type: 'text', text: heading }, ...toBlocks(ends.get(call.callId) ?? []));
  return blocks;
}

interface Reading {
  readonly heading: string;
  readonly call: CallRequest;
}

/** Groups the reads: whole files in one call, each range of lines and each resource in its own. Pure. */
function readingsOf(
  paths: readonly AttachedPath[],
  resources: Attached['resources'],
  folder: string,
): readonly Reading[] {
  const whole = paths.flatMap(({ path, lines }) => (lines === undefined ? [path] : []));
  const wanted = [
    ...(whole.length === 0 ? [] : [['The files named with @:', ToolNames.READ_MANY_FILES, { paths: whole }] as const]),
    ...paths.flatMap(({ path, lines }) =>
      lines === undefined
        ? []
        : [[linesHeading(path, lines), ToolNames.READ_FILE, linesOf(resolve(folder, path), lines)] as const],
    ),
    ...resources.map(
      ({ server, uri }) =>
        [
          `The resource named with @${server}:${uri}:`,
          ToolNames.MCP_RESOURCE,
          { operation: 'read', server, uri },
        ] as const,
    ),
  ];
  return wanted.map(([heading, toolName, args], index) => ({
    heading,
    call: {
      callId: index === 0 ? 'attached' : `attached-${index}`,
      toolName,
      argumentsText: JSON.stringify(args),
    },
  }));
}

function linesHeading(path: string, { first, last }: LineRange): string {
  return `${first === last ? `Line ${first}` : `Lines ${first} to ${last}`} of ${path}, named with @:`;
}

function linesOf(absolute_path: string, { first, last }: LineRange) {
  return { absolute_path, offset: first - 1, limit: last - first + 1 };
}
