import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import type { ToolRuntime } from '../runtime.js';
import type { SubagentOrder, Subagents } from '../subagents/subagent-types.js';
import { TASK_WORDS, taskReport, toldAgents } from './task-words.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolInvocation,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

export interface TaskToolParams {
  description: string;
  prompt: string;
  subagent_type?: string;
  run_in_background?: boolean;
  isolation?: 'worktree';
}

type Runtime = Pick<ToolRuntime, 'getSubagents'>;

const NOBODY =
  'No agent can take work here: there is no model that one could ask, as for a single call outside of a session. Do the work yourself, or start a session (`tenon`).';

const USUAL = 'general';

class TaskInvocation extends RunInvocation<TaskToolParams> {
  readonly #runtime: Runtime;

  constructor(params: TaskToolParams, runtime: Runtime) {
    super(params);
    this.#runtime = runtime;
  }

  getDescription(): string {
    return `${this.#agent}: ${this.params.description.replaceAll(/\s+/g, ' ').trim()}`;
  }

  effects(): Effect[] {
    return [{ kind: 'delegate', agent: this.#agent }];
  }

  protected async run(signal: AbortSignal, update?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    const subagents = this.#runtime.getSubagents();
    if (subagents === undefined) throw new ToolError(ToolErrorType.EXECUTION_FAILED, NOBODY);
    const order = this.#orderFor(subagents, context?.callId ?? '');
    if (order.isBackground) return begun(await subagents.start(order));
    const report = await subagents.run(order, signal, (status) => update?.({ status }));
    const text = taskReport(order.agent, report);
    if (report.stopReason === 'model-error' || report.stopReason === 'empty-answer')
      throw new ToolError(ToolErrorType.EXECUTION_FAILED, text);
    return { llmContent: text, returnDisplay: text, data: report };
  }

  get #agent(): string {
    return this.params.subagent_type ?? USUAL;
  }

  #orderFor(subagents: Subagents, callId: string): SubagentOrder {
    const { description, prompt, run_in_background: isBackground, isolation } = this.params;
    const agent = this.#agent;
    const definition = subagents.definitions().find(({ name }) => name === agent);
    return {
      description,
      prompt,
      agent,
      isBackground: isBackground ?? (definition?.isBackground === true && subagents.depth === 0),
      isolation: isolation ?? definition?.isolation,
      callId,
    };
  }
}

function begun({ agentId, agent }: { readonly agentId: string; readonly agent: string }): ToolResult {
  const text = `${agent} works in the background as ${agentId}. You are told when it ends; ${ToolNames.JOB_OUTPUT} with that id shows how far it is, and ${ToolNames.JOB_STOP} ends it.`;
  return { llmContent: text, returnDisplay: `works in the background as ${agentId}`, data: { agentId, agent } };
}

/** Hands work to a subagent (S123). */
export class TaskTool extends BaseDeclarativeTool<TaskToolParams, ToolResult> {
  static readonly Name = ToolNames.TASK;
  override readonly parameterAliases = { agent: 'subagent_type', task: 'prompt' };
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    const definitions = runtime.getSubagents()?.definitions() ?? [];
    super(
      TaskTool.Name,
      ToolDisplayNames.TASK,
      [TASK_WORDS, ...toldAgents(definitions)].join('\n'),
      Kind.Other,
      {
        type: 'object',
        properties: {
          description: { type: 'string', minLength: 1, description: 'In five words.' },
          prompt: { type: 'string', minLength: 1, description: 'All that it must know.' },
          subagent_type: { type: 'string', description: `Default ${USUAL}.` },
          run_in_background: { type: 'boolean', description: 'You are told when it ends.' },
          isolation: {
            enum: ['worktree'],
            description: 'A git worktree of its own; its changes come back as one diff.',
          },
        },
        required: ['description', 'prompt'],
        additionalProperties: false,
      },
      true,
      true,
    );
    this.#runtime = runtime;
  }

  override get isOffered(): boolean {
    return this.#runtime.getSubagents()?.refusal() === undefined && this.#runtime.getSubagents() !== undefined;
  }

  protected createInvocation(params: TaskToolParams): ToolInvocation<TaskToolParams, ToolResult> {
    return new TaskInvocation(params, this.#runtime);
  }
}
