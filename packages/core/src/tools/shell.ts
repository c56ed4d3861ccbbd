import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import type { CommandChanges } from '../files/file-changes.js';
import type { CommandOutcome, CommandRequest } from '../process/command-types.js';
import { plainOutput } from '../process/plain-output.js';
import type { ToolRuntime } from '../runtime.js';
import { MAX_COMMAND_LENGTH } from '../shell/analyse-command.js';
import { changesNoFile } from '../shell/changes-no-file.js';
import { commandEffects, type CommandPlace } from '../shell/command-effects.js';
import { describeChanges, describeOutcome } from './shell-report.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolErrorType,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

export interface ShellToolParams {
  command: string;
  /** For the person who is asked. */
  description?: string;
  /** Milliseconds. */
  timeout?: number;
  /** Absolute, inside the workspace. */
  directory?: string;
}

/** `data` of a result. */
export type ShellData = Omit<CommandOutcome, 'head' | 'tail'> & {
  readonly directory: string;
  /** Absent when the command was known to change nothing. */
  readonly changes?: CommandChanges;
};

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const KEEP_BYTES = 48 * 1024;
const TITLE_LENGTH = 200;

class ShellInvocation extends RunInvocation<ShellToolParams> {
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime, params: ShellToolParams) {
    super(params);
    this.#config = config;
  }

  getDescription(): string {
    const { command, description, directory } = this.params;
    const line = command.trim().replace(/\s+/g, ' ');
    const short = line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : line;
    const where = directory === undefined ? '' : ` [in ${directory}]`;
    return `${short}${where}${description === undefined || description === '' ? '' : ` (${description})`}`;
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.#directory }];
  }

  /** A command in another folder than the first root also looks into it: rules on reading speak of it, and its making comes first. */
  effects(): Effect[] {
    const { path, requested, zone } = this.#config.getWorkspaceGate().resolve(this.#directory);
    const runs = commandEffects(this.params.command, { directory: path, zone }, (folder) => this.#placeOf(folder));
    return path === this.#config.getTargetDir() ? runs : [{ kind: 'read', path, requested, zone }, ...runs];
  }

  /** Where a `cd` of the command itself leads, links followed. */
  #placeOf(folder: string): CommandPlace {
    const gate = this.#config.getWorkspaceGate();
    if (!gate.contains(folder)) return { directory: folder, zone: 'outside' };
    const { path, zone } = gate.resolve(folder);
    return { directory: path, zone };
  }

  /** Always something to show: whether to ask is decided on the effects, and nowhere else (K24). */
  override async shouldConfirmExecute(): Promise<ToolCallConfirmationDetails | false> {
    const { command, directory } = this.params;
    const title = `Confirm ${ToolDisplayNames.SHELL} Command`;
    return { type: 'exec', title, command, ...(directory === undefined ? {} : { directory }) };
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    const { command, timeout } = this.params;
    const timeoutMs = Math.min(timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
    const runCommand = this.#config.getCommandRunner();
    // Held while the command runs: a link that is swapped in meanwhile does not move it elsewhere.
    return this.#config.getWorkspaceGate().withFolder(this.#directory, async (folder) => {
      const request: CommandRequest = {
        command: { shell: command },
        cwd: folder.workingDirectory,
        env: this.#config.getChildEnvironment(),
        timeoutMs,
        keepBytes: KEEP_BYTES,
        spoolFile: join(this.#config.getTempDir(), `shell-${randomUUID()}.txt`),
        ...(updateOutput === undefined ? {} : { onOutput: (tail: string) => updateOutput(plainOutput(tail)) }),
      };
      const start = (): Promise<CommandOutcome> => runCommand(request, signal);
      const isWatched = !signal.aborted && !changesNoFile(this.effects());
      const watch = (run: () => Promise<CommandOutcome>): Promise<Ran> =>
        this.#config.getFileChanges().watch(run, context);
      const { result: outcome, changes }: Ran = isWatched
        ? await unlessCancelledBefore(watch, start, signal)
        : { result: await start() };
      const root = this.#config.getTargetDir();
      return resultOf({ outcome, changes }, { command, timeoutMs, root, directory: folder.resolved.path });
    });
  }

  get #directory(): string {
    return this.params.directory ?? this.#config.getTargetDir();
  }
}

