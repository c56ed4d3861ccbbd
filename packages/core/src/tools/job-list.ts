import type { Effect } from '../effects/effect.js';
import type { ToolRuntime } from '../runtime.js';
import type { BackgroundSubagent } from '../subagents/subagent-types.js';
import { groupDigits } from '../util/group-digits.js';
import { nameOfAgent, secondsOf, stateOfAgent } from './agent-report.js';
import { stateOfJob, type JobState } from './job-report.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, RunInvocation, type ToolInvocation, type ToolResult } from './tools.js';

const SHOWN = 80;

class JobListInvocation extends RunInvocation<object> {
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super({});
    this.#config = config;
  }

  getDescription(): string {
    return 'Background jobs';
  }

  /** The jobs are the agent's own. */
  effects(): Effect[] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    const all = this.#config.getJobs().list();
    for (const job of all) job.noteEndSeen();
    const jobs = all.map(stateOfJob);
    // What they said at their end is not told here: it is still news.
    const agents = this.#config.getSubagents()?.background() ?? [];
    const lines = [...jobs.map(lineOf), ...agents.map(lineOfAgent)];
    const text = lines.length === 0 ? 'No jobs.' : lines.join('\n');
    const more = agents.length === 0 ? {} : { agents: agents.map(stateOfAgent) };
    return { llmContent: text, returnDisplay: text, data: { jobs, ...more } };
  }
}

/** `job-2  running 12 s  1,234 bytes  npm run dev`. */
function lineOf({ id, state, exitCode, signal, durationMs, totalBytes, command }: JobState): string {
  const how = signal === null ? `exit code ${exitCode ?? '?'}` : signal;
  const what = command.trim().replace(/\s+/g, ' ');
  const short = what.length > SHOWN ? `${what.slice(0, SHOWN)}…` : what;
  const time = `${Math.round(durationMs / 1000)} s`;
  return `${id}  ${state === 'running' ? `running ${time}` : `ended, ${how}, ${time}`}  ${groupDigits(totalBytes)} bytes  ${short}`;
}

/** `a1 (explore, "find the parser")  works 12 s`. */
function lineOfAgent(agent: BackgroundSubagent): string {
  const how = agent.report === undefined ? 'works' : `ended, ${agent.report.stopReason},`;
  return `${nameOfAgent(agent)}  ${how} ${secondsOf(agent)} s`;
}

/** The jobs of this session. */
export class JobListTool extends BaseDeclarativeTool<object, ToolResult> {
  static readonly Name = ToolNames.JOB_LIST;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      JobListTool.Name,
      ToolDisplayNames.JOB_LIST,
      'Lists the background jobs and agents with their state.',
      Kind.Read,
      {
        type: 'object',
        properties: {},
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected createInvocation(): ToolInvocation<object, ToolResult> {
    return new JobListInvocation(this.#config);
  }
}
