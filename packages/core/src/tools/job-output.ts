import type { Effect } from '../effects/effect.js';
import { attend, type AttendEnd } from '../process/attend-command.js';
import type { Job, JobOutput } from '../process/jobs/job.js';
import { linearPattern } from '../util/linear-pattern.js';
import { plainOutput } from '../process/plain-output.js';
import type { ToolRuntime } from '../runtime.js';
import type { BackgroundSubagent } from '../subagents/subagent-types.js';
import { abortable, sleep } from '../util/abort.js';
import { errorMessage } from '../util/failure.js';
import { agentNamed, reportOfAgent } from './agent-report.js';
import { describeJobEnd, describeJobOutput, stateOfJob } from './job-report.js';
import { describeWaiting, withSilence, MOST_REPORT_TOKENS } from './shell-report.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  failedResult,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolInvocation,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

export interface JobOutputToolParams {
  id: string;
  /** Milliseconds. Absent: no waiting, unless there is something to wait for. */
  timeout?: number;
  wait_for_exit?: boolean;
  wait_for_port?: number;
  /** Looked for in what was not seen yet. */
  wait_for_pattern?: string;
}

const DEFAULT_WAIT_MS = 30_000;
const MAX_WAIT_MS = 600_000;
const NEWEST_BYTES = 4096;

class JobOutputInvocation extends RunInvocation<JobOutputToolParams> {
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime, params: JobOutputToolParams) {
    super(params);
    this.#config = config;
  }

  getDescription(): string {
    const { id, wait_for_pattern: pattern, wait_for_port: port, wait_for_exit: exit } = this.params;
    const until = [
      ...(pattern === undefined ? [] : [JSON.stringify(pattern.slice(0, 60))]),
      ...(port === undefined ? [] : [`port ${port}`]),
      ...(exit === true ? ['its end'] : []),
    ];
    return until.length === 0 ? id : `${id} until ${until.join(' or ')}`;
  }

  /** The job is the agent's own, and what it prints is too; a port of this machine is only asked whether it answers. */
  effects(): Effect[] {
    return [];
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const agent = agentNamed(this.#config, this.params.id);
    if (agent !== undefined) return this.#ofAgent(agent, signal);
    const job = this.#config.getJobs().get(this.params.id);
    const end = await this.#wait(job, signal, updateOutput);
    if (end?.kind === 'cancelled')
      return failedResult(ToolErrorType.CANCELLED, 'The waiting was cancelled; the job goes on.');
    if (job.outcome !== undefined) await job.settled();
    const folder = this.#config.getTargetDir();
    return report(job, await job.look(), { end, params: this.params, folder });
  }

  async #ofAgent(agent: BackgroundSubagent, signal: AbortSignal): Promise<ToolResult> {
    const { timeout, wait_for_exit: exit, wait_for_port: port, wait_for_pattern: pattern } = this.params;
    if (port !== undefined || pattern !== undefined)
      throw new ToolError(
        ToolErrorType.INVALID_TOOL_PARAMS,
        `${agent.agentId} is an agent, which opens no port and prints no lines. wait_for_exit waits for its end.`,
      );
    const waitMs = Math.min(timeout ?? (exit === true ? DEFAULT_WAIT_MS : 0), MAX_WAIT_MS);
    if (waitMs > 0) await endOrTime(agent, waitMs, signal);
    const isLate = waitMs > 0 && agent.state === 'running';
    return reportOfAgent(agent, isLate ? [`It did not end within ${waitMs / 1000} s.`] : []);
  }

  async #wait(job: Job, signal: AbortSignal, updateOutput?: UpdateOutput): Promise<AttendEnd | undefined> {
    const { timeout, wait_for_exit: exit, wait_for_port: port, wait_for_pattern: pattern } = this.params;
    const hasWish = exit === true || port !== undefined || pattern !== undefined;
    const waitMs = Math.min(timeout ?? (hasWish ? DEFAULT_WAIT_MS : 0), MAX_WAIT_MS);
    if (waitMs === 0 || (job.outcome !== undefined && pattern === undefined)) return undefined;
    const { live } = job;
    const tell = (): void => updateOutput?.(plainOutput(live.newest(NEWEST_BYTES)));
    const stopTelling = updateOutput === undefined ? undefined : tellNowAndThen(live.listen, tell);
    try {
      return await attend(live, {
        timeoutMs: waitMs,
        signal,
        ...(pattern === undefined ? {} : { pattern: { pattern: linearPattern(pattern), from: job.seenBytes } }),
        ...(port === undefined ? {} : { port }),
        onSilence: (silence) => updateOutput?.(withSilence(plainOutput(live.newest(NEWEST_BYTES)), silence)),
      });
    } finally {
      stopTelling?.();
    }
  }
}

