import type { Effect } from '../effects/effect.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { explain, explainCall, type Explanation } from '../policy/explain.js';
import { suggestChoices, type RuleChoice } from '../policy/suggest-rules.js';
import { plainToolName, serverOf } from '../policy/tool-aliases.js';
import type { PolicyCall, PolicyContext } from '../policy/verdict.js';
import { effectsOf } from '../scheduler/effects-of.js';
import { prepareCall } from '../scheduler/prepare-call.js';
import { DEFAULT_OUTPUT_LIMITS, NO_AGENT, type SchedulerServices } from '../scheduler/services.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import { errorMessage, Failure } from '../util/failure.js';

/** A call that nobody makes: only what would be decided is asked. */
export interface SupposedCall {
  readonly toolName: string;
  /** JSON, as a model would send it. */
  readonly argumentsText: string;
}

export interface ExaminedCall {
  readonly explanation: Explanation;
  /** The same for people, several lines. Untrusted text. */
  readonly text: string;
  /** What "always" would save; empty when the call is not asked about, or no rule answers. */
  readonly choices: readonly RuleChoice[];
}

/** What calls are examined with. */
export interface ExaminationServices {
  readonly registry: ToolRegistry;
  readonly gate: WorkspaceGate;
  readonly context: PolicyContext;
}

/**
 * How a call would be judged here and now. Nothing is run, and nobody is asked; files are looked at as far as the tool
 * must to say what it would do. @throws Failure `not_judged` when the call is not valid
 */
export async function examineCall(
  { toolName, argumentsText }: SupposedCall,
  { registry, gate, context }: ExaminationServices,
  signal: AbortSignal,
): Promise<ExaminedCall> {
  const services = servicesOf({ registry, gate, context });
  try {
    const call = serverCall(toolName, registry) ?? (await preparedCall({ toolName, argumentsText }, services, signal));
    const found = explainCall(call, context);
    const isQuestion = call.effects.some(({ kind }) => kind === 'ask') && found.decision === 'allow';
    const explanation: Explanation = isQuestion
      ? { ...found, decision: 'ask', reason: 'it is a question for you' }
      : found;
    const choices = explanation.decision === 'ask' && !isQuestion ? suggestChoices(call, context) : [];
    return { explanation, text: explain(call, context), choices };
  } catch (thrown) {
    throw new Failure('not_judged', `The call cannot be judged: ${errorMessage(thrown)}`, { cause: thrown });
  }
}

/** What a call says it would do, here and now. Nothing is run. @throws what makes it no valid call */
export async function statedEffects(
  call: SupposedCall,
  services: ExaminationServices,
  signal: AbortSignal,
): Promise<readonly Effect[]> {
  return (await preparedCall(call, servicesOf(services), signal)).effects;
}

function servicesOf({ registry, gate, context }: ExaminationServices): SchedulerServices {
  return {
    registry,
    gate,
    policyContext: () => context,
    grant: () => Promise.reject(new Failure('not_judged', 'Nothing is granted while a call is only examined.')),
    approver: undefined,
    spill: () => Promise.reject(new Failure('not_judged', 'Nothing is written while a call is only examined.')),
    limits: DEFAULT_OUTPUT_LIMITS,
    caller: () => NO_AGENT,
  };
}

async function preparedCall(
  { toolName, argumentsText }: SupposedCall,
  services: SchedulerServices,
  signal: AbortSignal,
): Promise<PolicyCall> {
  const { tool, invocation } = prepareCall({ callId: 'examined', toolName, argumentsText }, services);
  return { toolName: tool.name, effects: await effectsOf(tool, invocation, services, { signal }) };
}

/** A call of a tool of a server that is not connected: for this it is not started, so that nothing is known of the tool. */
function serverCall(toolName: string, registry: ToolRegistry): PolicyCall | undefined {
  if (registry.findTool(toolName) !== undefined) return undefined;
  const name = plainToolName(toolName);
  const from = serverOf(name);
  if (from === undefined) return undefined;
  const tool = name.slice(from.length + 2);
  const reason = 'its server was not asked for this';
  return { toolName: name, effects: [{ kind: 'foreign', from, tool, does: 'unknown', reason }] };
}
