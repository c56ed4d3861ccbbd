import type { Effect } from '../effects/effect.js';
import { ApprovalMode, isLooserMode, type ApprovalCeiling } from '../policy/approval-mode.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolConfirmationOutcome,
  ToolError,
  ToolErrorType,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';

export interface ExitPlanModeToolParams {
  plan: string;
}

class ExitPlanModeInvocation extends RunInvocation<ExitPlanModeToolParams> {
  readonly #config: ToolRuntime;
  #answer: ToolConfirmationOutcome | undefined;

  constructor(config: ToolRuntime, params: ExitPlanModeToolParams) {
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
    if (this.#config.getApprovalMode() !== ApprovalMode.PLAN || this.#isHeld) return false;
    return {
      type: 'plan',
      title: 'Leave plan mode and carry out this plan?',
      plan: this.params.plan,
      onConfirm: async (outcome) => {
        this.#answer = outcome;
      },
    };
  }

  /** The administrator of the machine lets no other mode be chosen. */
  get #isHeld(): boolean {
    return this.#config.getApprovalCeiling()?.mode === ApprovalMode.PLAN;
  }

  protected async run(): Promise<ToolResult> {
    const { plan } = this.params;
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
    const mode = modeAfter(this.#answer, this.#config.getApprovalCeiling());
    if (mode === undefined) {
      // Whatever else let the call through: only a person's yes ends plan mode.
      throw new ToolError(
        ToolErrorType.EXECUTION_DENIED,
        'The plan was not approved, so plan mode stays on. Ask the user what to change.',
      );
    }
    this.#config.setApprovalMode(mode);
    const edits = mode === ApprovalMode.AUTO_EDIT ? ' Edits in the workspace need no further approval.' : '';
    return {
      llmContent: `The user approved the plan. Plan mode is off; carry the plan out.${edits}`,
      returnDisplay: plan,
      data: { plan, mode },
    };
  }
}

/** The mode to work in once the plan is approved; "always" means that its edits need no question of their own, where that may be. */
function modeAfter(
  answer: ToolConfirmationOutcome | undefined,
  ceiling: ApprovalCeiling | undefined,
): ApprovalMode | undefined {
  if (answer === ToolConfirmationOutcome.ProceedOnce) return ApprovalMode.DEFAULT;
  const always: readonly unknown[] = [
    ToolConfirmationOutcome.ProceedAlways,
    ToolConfirmationOutcome.ProceedAlwaysProject,
  ];
  if (!always.includes(answer)) return undefined;
  const isTooMuch = ceiling !== undefined && isLooserMode(ApprovalMode.AUTO_EDIT, ceiling.mode);
  return isTooMuch ? ApprovalMode.DEFAULT : ApprovalMode.AUTO_EDIT;
}

/** Puts a plan to the user and, when they agree, returns to normal operation (S125). */
export class ExitPlanModeTool extends BaseDeclarativeTool<ExitPlanModeToolParams, ToolResult> {
  static readonly Name = ToolNames.EXIT_PLAN_MODE;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      ExitPlanModeTool.Name,
      ToolDisplayNames.EXIT_PLAN_MODE,
      'In plan mode, where nothing may be changed: shows the user your finished plan and asks to start. Use it once the plan for a change is complete, not for questions that only need an answer.',
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
