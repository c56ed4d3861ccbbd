import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import { displayPath } from '../files/display-path.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import { plainOutput } from '../process/plain-output.js';
import { shellInvocation } from '../process/shell-invocation.js';
import type { ToolRuntime } from '../runtime.js';
import type { SandboxStatus } from '../sandbox/sandbox-types.js';
import { changesNoFile } from '../shell/changes-no-file.js';
import type { CommandSurroundings } from '../shell/command-effects.js';
import { containedEffects } from './contained-effects.js';
import { goesOn, unlessCancelledBefore, type Ran } from './shell-watch.js';
import {
  defaultWait,
  MAX_TIMEOUT_MS,
  problemOfParams,
  shellDescription,
  shellSchema,
  type ShellToolParams,
} from './shell-params.js';
import {
  doubtsOfState,
  forgetShellState,
  NOTHING_KEPT,
  readShellState,
  rememberingCommand,
  stillThere,
  type ShellState,
} from './shell-memory.js';
import { withSilence, MOST_REPORT_TOKENS } from './shell-report.js';
import { resultOf } from './shell-result.js';
import { notRun, runInShell, type ShellEnd, type ShellRun } from './shell-run.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { unhiddenSecrets } from './unhidden-secrets.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

const KEEP_BYTES = 48 * 1024;
const TITLE_LENGTH = 200;

/** What the call found of earlier ones, and where it leaves what it kept. */
interface Memory {
  readonly start: ShellState;
  readonly keep: (state: ShellState) => void;
}

class ShellInvocation extends RunInvocation<ShellToolParams> {
  readonly #config: ToolRuntime;
  readonly #memory: Memory;
  #surroundings: CommandSurroundings | undefined;
  /** As they were stated last: whoever runs the call has just judged them. */
  #stated: readonly Effect[] | undefined;

  constructor(config: ToolRuntime, params: ShellToolParams, memory: Memory) {
    super(params);
    this.#config = config;
    this.#memory = memory;
  }

  getDescription(): string {
    const { command, description, directory } = this.params;
    const line = command.trim().replace(/\s+/g, ' ');
    const short = line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : line;
    const where = directory === undefined ? '' : ` [in ${displayPath(directory, this.#config.getTargetDir())}]`;
    return `${short}${where}${this.#manner}${description === undefined || description === '' ? '' : ` (${description})`}`;
  }

