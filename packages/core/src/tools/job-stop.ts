import type { Effect } from '../effects/effect.js';
import type { ToolRuntime } from '../runtime.js';
import type { BackgroundSubagent } from '../subagents/subagent-types.js';
import { agentNamed, reportOfAgent } from './agent-report.js';
import { describeJobEnd, describeJobOutput, stateOfJob } from './job-report.js';
import { MOST_REPORT_TOKENS } from './shell-report.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, RunInvocation, type ToolInvocation, type ToolResult } from './tools.js';

export interface JobStopToolParams {
  id: string;
}

const MAX_NAMED = 10;

class JobStopInvocation extends RunInvocation<JobStopToolParams> {
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime, params: JobStopToolParams) {
    super(params);
    this.#config = config;
  }

  getDescription(): string {
    return this.params.id;
  }

  /** Only what the agent itself started can be ended. */
  effects(): Effect[] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    const agent = agentNamed(this.#config, this.params.id);
    if (agent !== undefined) return this.#stopAgent(agent);
    const job = this.#config.getJobs().get(this.params.id);
    const wasRunning = job.outcome === undefined;
    const names = wasRunning ? job.live.processNames() : [];
    if (wasRunning) await job.live.stop('stopped');
    await job.settled();
    const more = names.length > MAX_NAMED ? ', …' : '';
    const what = names.length === 0 ? [] : [`Ended processes: ${names.slice(0, MAX_NAMED).join(', ')}${more}`];
    const state = wasRunning ? [describeJobOutput(job, await job.look()), ...what] : ['It had ended before.'];
    const text = [...state, describeJobEnd(job, this.#config.getTargetDir())].join('\n');
    return { llmContent: text, returnDisplay: text, data: { ...stateOfJob(job), endedProcesses: names } };
  }

  async #stopAgent(agent: BackgroundSubagent): Promise<ToolResult> {
    const wasRunning = (await this.#config.getSubagents()?.stop(agent.agentId)) === true;
    return reportOfAgent(agent, wasRunning ? [] : ['It had ended before.']);
  }
}

/** Ends a job with all that it started. */
export class JobStopTool extends BaseDeclarativeTool<JobStopToolParams, ToolResult> {
  static readonly Name = ToolNames.JOB_STOP;
  override readonly mostTokens = MOST_REPORT_TOKENS;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      JobStopTool.Name,
      ToolDisplayNames.JOB_STOP,
      'Ends a background job or agent with all that it started, and returns its last output.',
      Kind.Execute,
      {
        type: 'object',
        properties: { id: { type: 'string', description: 'Job id.' } },
        required: ['id'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override get example(): JobStopToolParams {
    return { id: 'job-3' };
  }

  protected createInvocation(params: JobStopToolParams): ToolInvocation<JobStopToolParams, ToolResult> {
    return new JobStopInvocation(this.#config, params);
  }
}
