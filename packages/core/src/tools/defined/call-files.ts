import { isAbsolute, resolve } from 'node:path';
import type { CallContext } from '../../effects/call-context.js';
import { isPathEffect, type Effect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import { ToolError, ToolErrorType, type UpdateOutput } from '../tools.js';
import { isBelow } from './is-below.js';
import { placed } from './stated-effects.js';
import type { ToolCall, ToolPlace } from './tool-definition.js';

export function placeOf(runtime: ToolRuntime): ToolPlace {
  const root = runtime.getTargetDir();
  return { root, runtime, resolve: (path) => (isAbsolute(path) ? path : resolve(root, path)) };
}

interface GivenCall {
  readonly toolName: string;
  readonly signal: AbortSignal;
  readonly update: UpdateOutput | undefined;
  readonly context: CallContext | undefined;
  /** What the call was judged by; undefined where its tool states nothing. */
  readonly effects: readonly Effect[] | undefined;
}

/** What a call of a defined tool works with: files as it stated them, and where they led when that was judged. */
export function callOf(runtime: ToolRuntime, given: GivenCall): ToolCall {
  const { signal, update, context } = given;
  const place = placeOf(runtime);
  const read = new Map<string, string>();
  const readFile = async (path: string, resolvedPath: string) => {
    const file = await runtime.getFileSystemService().readTextFile(path, { resolvedPath });
    read.set(path, file.hash);
    return file;
  };
  return {
    ...place,
    signal,
    update: (output) => update?.(output),
    readText: async (path) => {
      const file = place.resolve(path);
      return (await readFile(file, judged(file, 'read', { runtime, given }))).text;
    },
    writeText: async (path, content) => {
      const file = place.resolve(path);
      const resolvedPath = judged(file, 'write', { runtime, given });
      const isMissing = runtime.getWorkspaceGate().resolve(file).kind === 'missing';
      const expected = read.get(file) ?? (isMissing ? 'missing' : (await readFile(file, resolvedPath)).hash);
      signal.throwIfAborted();
      const [changed] = await runtime
        .getFileChanges()
        .apply([{ path: file, resolvedPath, expected, content }], context);
      if (changed !== undefined) read.set(file, changed.hash);
    },
  };
}

/** Where a path led when the call was judged. @throws ToolError where nothing was said of it */
function judged(
  file: string,
  kind: 'read' | 'write',
  { runtime, given: { effects, toolName } }: { readonly runtime: ToolRuntime; readonly given: GivenCall },
): string {
  const now = placed(file, runtime).path;
  if (effects === undefined || effects.some((effect) => effect.kind === 'unknown')) return now;
  const stated = effects
    .filter(isPathEffect)
    .filter((effect) => effect.kind === kind || (kind === 'read' && effect.kind === 'write'));
  const exact = stated.find(({ requested }) => requested === file);
  if (exact !== undefined) return exact.path;
  if (stated.some(({ path, scope }) => path === now || (scope === 'tree' && isBelow(path, now)))) return now;
  const verb = kind === 'read' ? 'reads' : 'writes';
  throw new ToolError(
    ToolErrorType.EXECUTION_DENIED,
    `${toolName} did not state that it ${verb} ${file}, so nobody agreed to that. Its effects() has to say so.`,
  );
}
