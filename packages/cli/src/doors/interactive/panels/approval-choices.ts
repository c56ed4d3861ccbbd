import { ApprovalMode, ToolConfirmationOutcome, type ApprovalRequest, type PlanChoice } from '@tenon/core';

/** What a person may answer. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly names: readonly string[];
  /** Undefined: no answer yet; all of the question is shown. */
  readonly outcome: ToolConfirmationOutcome | undefined;
  /** For all calls of this kind. */
  readonly isGeneral?: true;
  /** The content is changed where the question stands, not in the person's editor. */
  readonly isInline?: true;
}

export const SHOW_ALL: Choice = { key: 's', label: 'show all', names: ['show'], outcome: undefined };
export const NO: Choice = { key: 'n', label: 'no (default)', names: ['no'], outcome: ToolConfirmationOutcome.Cancel };

const INLINE: Choice = {
  key: 'i',
  label: 'edit here',
  names: [],
  outcome: ToolConfirmationOutcome.ModifyWithEditor,
  isInline: true,
};

type Asked = Pick<ApprovalRequest, 'alwaysRules' | 'generalRules' | 'canModify' | 'details'>;

/** "Always" and "edit" only where the request can keep the promise, "show all" where something is left out. Pure. */
export function choicesFor(request: Asked, isShortened = false): readonly Choice[] {
  if (request.details.type === 'plan') return planChoices(request.details.choices ?? [], isShortened);
  const always: readonly Choice[] = [
    { key: 'a', label: 'always this session', names: ['always'], outcome: ToolConfirmationOutcome.ProceedAlways },
    {
      key: 'p',
      label: 'always in this project',
      names: ['project'],
      outcome: ToolConfirmationOutcome.ProceedAlwaysProject,
    },
  ];
  const general: readonly Choice[] = [
    {
      key: 'g',
      label: 'always this kind, this session',
      names: ['kind'],
      outcome: ToolConfirmationOutcome.ProceedAlways,
      isGeneral: true,
    },
    {
      key: 'k',
      label: 'always this kind, in this project',
      names: ['kind in project'],
      outcome: ToolConfirmationOutcome.ProceedAlwaysProject,
      isGeneral: true,
    },
  ];
  const edit: readonly Choice[] = [
    { key: 'e', label: 'edit first', names: ['edit'], outcome: ToolConfirmationOutcome.ModifyWithEditor },
  ];
  return [
    { key: 'y', label: 'once', names: ['yes', 'once'], outcome: ToolConfirmationOutcome.ProceedOnce },
    ...(request.alwaysRules.length > 0 ? always : []),
    ...(request.generalRules === undefined ? [] : general),
    ...(request.canModify && request.details.type === 'edit' ? edit : []),
    ...(isShortened ? [SHOW_ALL] : []),
    NO,
  ];
}

const EDIT_PLAN: Choice = {
  key: 'e',
  label: 'edit it first',
  names: ['edit'],
  outcome: ToolConfirmationOutcome.ModifyWithEditor,
};

/** The ways in which a plan can be carried out. Pure. */
function planChoices(choices: readonly PlanChoice[], isShortened: boolean): readonly Choice[] {
  const { ProceedOnce, ProceedAlways, RestorePrevious } = ToolConfirmationOutcome;
  const yes = choices.flatMap(({ outcome, mode }): Choice[] => {
    if (outcome === ProceedOnce) return [{ ...YES_PLAN, outcome }];
    if (outcome === ProceedAlways && mode === ApprovalMode.AUTO_EDIT)
      return [{ key: 'a', label: 'yes, and accept edits', names: ['accept edits', 'auto_edit'], outcome }];
    if (outcome !== RestorePrevious) return [];
    return [{ key: 'r', label: `yes, back to ${mode} mode`, names: ['restore', mode], outcome }];
  });
  return [
    ...(yes.length === 0 ? [YES_PLAN] : yes),
    EDIT_PLAN,
    ...(isShortened ? [{ ...SHOW_ALL, label: 'show as written' }] : []),
    { ...NO, label: 'no, plan on (default)' },
  ];
}

const YES_PLAN: Choice = {
  key: 'y',
  label: 'yes, and ask before changes',
  names: ['yes'],
  outcome: ToolConfirmationOutcome.ProceedOnce,
};

/** The same where keys are pressed: what can be edited can be edited in place as well. Pure. */
export function panelChoicesFor(request: Asked, isShortened: boolean): readonly Choice[] {
  return choicesFor(request, isShortened).flatMap((choice) => (choice.key === 'e' ? [choice, INLINE] : [choice]));
}
