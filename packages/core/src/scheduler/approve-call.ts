import { createHash } from 'node:crypto';
import type { CallContext } from '../effects/call-context.js';
import { describeEffect } from '../effects/describe.js';
import type { Effect } from '../effects/effect.js';
import { decide } from '../policy/decide.js';
import { suggestChoices } from '../policy/suggest-rules.js';
import type { Verdict } from '../policy/verdict.js';
import { ToolConfirmationOutcome, type ToolCallConfirmationDetails } from '../tools/confirmation.js';
import { isModifiableTool } from '../tools/modifiable-tool.js';
import type { BaseTool } from '../tools/tools.js';
import { errorMessage } from '../util/failure.js';
import type { ApprovalAnswer, ApprovalRequest, Approver } from './approval.js';
import type { CallStop } from './call-stop.js';
import type { AnyInvocation, PreparedCall } from './prepare-call.js';
import { questionText } from './denial-text.js';
import { withHookWord, type HookWord } from './hook-verdict.js';
import type { SchedulerServices } from './services.js';

/** One look at a call: what it would do by now, how the policy judges that, and what would be shown. */
export interface Assessment {
  readonly effects: readonly Effect[];
  readonly verdict: Verdict;
  /** What to show; present when the person must be asked. */
  readonly details: ToolCallConfirmationDetails | undefined;
  /** Changes with anything that the person is shown; present when they must be asked. */
  readonly digest: string | undefined;
}

type Assessed = Pick<PreparedCall, 'tool' | 'invocation' | 'params' | 'context'>;

/**
 * Looks at a call that would do `effects`, without doing anything. The same call gives the same digest until something it
 * depends on changes. At once, unless there is something to show. `call.word`: what hooks said of it.
 */
export function assess(
  call: Assessed & { readonly word?: HookWord | undefined },
  effects: readonly Effect[],
  services: SchedulerServices,
  stop: Pick<CallStop, 'signal'>,
): Promise<Assessment> | Assessment {
  const context = services.policyContext();
  const judged = decide(
    { toolName: call.tool.name, effects },
    context,
    services.ruleCompiler?.compile(context.rules, context),
  );
  const verdict = withHookWord(judged, call.word, { mode: context.mode, mayAllow: services.hooks?.mayAllow === true });
  const isQuestion = verdict.decision !== 'deny' && effects.some((effect) => effect.kind === 'ask');
  if (isQuestion || verdict.decision === 'ask') return withDetails(call, { effects, verdict, isQuestion }, stop.signal);
  return { effects, verdict, details: undefined, digest: undefined };
}

async function withDetails(
  { tool, invocation, params, context }: Assessed,
  judged: { readonly effects: readonly Effect[]; readonly verdict: Verdict; readonly isQuestion: boolean },
  signal: AbortSignal,
): Promise<Assessment> {
  const { effects, isQuestion } = judged;
  const own = await ownDetails(invocation, signal, context);
  const verdict = isQuestion && own !== undefined ? raiseToQuestion(judged.verdict) : judged.verdict;
  const details = verdict.decision === 'ask' ? (own ?? genericDetails(tool, invocation, effects)) : undefined;
  const shown = { name: tool.name, params, effects, details };
  return { effects, verdict, details, digest: details === undefined ? undefined : digestOf(shown) };
}

async function ownDetails(
  invocation: AnyInvocation,
  signal: AbortSignal,
  context: CallContext,
): Promise<ToolCallConfirmationDetails | undefined> {
  // `confirmationDetails` shows what would happen in every mode; `shouldConfirmExecute` is silent in some (S55).
  const details =
    (await invocation.confirmationDetails?.(signal, context)) ?? (await invocation.shouldConfirmExecute?.(signal));
  return details === false ? undefined : details;
}

/** A call whose effect is a question to the person (a plan to approve) is put to them whatever the mode. */
function raiseToQuestion(verdict: Verdict): Verdict {
  return verdict.decision === 'allow' ? { ...verdict, decision: 'ask', reason: 'it is a question for you' } : verdict;
}

function genericDetails(
  tool: BaseTool,
  invocation: AnyInvocation,
  effects: readonly Effect[],
): ToolCallConfirmationDetails {
  const prompt = [invocation.getDescription(), ...effects.map((effect) => `• ${describeEffect(effect)}`)].join('\n');
  return { type: 'info', title: `Confirm ${tool.displayName}`, prompt };
}

