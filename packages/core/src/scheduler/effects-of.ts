import type { Effect } from '../effects/effect.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { BaseToolInvocation, Kind, type BaseTool } from '../tools/tools.js';
import type { CallStop } from './call-stop.js';
import type { AnyInvocation } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

/**
 * What a call would do. A tool that states its effects is taken at its word (the tool is trusted code, its
 * parameters are not). For one that does not (document A's authors): a Read tool reads its locations (S31), an
 * Edit tool writes them whatever it says of itself, and any other is unknown. Only a tool of kind Other may judge
 * its calls itself and say that one is safe (S51), and not in plan mode, where nothing but reads is let through.
 */
export function effectsOf(
  tool: BaseTool,
  invocation: AnyInvocation,
  { gate, policyContext }: Pick<SchedulerServices, 'gate' | 'policyContext'>,
  stop: Pick<CallStop, 'signal'>,
): Promise<readonly Effect[]> | readonly Effect[] {
  if (invocation.effects !== undefined) return soundEffects(invocation.effects(), tool);
  if (tool.kind === Kind.Read || tool.kind === Kind.Search) return locate(invocation, gate, 'read');
  if (tool.kind === Kind.Edit) {
    const written = locate(invocation, gate, 'write');
    return written.length > 0 ? written : [unknownOf(tool)];
  }
  const mayJudge = tool.kind === Kind.Other && judgesItself(invocation) && policyContext().mode !== ApprovalMode.PLAN;
  return mayJudge ? judgedEffects(tool, invocation, stop.signal) : [unknownOf(tool)];
}

function unknownOf(tool: BaseTool): Effect {
  return { kind: 'unknown', reason: `${tool.name} does not state its effects` };
}

/** Of a list that stands, at once; of the promise of one, later. */
function soundEffects(stated: unknown, tool: BaseTool): Promise<readonly Effect[]> | readonly Effect[] {
  if (isEffectList(stated)) return stated;
  return isPromise(stated) ? awaitEffects(stated, tool) : [unknownOf(tool)];
}

async function awaitEffects(promised: PromiseLike<unknown>, tool: BaseTool): Promise<readonly Effect[]> {
  const stated = await promised;
  return isEffectList(stated) ? stated : [unknownOf(tool)];
}

async function judgedEffects(
  tool: BaseTool,
  invocation: AnyInvocation,
  signal: AbortSignal,
): Promise<readonly Effect[]> {
  return (await invocation.shouldConfirmExecute?.(signal)) === false ? [] : [unknownOf(tool)];
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

const KINDS: ReadonlySet<unknown> = new Set<Effect['kind']>([
  'read',
  'write',
  'delete',
  'run',
  'fetch',
  'delegate',
  'secret',
  'ask',
  'foreign',
  'unknown',
]);

/** A tool that answers with anything else is not believed. */
function isEffectList(value: unknown): value is readonly Effect[] {
  return (
    Array.isArray(value) &&
    value.every((item: unknown) => typeof item === 'object' && item !== null && 'kind' in item && KINDS.has(item.kind))
  );
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
