import { childEnvironment } from '../process/child-environment.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import type { StartPiped } from '../process/piped-process.js';
import type { ShellOptions } from '../process/shell-options.js';
import { chooseShell, SHELL_NAMES, type ChosenShell } from '../process/shell-program.js';
import type { Sandbox, SandboxMode, SandboxNetwork } from '../sandbox/sandbox-types.js';
import { sandboxedCommands } from '../sandbox/sandboxed-commands.js';
import { sandboxedPrograms } from '../sandbox/sandboxed-programs.js';
import { isExecutable } from '../util/is-executable.js';
import { isWithin } from '../util/paths-below.js';
import { realPath } from '../util/real-path.js';

/** What a door says of how commands run. All paths absolute. */
interface CommandOptions {
  readonly roots: readonly string[];
  readonly narrowedTo?: readonly string[];
  readonly tenonHome: string;
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly shell?: Partial<Omit<ShellOptions, 'path'>>;
  readonly sandbox?: {
    readonly mode: SandboxMode;
    readonly network?: SandboxNetwork;
    readonly hosts?: readonly string[];
    readonly mayLeave?: boolean;
  };
}

/** The folders of the project that this needs. */
interface CommandFolders {
  readonly temp: string;
  readonly running: string;
  readonly sandbox: string;
}

export interface Commands {
  readonly supervisor: CommandSupervisor;
  /** Starts programs that run code of the project: in the sandbox, if every command must run there. */
  readonly connectHeld: StartPiped;
  /** As tools run them: in the sandbox, where there is one. */
  readonly commands: Pick<CommandSupervisor, 'run' | 'start'>;
  readonly sandbox: (() => Promise<Sandbox>) | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: ChosenShell;
}

/** How programs run. Nothing is started. `roots`: canonical; `supervisor`: of those that run already. @throws Failure `shell_unusable` */
export function openCommands(
  options: CommandOptions,
  folders: CommandFolders,
  roots: readonly string[],
  supervisor = new CommandSupervisor({ recordFolder: folders.running }),
): Commands {
  const sandbox = lazySandbox(options, folders);
  const commands =
    sandbox === undefined ? supervisor : sandboxedCommands(supervisor, sandbox, options.sandbox?.mayLeave);
  const isHeld = options.sandbox?.mode === 'required' && sandbox !== undefined;
  const connectHeld = isHeld ? sandboxedPrograms(supervisor.connect, sandbox) : supervisor.connect;
  const own = [...roots, realPath(folders.temp)];
  const environment = childEnvironment(options.environment, { roots: own, realPath });
  return { supervisor, connectHeld, commands, sandbox, environment, shell: shellOf(options, environment, own) };
}

/** No shell is taken from where the agent or a project may put one. @throws Failure `shell_unusable` */
function shellOf(
  { shell }: CommandOptions,
  environment: Readonly<Record<string, string>>,
  folders: readonly string[],
): ChosenShell {
  return chooseShell(shell?.program, {
    platform: process.platform,
    environment,
    isExecutable,
    isOwn: (path) => folders.some((folder) => isWithin(path, folder) || isWithin(realPath(path), folder)),
  });
}

/** What is missing of how commands should run. */
export async function commandNotices(
  { persistent, program }: ShellOptions,
  sandbox: (() => Promise<Sandbox>) | undefined,
): Promise<string[]> {
  const name = SHELL_NAMES[program];
  const forgets = `Folder and variables do not stay from one command to the next: shell.persistent does not work with ${name}.`;
  const status = await sandbox?.().then((opened) => opened.status);
  const isWhole = status?.problem === undefined && status?.note === undefined;
  return [
    ...(persistent && program !== 'bash' ? [forgets] : []),
    ...(status === undefined || isWhole ? [] : [status.text]),
  ];
}

/** Opened, and proven, when it is first needed. Undefined where none is wanted. */
function lazySandbox(
  { sandbox, roots: all, narrowedTo: roots = all, tenonHome, userHome }: CommandOptions,
  { temp, sandbox: stateFolder }: CommandFolders,
): (() => Promise<Sandbox>) | undefined {
  if (sandbox === undefined || sandbox.mode === 'off') return undefined;
  const { mode, network = 'off', hosts = [] } = sandbox;
  let opened: Promise<Sandbox> | undefined;
  return async () => {
    opened ??= import('../sandbox/open-sandbox.js').then(async ({ openSandbox }) =>
      openSandbox({
        mode,
        stateFolder,
        node: process.execPath,
        places: () => ({ roots, tempDir: temp, home: userHome, agentFolders: [tenonHome], network, hosts }),
      }),
    );
    return opened;
  };
}