const TELL_MS = 250;

/** At most a few times a second. */
function tellNowAndThen(listen: Job['live']['listen'], tell: () => void): () => void {
  let last = 0;
  return listen(() => {
    const now = performance.now();
    if (now - last < TELL_MS) return;
    last = now;
    // After the piece that is told of now.
    setImmediate(tell);
  });
}

/** Rejects with the signal's reason only. */
async function endOrTime({ ended }: BackgroundSubagent, waitMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([abortable(ended, signal), sleep(waitMs, AbortSignal.any([signal, over.signal]))]);
  } finally {
    over.abort();
  }
}

function report(
  job: Job,
  output: JobOutput,
  {
    end,
    params,
    folder,
  }: { readonly end: AttendEnd | undefined; readonly params: JobOutputToolParams; readonly folder: string },
): ToolResult {
  const lines = [describeJobOutput(job, output)];
  if (end?.kind === 'pattern') lines.push(`Found: ${JSON.stringify(end.line.slice(0, 200))}.`);
  if (end?.kind === 'port') lines.push(`Port ${end.port} answers.`);
  if (end?.kind === 'input' && job.outcome === undefined) {
    job.noteWaitSeen();
    lines.push(describeWaiting(job, end.prompt));
  }
  if (end?.kind === 'time')
    lines.push(`${notYet(params)} within ${Math.min(params.timeout ?? DEFAULT_WAIT_MS, MAX_WAIT_MS) / 1000} s.`);
  lines.push(describeJobEnd(job, folder));
  const text = lines.join('\n');
  const data = { ...stateOfJob(job), event: end?.kind ?? 'look', omittedBytes: output.omittedBytes };
  return { llmContent: text, returnDisplay: text, data };
}

function notYet({ wait_for_pattern: pattern, wait_for_port: port, wait_for_exit: exit }: JobOutputToolParams): string {
  const missing = [
    ...(pattern === undefined ? [] : ['no line matched']),
    ...(port === undefined ? [] : [`port ${port} did not answer`]),
    ...(exit === true ? ['it did not end'] : []),
  ];
  const text = missing.length === 0 ? 'nothing happened' : missing.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** New output of a job, after waiting for something. */
export class JobOutputTool extends BaseDeclarativeTool<JobOutputToolParams, ToolResult> {
  static readonly Name = ToolNames.JOB_OUTPUT;
  override readonly mostTokens = MOST_REPORT_TOKENS;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      JobOutputTool.Name,
      ToolDisplayNames.JOB_OUTPUT,
      'Returns what a background job printed since the last look, and its state; can wait for one of several things first and says which happened. Of an agent: what it does, or what it said at its end. You are told when one ends: do not ask only for that.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Job id.' },
          wait_for_exit: { type: 'boolean', description: 'Until it ends.' },
          wait_for_port: {
            type: 'integer',
            minimum: 1,
            maximum: 65_535,
            description: 'Until this local port answers.',
          },
          wait_for_pattern: { type: 'string', description: 'Until a new line matches this regular expression.' },
          timeout: {
            type: 'integer',
            minimum: 0,
            maximum: MAX_WAIT_MS,
            description: `Milliseconds. Default ${DEFAULT_WAIT_MS}.`,
          },
        },
        required: ['id'],
        additionalProperties: false,
      },
      false,
      true,
    );
    this.#config = config;
  }

  protected override get example(): JobOutputToolParams {
    return { id: 'job-3' };
  }

  protected override validateToolParamValues({ wait_for_pattern: pattern }: JobOutputToolParams): string | null {
    try {
      if (pattern !== undefined) linearPattern(pattern);
      return null;
    } catch (thrown) {
      return errorMessage(thrown);
    }
  }

  protected createInvocation(params: JobOutputToolParams): ToolInvocation<JobOutputToolParams, ToolResult> {
    return new JobOutputInvocation(this.#config, params);
  }
}
