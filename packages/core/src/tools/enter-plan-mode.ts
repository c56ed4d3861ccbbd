import type { Effect } from '../effects/effect.js';
import { ApprovalMode } from '../policy/approval-mode.js';
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

export interface EnterPlanModeToolParams {
  reason: string;
}

type Runtime = Pick<ToolRuntime, 'getApprovalMode' | 'setApprovalMode' | 'getPlanning'>;

class EnterPlanModeInvocation extends RunInvocation<EnterPlanModeToolParams> {
  readonly #config: Runtime;
  #answer: ToolConfirmationOutcome | undefined;

  constructor(config: Runtime, params: EnterPlanModeToolParams) {
    super(params);
    this.#config = config;
  }

  getDescription(): string {
    return this.params.reason.trim().split('\n', 1).join('');
  }

  effects(): Effect[] {
    return [{ kind: 'ask' }];
  }

  override async shouldConfirmExecute(_signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    if (this.#isOn || !this.#config.getPlanning().canAsk) return false;
    return {
      type: 'info',
      title: 'Plan first, before anything is changed?',
      prompt: this.params.reason,
      refused: 'The user does not want a plan first; the mode stays as it is. Go on with the work.',
      onConfirm: async (outcome) => {
        this.#answer = outcome;
      },
    };
  }

  get #isOn(): boolean {
    return this.#config.getApprovalMode() === ApprovalMode.PLAN;
  }

  protected async run(): Promise<ToolResult> {
    if (this.#isOn) return { llmContent: `Plan mode is on already. ${NEXT}`, returnDisplay: 'In plan mode already' };
    // Nothing but a person's yes switches it on, whatever else let the call through.
    if (this.#answer === undefined || this.#answer === ToolConfirmationOutcome.Cancel)
      throw new ToolError(ToolErrorType.EXECUTION_DENIED, this.#whyNot());
    this.#config.setApprovalMode(ApprovalMode.PLAN);
    return {
      llmContent: `The user agreed: plan mode is on, and nothing can be changed. ${NEXT}`,
      returnDisplay: 'Plan mode is on',
      data: { mode: ApprovalMode.PLAN },
    };
  }

  #whyNot(): string {
    if (this.#config.getPlanning().canAsk)
      return 'The user did not agree, so the mode stays as it is. Go on with the work.';
    return `Nobody can be asked, so the mode stays ${this.#config.getApprovalMode()}. Plan all the same: look at what there is first, write the steps down with ${ToolNames.TODO_WRITE}, then carry them out.`;
  }
}

const NEXT = `Look at what there is, ask about what only the user can decide, then present the plan with ${ToolNames.EXIT_PLAN_MODE}.`;

/** Proposes to plan first; the mode changes when the person says yes, and never else. */
export class EnterPlanModeTool extends BaseDeclarativeTool<EnterPlanModeToolParams, ToolResult> {
  static readonly Name = ToolNames.ENTER_PLAN_MODE;
  readonly #config: Runtime;

  constructor(config: Runtime) {
    super(
      EnterPlanModeTool.Name,
      ToolDisplayNames.ENTER_PLAN_MODE,
      'Proposes to the user to plan first: for work that touches much or can be done in several ways.',
      Kind.Think,
      {
        type: 'object',
        properties: { reason: { type: 'string', minLength: 1, description: 'A sentence for the user.' } },
        required: ['reason'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  override get isOffered(): boolean {
    return this.#config.getPlanning().canAsk;
  }

  protected override validateToolParamValues({ reason }: EnterPlanModeToolParams): string | null {
    return reason.trim() === '' ? 'The reason is empty. Say why the user should want a plan first.' : null;
  }

  protected createInvocation(params: EnterPlanModeToolParams): ToolInvocation<EnterPlanModeToolParams, ToolResult> {
    return new EnterPlanModeInvocation(this.#config, params);
  }
}