  /** What is special about how it runs, for the person; empty for an ordinary command. */
  get #manner(): string {
    const { is_background: isBackground, tty, input } = this.params;
    const said = [
      ...(isBackground === true ? ['in the background'] : []),
      ...(tty === true ? ['with a terminal'] : input === true ? ['with input'] : []),
    ];
    return said.length === 0 ? '' : ` [${said.join(', ')}]`;
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.#directory }];
  }

  /**
   * Looked for anew each time: links and wildcards may lead elsewhere by now. A command in another folder than the first
   * root also looks into it: rules on reading speak of it, and its making comes first.
   */
  async effects(): Promise<readonly Effect[]> {
    const config = this.#config;
    const { path, requested, zone } = config.getWorkspaceGate().resolve(this.#directory);
    const sandbox = await config.getSandboxStatus();
    const { program } = config.getShellOptions();
    // The analysis is large: a session without commands does without.
    const { readCommand, commandSurroundings } = await import('./read-command.js');
    // Their answers are those of the moment; what they are made of stays the same.
    const surroundings = (): CommandSurroundings =>
      (this.#surroundings ??= commandSurroundings(config.getWorkspaceGate(), config.getChildEnvironment(), (folder) =>
        config.isTrustedRepository(folder),
      ));
    const stated = readCommand(this.params.command, { directory: path, zone }, { program, surroundings });
    const runs = sandbox.mechanism === 'none' ? stated : this.#inSandbox(stated, sandbox);
    const looks: Effect[] = path === config.getTargetDir() ? [] : [{ kind: 'read', path, requested, zone }];
    // What variables of earlier commands change is a doubt of its own.
    const doubts = doubtsOfState(this.#memory.start).map((reason): Effect => ({ kind: 'unknown', reason }));
    const unhidden = unhiddenSecrets(this.params.command, stated, config.getSecrets());
    this.#stated = [...looks, ...runs, ...doubts, ...unhidden];
    return this.#stated;
  }

  /** Leaving the sandbox is a question of its own. */
  #inSandbox(effects: readonly Effect[], sandbox: SandboxStatus): Effect[] {
    if (this.params.unsandboxed !== true) return containedEffects(effects, sandbox);
    return [...effects, { kind: 'unknown', reason: 'it runs outside the sandbox' }];
  }

  /** Always something to show: whether to ask is decided on the effects, and nowhere else (K24). */
  override async shouldConfirmExecute(): Promise<ToolCallConfirmationDetails | false> {
    const { command, directory = this.#memory.start.directory } = this.params;
    const title = `Confirm ${ToolDisplayNames.SHELL} Command${this.#manner}`;
    return { type: 'exec', title, command, ...(directory === undefined ? {} : { directory }) };
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    // Held while the command runs: a link that is swapped in meanwhile does not move it elsewhere.
    return this.#config.getWorkspaceGate().withFolder(this.#directory, async (folder) => {
      const run = this.#runIn(folder, signal, updateOutput, context);
      const begin = performance.now();
      const start = async (): Promise<ShellEnd> =>
        signal.aborted ? { kind: 'ended', outcome: notRun('cancelled', begin) } : runInShell(run);
      const isWatched = !signal.aborted && !changesNoFile(this.#stated ?? (await this.effects()));
      const watch = (command: () => Promise<ShellEnd>): Promise<Ran> =>
        this.#config.getFileChanges().watch(command, context, goesOn);
      const ran: Ran = isWatched ? await unlessCancelledBefore(watch, start, signal) : { result: await start() };
      const notes = [...(await this.#putAside(ran)), ...(await this.#remember(ran.result, run))];
      const { waitMs, isBackground, what } = run;
      return resultOf(ran.result, ran.changes, {
        ...what,
        waitMs,
        isBackground,
        notes,
        root: this.#config.getTargetDir(),
      });
    });
  }

  /** Git makes its own files in `.git`; these are the sandbox's affair. */
  async #putAside({ result, changes }: Ran): Promise<string[]> {
    const { mechanism } = await this.#config.getSandboxStatus();
    if (mechanism === 'none' || this.params.unsandboxed === true || result.kind !== 'ended') return [];
    const created = (changes?.created ?? []).filter((path) => !/[\\/]\.git[\\/]/.test(path));
    const { putAsideControlFiles } = await import('./put-aside-control-files.js');
    return putAsideControlFiles(result.outcome.controlFiles ?? [], created, this.#config.getTempDir());
  }

  #runIn(
    folder: FolderHandle,
    signal: AbortSignal,
    updateOutput: UpdateOutput | undefined,
    context: CallContext | undefined,
  ): ShellRun {
    const { command, timeout, is_background: isBackground = false, tty, input, ready } = this.params;
    const temp = this.#config.getTempDir();
    const { onTimeout, persistent, ...shell } = this.#config.getShellOptions();
    const env = { ...this.#config.getChildEnvironment(), ...this.#memory.start.variables };
    const isKept = persistent && !isBackground && shell.program === 'bash';
    const stateFile = isKept ? join(temp, `state-${randomUUID()}`) : undefined;
    const script = stateFile === undefined ? command : rememberingCommand(command, stateFile);
    const tell = (text: string): void => updateOutput?.(text);
    const show = this.#config.getCommandViewer();
    return {
      jobs: this.#config.getJobs(),
      request: {
        command: shellInvocation(shell, script, process.platform),
        cwd: folder.workingDirectory,
        env,
        timeoutMs: Number.POSITIVE_INFINITY,
        keepBytes: KEEP_BYTES,
        spoolFile: join(temp, `shell-${randomUUID()}.txt`),
        ...(this.params.unsandboxed === true && { isSandboxed: false }),
        ...(tty === true ? { input: 'terminal' as const } : input === true ? { input: 'pipe' as const } : {}),
        ...(updateOutput === undefined ? {} : { onOutput: (tail: string) => tell(plainOutput(tail)) }),
      },
      what: { command, directory: folder.resolved.path },
      signal,
      isBackground,
      ready,
      waitMs: Math.min(timeout ?? defaultWait(isBackground, ready), MAX_TIMEOUT_MS),
      onTimeout,
      onSilence: (newest, silence) => tell(withSilence(plainOutput(newest), silence)),
      ...(show === undefined || context === undefined ? {} : { viewer: { callId: context.callId, show } }),
      ...(stateFile === undefined ? {} : { stateFile }),
    };
  }

  /** Where the next command starts, when it may depend on this one; what could not be carried over. */
  async #remember(end: ShellEnd, { stateFile }: ShellRun): Promise<readonly string[]> {
    if (stateFile === undefined) return [];
    if (end.kind === 'job') void end.job.live.ended.then(() => forgetShellState(stateFile));
    const before = this.#config.getChildEnvironment();
    const left = await readShellState(stateFile, this.#config.getWorkspaceGate(), before);
    if (left === undefined || end.kind !== 'ended' || end.outcome.ending !== 'exited') return [];
    // Variables that this command did not get stay available for an approved one.
    const withheld = this.#config.getSecrets()?.withheldFrom(this.#memory.start.variables);
    this.#memory.keep({ ...left.state, variables: { ...withheld, ...left.state.variables } });
    return left.notes;
  }

  get #directory(): string {
    return this.params.directory ?? this.#memory.start.directory ?? this.#config.getTargetDir();
  }
}

/** Runs shell commands (S119). Every command is judged by its effects before, and ended with all it started. */
export class ShellTool extends BaseDeclarativeTool<ShellToolParams, ToolResult> {
  static readonly Name = ToolNames.SHELL;
  override readonly mostTokens = MOST_REPORT_TOKENS;
  readonly #config: ToolRuntime;
  #state = NOTHING_KEPT;

  constructor(config: ToolRuntime) {
    const { program } = config.getShellOptions();
    const description = shellDescription(program);
    super(ShellTool.Name, ToolDisplayNames.SHELL, description, Kind.Execute, shellSchema(program), false, true);
    this.#config = config;
  }

  protected override validateToolParamValues(params: ShellToolParams): string | null {
    const problem = problemOfParams(params, this.#config.getShellOptions().program);
    if (problem !== null || params.directory === undefined) return problem;
    return this.#config.getWorkspaceGate().check(params.directory)?.message ?? null;
  }

  protected createInvocation(params: ShellToolParams): ToolInvocation<ShellToolParams, ToolResult> {
    const keep = (state: ShellState): void => {
      this.#state = state;
    };
    return new ShellInvocation(this.#config, params, { start: stillThere(this.#state), keep });
  }
}