/** Keys sorted, functions left out: the same content gives the same text. */
function digestOf(content: object): string {
  const text = JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

export interface Question {
  readonly callId: string;
  readonly tool: BaseTool;
  readonly invocation: AnyInvocation;
  readonly params: object;
  readonly assessment: Assessment;
  readonly changedSinceApproval: boolean;
}

/** Everything the person is shown. */
export function approvalRequest(question: Question, services: SchedulerServices): ApprovalRequest {
  const { callId, tool, invocation, assessment, changedSinceApproval } = question;
  return {
    callId,
    ...(services.agent !== undefined && { agent: services.agent }),
    ...(services.agentId !== undefined && { agentId: services.agentId }),
    toolName: tool.name,
    displayName: tool.displayName,
    description: invocation.getDescription(),
    effects: assessment.effects,
    details: assessment.details ?? genericDetails(tool, invocation, assessment.effects),
    reason: questionText(tool.name, assessment, services),
    ...offeredRules(question, services),
    canModify: isModifiableTool(tool) || assessment.details?.type === 'plan',
    changedSinceApproval,
  };
}

/** The rules under which this call, or calls of its kind, would not be asked about; empty when there are none that are safe to offer. */
function offeredRules(
  { tool, invocation, assessment }: Question,
  services: SchedulerServices,
): Pick<ApprovalRequest, 'alwaysRules' | 'generalRules'> {
  if (assessment.effects.some((effect) => effect.kind === 'ask')) return { alwaysRules: [] };
  // A tool of an embedder that states no effects can only be allowed by name.
  if (invocation.effects === undefined && assessment.effects.every((effect) => effect.kind === 'unknown'))
    return { alwaysRules: [tool.name] };
  // What is asked once more is asked whatever the rules; a rule is offered for the rest.
  const { untrusted: _untrusted, ...context } = services.policyContext();
  const choices = suggestChoices({ toolName: tool.name, effects: assessment.effects }, context);
  const rulesOf = (kind: 'exact' | 'general'): readonly string[] | undefined =>
    choices.find((choice) => choice.kind === kind)?.rules;
  const generalRules = rulesOf('general');
  return { alwaysRules: rulesOf('exact') ?? [], ...(generalRules !== undefined && { generalRules }) };
}

const PROCEED: ReadonlySet<unknown> = new Set([
  ToolConfirmationOutcome.ProceedOnce,
  ToolConfirmationOutcome.ProceedAlways,
  ToolConfirmationOutcome.ProceedAlwaysProject,
]);

/** Puts the question. Whatever is not a clear yes is a no: an approver that fails, an answer that is none. */
export async function askPerson(
  approver: Approver,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  let answer: Partial<ApprovalAnswer> | undefined;
  try {
    answer = await approver(request, signal);
  } catch {
    // Below.
  }
  const { outcome, feedback, newContent, isGeneral, answers } = answer ?? {};
  const said = {
    ...(typeof feedback === 'string' && { feedback }),
    ...(request.details.type === 'plan' && typeof newContent === 'string' && { newContent }),
    ...(request.details.type === 'question' && Array.isArray(answers) && { answers }),
  };
  if (outcome === ToolConfirmationOutcome.ModifyWithEditor && request.canModify && typeof newContent === 'string') {
    return { outcome, newContent, ...said };
  }
  if (outcome !== undefined && (PROCEED.has(outcome) || isPlanChoice(request, outcome)))
    return { outcome, ...said, ...(isGeneral === true && { isGeneral }) };
  return { outcome: ToolConfirmationOutcome.Cancel, ...said };
}

function isPlanChoice({ details }: ApprovalRequest, outcome: ToolConfirmationOutcome): boolean {
  return details.type === 'plan' && details.choices?.some((choice) => choice.outcome === outcome) === true;
}

/**
 * Tells the tool and the grants what the person answered. A rule that cannot be saved does not undo the approval:
 * it is returned as what went wrong.
 */
export async function applyAnswer(
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  services: SchedulerServices,
): Promise<string | undefined> {
  await request.details.onConfirm?.(answer.outcome, answer);
  if (answer.outcome !== ToolConfirmationOutcome.Cancel) services.untrusted?.noteAgreed(request.effects);
  const scope = SCOPES.get(answer.outcome);
  const rules = grantedRules(request, answer);
  if (scope === undefined || rules.length === 0) return undefined;
  try {
    await services.grant(rules, scope, request.description);
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

/** The rules that an answer grants. */
export function grantedRules(request: ApprovalRequest, { outcome, isGeneral }: ApprovalAnswer): readonly string[] {
  if (!SCOPES.has(outcome)) return [];
  return (isGeneral === true ? request.generalRules : request.alwaysRules) ?? [];
}

const SCOPES: ReadonlyMap<ToolConfirmationOutcome, 'session' | 'project'> = new Map([
  [ToolConfirmationOutcome.ProceedAlways, 'session'],
  [ToolConfirmationOutcome.ProceedAlwaysProject, 'project'],
]);
