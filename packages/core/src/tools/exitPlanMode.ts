import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import { contentHash } from '../files/write-handle.js';
import { ApprovalMode, isLooserMode } from '../policy/approval-mode.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolConfirmationOutcome,
  ToolError,
  ToolErrorType,
  type ConfirmationWords,
  type PlanChoice,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';

export interface ExitPlanModeToolParams {
  plan: string;
}

type Runtime = Pick<
  ToolRuntime,
  'getApprovalMode' | 'setApprovalMode' | 'getApprovalCeiling' | 'getPlanning' | 'getFileChanges'
>;

interface Answer extends ConfirmationWords {
  readonly outcome: ToolConfirmationOutcome;
}

class ExitPlanModeInvocation extends RunInvocation<ExitPlanModeToolParams> {
  readonly #config: Runtime;
  #answer: Answer | undefined;

  constructor(config: Runtime, params: ExitPlanModeToolParams) {
    super(params);
    this.#config = config;
  }

  getDescription(): string {
    return 'the plan, for approval';
  }

  effects(): Effect[] {
    return [{ kind: 'ask' }];
  }

  override async shouldConfirmExecute(_signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    const isOff = this.#config.getApprovalMode() !== ApprovalMode.PLAN;
    if (isOff || this.#isHeld || !this.#config.getPlanning().canAsk) return false;
    return {
      type: 'plan',
      title: 'Leave plan mode and carry out this plan?',
      plan: this.params.plan,
      choices: offered(planChoices(this.#config)),
      refused:
        'The user did not approve the plan; plan mode stays on, and nothing may be changed. Change the plan as they want it and present it again, or ask them.',
      onConfirm: async (outcome, words = {}) => {
        this.#answer = { ...words, outcome };
      },
    };
  }

  /** The administrator of the machine lets no other mode be chosen. */
  get #isHeld(): boolean {
    return this.#config.getApprovalCeiling()?.mode === ApprovalMode.PLAN;
  }

  protected async run(_signal: AbortSignal, _update?: unknown, context?: CallContext): Promise<ToolResult> {
    if (this.#config.getApprovalMode() !== ApprovalMode.PLAN) {
      return {
        llmContent: 'Plan mode is not on, so there is nothing to leave. Go on with the work.',
        returnDisplay: 'Not in plan mode',
      };
    }
    if (this.#isHeld) {
      const { origin = '' } = this.#config.getApprovalCeiling() ?? {};
      const next = 'Give the user the plan as your answer.';
      throw new ToolError(
        ToolErrorType.EXECUTION_DENIED,
        `Plan mode cannot be left on this machine: the ${origin} allow no other. ${next}`,
      );
    }
    const mode = this.#modeAfter();
    // Whatever else let the call through: only a person's yes ends plan mode.
    if (mode === undefined) throw new ToolError(ToolErrorType.EXECUTION_DENIED, this.#whyNot());
    return this.#leave(mode, context);
  }

  /** The mode to work in once the plan is approved; undefined without a yes. */
  #modeAfter(): ApprovalMode | undefined {
    const { outcome, newContent } = this.#answer ?? {};
    const { ProceedOnce, ProceedAlways, ProceedAlwaysProject, ModifyWithEditor } = ToolConfirmationOutcome;
    const choices = planChoices(this.#config);
    const chosen = choices.find((choice) => choice.outcome === outcome);
    if (chosen !== undefined) return chosen.mode;
    const isYes =
      outcome === ProceedOnce ||
      outcome === ProceedAlways ||
      outcome === ProceedAlwaysProject ||
      (outcome === ModifyWithEditor && newContent !== undefined);
    if (!isYes) return undefined;
    const isAlways = outcome === ProceedAlwaysProject;
    return choices.find((choice) => isAlways && choice.outcome === ProceedAlways)?.mode ?? ApprovalMode.DEFAULT;
  }

  #whyNot(): string {
    if (!this.#config.getPlanning().canAsk)
      return 'Nobody can be asked to approve the plan, so plan mode stays on. End with the plan as your answer.';
    return 'The plan was not approved, so plan mode stays on. Ask the user what to change.';
  }

  async #leave(mode: ApprovalMode, context: CallContext | undefined): Promise<ToolResult> {
    const { feedback, newContent } = this.#answer ?? {};
    const proposed = this.params.plan;
    const edited = newContent === undefined || newContent.trim() === '' ? proposed : newContent;
    const isEdited = edited !== proposed;
    const expected = contentHash(null);
    const saved = await this.#config
      .getPlanning()
      .save(edited, (path, content) => this.#config.getFileChanges().apply([{ path, expected, content }], context));
    this.#config.setApprovalMode(mode);
    const words = feedback === undefined || feedback.trim() === '' ? '' : `\nTheir words: ${JSON.stringify(feedback)}`;
    const how = isEdited
      ? `The user changed the plan and approved it. Plan mode is off; carry out this plan, not yours:\n\n${edited}\n\n(End of the plan.)`
      : 'The user approved the plan. Plan mode is off; carry the plan out.';
    const where =
      saved === undefined ? '' : 'file' in saved ? `Saved: ${saved.file}` : `It could not be saved: ${saved.problem}`;
    return {
      llmContent: [how, ...(MODE_WORDS.get(mode) ?? []), words].filter((text) => text !== '').join(' '),
      returnDisplay: { plan: edited, note: where },
      data: { plan: edited, mode, isEdited, ...(saved !== undefined && 'file' in saved && { file: saved.file }) },
    };
  }
}

const MODE_WORDS: ReadonlyMap<ApprovalMode, readonly string[]> = new Map([
  [ApprovalMode.AUTO_EDIT, ['Edits in the workspace need no further approval.']],
]);

/** The ways of saying yes: asked about changes, not about edits, or as before plan mode; no looser than the administrator lets. */
function planChoices(config: Runtime): readonly PlanChoice[] {
  const { ProceedOnce, ProceedAlways, RestorePrevious } = ToolConfirmationOutcome;
  const ceiling = config.getApprovalCeiling()?.mode;
  const before = config.getPlanning().modeBefore;
  return [
    { outcome: ProceedOnce, mode: ApprovalMode.DEFAULT },
    { outcome: ProceedAlways, mode: ApprovalMode.AUTO_EDIT },
    ...(before === undefined ? [] : [{ outcome: RestorePrevious, mode: before }]),
  ].filter(({ mode }) => ceiling === undefined || !isLooserMode(mode, ceiling));
}

/** Each mode once. */
function offered(choices: readonly PlanChoice[]): readonly PlanChoice[] {
  return choices.filter(({ mode }, index) => choices.findIndex((choice) => choice.mode === mode) === index);
}

/** Puts a plan to the user and, when they agree, returns to normal operation (S125). */
export class ExitPlanModeTool extends BaseDeclarativeTool<ExitPlanModeToolParams, ToolResult> {
  static readonly Name = ToolNames.EXIT_PLAN_MODE;
  readonly #config: Runtime;

  constructor(config: Runtime) {
    super(
      ExitPlanModeTool.Name,
      ToolDisplayNames.EXIT_PLAN_MODE,
      'In plan mode, where nothing may be changed: shows the user your finished plan and asks to start. Not for questions that only need an answer.',
      Kind.Think,
      {
        type: 'object',
        properties: {
          plan: { type: 'string', minLength: 1, description: 'The plan, in Markdown: short, with the steps in order.' },
        },
        required: ['plan'],
        additionalProperties: false,
      },
      true,
    );
    this.#config = config;
  }

  protected override validateToolParamValues({ plan }: ExitPlanModeToolParams): string | null {
    return plan.trim() === '' ? 'The plan is empty. Write down what you intend to do.' : null;
  }

  protected createInvocation(params: ExitPlanModeToolParams): ToolInvocation<ExitPlanModeToolParams, ToolResult> {
    return new ExitPlanModeInvocation(this.#config, params);
  }
}
