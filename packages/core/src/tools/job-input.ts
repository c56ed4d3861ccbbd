import type { Effect } from '../effects/effect.js';
import { attend } from '../process/attend-command.js';
import type { ToolRuntime } from '../runtime.js';
import type { CommandSurroundings } from '../shell/command-effects.js';
import { describeJobEnd, describeJobOutput, stateOfJob } from './job-report.js';
import { describeWaiting, MOST_REPORT_TOKENS } from './shell-report.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolResult,
} from './tools.js';

export interface JobInputToolParams {
  id: string;
  text?: string;
  /** Whether the text ends with a newline. Default true. */
  newline?: boolean;
  /** End of input after the text. */
  close?: boolean;
}

/** A pipe takes this much without any reader. */
const LONGEST_TEXT = 60_000;
const LOOK_MS = 1000;

class JobInputInvocation extends RunInvocation<JobInputToolParams> {
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime, params: JobInputToolParams) {
    super(params);
    this.#config = config;
  }

  getDescription(): string {
    const { id, text, close } = this.params;
    return `${id}: ${text === undefined ? '' : JSON.stringify(text.slice(0, 200))}${close === true ? ' (end of input)' : ''}`;
  }

  /**
   * Whatever reads it may take it for commands: it is judged like a text for a shell, so that what is forbidden there is
   * forbidden here, and nothing that is allowed there is allowed here unasked.
   */
  async effects(): Promise<Effect[]> {
    const { id, text = '' } = this.params;
    const gate = this.#config.getWorkspaceGate();
    const job = this.#config
      .getJobs()
      .list()
      .find((each) => each.id === id);
    const { path, zone } = gate.resolve(this.#config.getTargetDir());
    const { program } = this.#config.getShellOptions();
    const { readCommand, commandSurroundings } = await import('./read-command.js');
    const surroundings = (): CommandSurroundings => commandSurroundings(gate, this.#config.getChildEnvironment());
    const runs = text.trim() === '' ? [] : readCommand(text, { directory: path, zone }, { program, surroundings });
    const strict = runs.flatMap((effect): Effect[] => {
      if (effect.kind !== 'run') return [];
      const { kind, command, argv, unread } = effect;
      return [{ kind, command, argv, directory: path, zone, readOnly: false, ...(unread !== undefined && { unread }) }];
    });
    const reader = job === undefined ? 'a job' : `\`${job.command.trim().slice(0, 60)}\``;
    return [...strict, { kind: 'unknown', reason: `what ${reader} does with its input` }];
  }

  override async shouldConfirmExecute(): Promise<ToolCallConfirmationDetails | false> {
    const { id, text = '' } = this.params;
    return { type: 'exec', title: `Confirm input for ${id}`, command: text };
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { id, text, newline = true, close } = this.params;
    const job = this.#config.getJobs().get(id);
    if (job.outcome !== undefined)
      throw new ToolError(ToolErrorType.EXECUTION_FAILED, `${id} has ended: nothing reads input any more.`);
    const { stdin } = job.live;
    if (stdin === undefined) {
      const message = `${id} has no input: it was started without input or tty. Stop it and start it again with one of them.`;
      throw new ToolError(ToolErrorType.EXECUTION_FAILED, message);
    }
    if (text !== undefined) await stdin.write(newline ? `${text}\n` : text);
    if (close === true) stdin.close();
    const end = await attend(job.live, { timeoutMs: LOOK_MS, signal });
    const waits = end.kind === 'input' ? [describeWaiting(job, end.prompt)] : [];
    if (end.kind === 'input') job.noteWaitSeen();
    if (end.kind === 'exit') await job.settled();
    const folder = this.#config.getTargetDir();
    const said = [describeJobOutput(job, await job.look()), ...waits, describeJobEnd(job, folder)].join('\n');
    return { llmContent: said, returnDisplay: said, data: { ...stateOfJob(job), event: end.kind } };
  }
}

/** Writes to a job that was started with input or a terminal. */
export class JobInputTool extends BaseDeclarativeTool<JobInputToolParams, ToolResult> {
  static readonly Name = ToolNames.JOB_INPUT;
  override readonly mostTokens = MOST_REPORT_TOKENS;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      JobInputTool.Name,
      ToolDisplayNames.JOB_INPUT,
      'Types a line into a background job that was started with input or tty, and returns what it prints next.',
      Kind.Execute,
      {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Job id.' },
          text: { type: 'string', maxLength: LONGEST_TEXT, description: 'What to type.' },
          newline: { type: 'boolean', description: 'Newline after the text. Default true.' },
          close: { type: 'boolean', description: 'End of input afterwards.' },
        },
        required: ['id'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override get example(): JobInputToolParams {
    return { id: 'job-3', text: 'yes' };
  }

  protected override validateToolParamValues({ text, close }: JobInputToolParams): string | null {
    return text === undefined && close !== true ? 'Give text, or close: true, or both.' : null;
  }

  protected createInvocation(params: JobInputToolParams): ToolInvocation<JobInputToolParams, ToolResult> {
    return new JobInputInvocation(this.#config, params);
  }
}