interface Ran {
  readonly result: CommandOutcome;
  readonly changes?: CommandChanges;
}

/** The look at the workspace before a command takes up to seconds: whoever cancels meanwhile does not wait for it. */
function unlessCancelledBefore(
  watch: (run: () => Promise<CommandOutcome>) => Promise<Ran>,
  start: () => Promise<CommandOutcome>,
  signal: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // Cancelled before it begins, a command only says so.
    const onAbort = (): void => void start().then((result) => resolve({ result }), reject);
    signal.addEventListener('abort', onAbort, { once: true });
    const run = (): Promise<CommandOutcome> => {
      signal.removeEventListener('abort', onAbort);
      return start();
    };
    watch(run)
      .finally(() => signal.removeEventListener('abort', onAbort))
      .then(resolve, reject);
  });
}

/** A command that ran and exited is a success of the tool, whatever its exit code: `grep` says 1 for "no match". */
function resultOf(
  { outcome, changes }: { readonly outcome: CommandOutcome; readonly changes: CommandChanges | undefined },
  call: { readonly command: string; readonly timeoutMs: number; readonly root: string; readonly directory: string },
): ToolResult {
  const said = describeOutcome(outcome, {
    command: call.command,
    timeoutMs: call.timeoutMs,
    openWith: [ToolNames.READ_FILE, ToolNames.GREP],
  });
  const { head: _head, tail: _tail, ...rest } = outcome;
  const text = changes === undefined ? said : [said, ...describeChanges(changes, call.root)].join('\n');
  const data: ShellData = { ...rest, directory: call.directory, ...(changes === undefined ? {} : { changes }) };
  const result: ToolResult = { llmContent: text, returnDisplay: text, data };
  if (outcome.ending === 'exited') return result;
  return { ...result, error: errorOf(outcome, call.timeoutMs) };
}

function errorOf(outcome: CommandOutcome, timeoutMs: number): NonNullable<ToolResult['error']> {
  if (outcome.ending === 'cancelled') return { message: 'The command was cancelled.', type: ToolErrorType.CANCELLED };
  if (outcome.ending === 'timed-out') {
    return { message: `The command did not end within ${timeoutMs / 1000} s.`, type: ToolErrorType.TIMED_OUT };
  }
  return {
    message: outcome.startError ?? 'The command could not be started.',
    type: ToolErrorType.SHELL_EXECUTE_ERROR,
  };
}

const DESCRIPTION = `Runs a command line in a fresh bash and returns stdout and stderr together, in order.
- Nothing carries over to the next call: no cd, no variables, no background processes (what is left running is ended).
- There is no stdin and no terminal; pagers, editors and prompts are off. Use options such as -y or -m.
- Long output keeps its beginning and end; all of it is saved to a file that the result names.
- Prefer the file and search tools to cat, sed, ls, find and grep.`;

const SCHEMA = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'The bash command line.' },
    description: { type: 'string', description: 'What it does, in one short sentence for the user.' },
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      description: `Time limit in milliseconds. Default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
    },
    directory: { type: 'string', description: 'Absolute path of the folder to run in. Default: the workspace root.' },
  },
  required: ['command'],
  additionalProperties: false,
};

/** Runs shell commands (S119). Every command is judged by its effects before, and ended with all it started. */
export class ShellTool extends BaseDeclarativeTool<ShellToolParams, ToolResult> {
  static readonly Name = ToolNames.SHELL;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(ShellTool.Name, ToolDisplayNames.SHELL, DESCRIPTION, Kind.Execute, SCHEMA, false, true);
    this.#config = config;
  }

  protected override validateToolParamValues({ command, directory }: ShellToolParams): string | null {
    if (command.trim() === '') return 'command must not be empty. Give a command line such as "npm test".';
    if (command.includes('\0')) return "command must not contain a NUL character. Write \\0 in printf or $'…' instead.";
    if (command.length > MAX_COMMAND_LENGTH) {
      return `command must not be longer than ${MAX_COMMAND_LENGTH} characters. Write it to a file and run the file.`;
    }
    return directory === undefined ? null : (this.#config.getWorkspaceGate().check(directory)?.message ?? null);
  }

  protected createInvocation(params: ShellToolParams): ToolInvocation<ShellToolParams, ToolResult> {
    return new ShellInvocation(this.#config, params);
  }
}
