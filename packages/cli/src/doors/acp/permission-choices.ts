import type { PermissionOption } from '@agentclientprotocol/sdk';
import { ToolConfirmationOutcome, type ApprovalAnswer, type ApprovalRequest, type PlanChoice } from '@tenon/core';
import { proposalOf } from '../../proposal.js';
import { rulesInWords } from './rule-words.js';

export interface Choice {
  readonly option: PermissionOption;
  readonly answer: ApprovalAnswer;
  /** `why`: the person is asked for words to the model. `stop`: the turn ends, for they say them next. */
  readonly next?: 'why' | 'stop' | 'edit' | 'mine' | 'first';
}

export const NO: ApprovalAnswer = { outcome: ToolConfirmationOutcome.Cancel };
const ONCE: ApprovalAnswer = { outcome: ToolConfirmationOutcome.ProceedOnce };
/** The most characters of the rules in the name of a choice; `_meta` has the rules in full. */
const RULE_CHARS = 120;

export type Offered = Pick<ApprovalRequest, 'agent' | 'alwaysRules' | 'generalRules' | 'canModify' | 'details'>;

/** What can be answered, as at the terminal. Pure. */
export function permissionChoices(request: Offered, canSayWhy: boolean): readonly Choice[] {
  const { alwaysRules, generalRules, details } = request;
  const modes = details.type === 'plan' ? (details.choices ?? []) : [];
  return [
    ...(modes.length > 0 ? modes.map(planChoice) : [choice('once', 'allow_once', 'Yes, once', ONCE)]),
    ...(alwaysRules.length > 0 ? always('', alwaysRules, {}) : []),
    ...(generalRules === undefined ? [] : always('kind-', generalRules, { isGeneral: true })),
    ...(proposalOf(request) === undefined ? [] : [choice('edit', 'allow_once', 'Edit first', NO, { next: 'edit' })]),
    ...noChoices(request, canSayWhy),
  ];
}

/** Once the person has the proposal in a file. Pure. */
export function editedChoices(request: Pick<Offered, 'agent'>, canSayWhy: boolean): readonly Choice[] {
  return [
    choice('mine', 'allow_once', 'Use my version', NO, { next: 'mine' }),
    choice('first', 'allow_once', 'Use the first version', NO, { next: 'first' }),
    ...noChoices(request, canSayWhy),
  ];
}

/** A subagent's turn is not the person's: what they said next would not be for it. */
function noChoices({ agent }: Pick<Offered, 'agent'>, canSayWhy: boolean): Choice[] {
  const no = choice('no', 'reject_once', 'No', NO);
  if (canSayWhy) return [no, choice('no-because', 'reject_once', 'No, and say why', NO, { next: 'why' })];
  if (agent !== undefined) return [no];
  return [no, choice('no-stop', 'reject_once', 'No, and stop: I say what to do next', NO, { next: 'stop' })];
}

/** By the mode in which the plan is carried out. */
function planChoice({ outcome, mode }: PlanChoice): Choice {
  const names: Partial<Record<ToolConfirmationOutcome, string>> = {
    [ToolConfirmationOutcome.ProceedOnce]: 'Yes, and ask before changes',
    [ToolConfirmationOutcome.ProceedAlways]: 'Yes, and accept edits',
  };
  return choice(`plan-${mode}`, 'allow_once', names[outcome] ?? `Yes, back to ${mode} mode`, { outcome });
}

function always(prefix: string, rules: readonly string[], more: Pick<ApprovalAnswer, 'isGeneral'>): Choice[] {
  const text = rulesInWords(rules);
  const shown = text.length > RULE_CHARS ? `${text.slice(0, RULE_CHARS)}…` : text;
  const { ProceedAlways, ProceedAlwaysProject } = ToolConfirmationOutcome;
  const session = { outcome: ProceedAlways, ...more };
  const project = { outcome: ProceedAlwaysProject, ...more };
  return [
    choice(`${prefix}session`, 'allow_always', `Always in this session: ${shown}`, session, { rules }),
    choice(`${prefix}project`, 'allow_always', `Always in this project: ${shown}`, project, { rules }),
  ];
}

function choice(
  optionId: string,
  kind: PermissionOption['kind'],
  name: string,
  answer: ApprovalAnswer,
  { rules, ...next }: Pick<Choice, 'next'> & { readonly rules?: readonly string[] } = {},
): Choice {
  const meta = rules === undefined ? {} : { _meta: { tenon: { rules } } };
  return { option: { optionId, kind, name, ...meta }, answer, ...next };
}
