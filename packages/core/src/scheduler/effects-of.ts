import type { Effect } from '../effects/effect.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { BaseToolInvocation, Kind, type BaseTool } from '../tools/tools.js';
import type { AnyInvocation } from './prepare-call.js';

/**
 * What a call would do. A tool that states its effects is taken at its word (the tool is trusted code, its
 * parameters are not). For one that does not (document A's authors): a Read tool reads its locations (S31), an
 * Edit tool writes them, any other is unknown, unless it judged the call itself and said that it is safe (S51).
 */
export async function effectsOf(
  tool: BaseTool,
  invocation: AnyInvocation,
  gate: WorkspaceGate,
  signal: AbortSignal,
): Promise<readonly Effect[]> {
  if (invocation.effects !== undefined) return invocation.effects();
  if (tool.kind === Kind.Read || tool.kind === Kind.Search) return locate(invocation, gate, 'read');
  if (judgesItself(invocation) && (await invocation.shouldConfirmExecute?.(signal)) === false) return [];
  const written = tool.kind === Kind.Edit ? locate(invocation, gate, 'write') : [];
  return written.length > 0 ? written : [{ kind: 'unknown', reason: `${tool.name} does not state its effects` }];
}

/** True when the tool's author wrote a `shouldConfirmExecute` of their own. */
function judgesItself(invocation: AnyInvocation): boolean {
  const own: unknown = Reflect.get(invocation, 'shouldConfirmExecute');
  return own !== undefined && own !== Reflect.get(BaseToolInvocation.prototype, 'shouldConfirmExecute');
}

function locate(invocation: AnyInvocation, gate: WorkspaceGate, kind: 'read' | 'write'): Effect[] {
  return (invocation.toolLocations?.() ?? []).map(({ path }) => {
    if (gate.check(path) !== null) return { kind, path, requested: path, zone: 'outside' };
    const { path: canonical, requested, zone } = gate.resolve(path);
    return { kind, path: canonical, requested, zone };
  });
}
