import { posix, win32 } from 'node:path';
import { Failure } from '../util/failure.js';

/** The shells that a setting can choose. `powershell` is Windows PowerShell 5, `pwsh` PowerShell 7 and later. */
export const SHELL_PROGRAMS = ['bash', 'powershell', 'pwsh', 'cmd'] as const;
export type ShellProgram = (typeof SHELL_PROGRAMS)[number];

/** What a shell is called, for people and models. */
export const SHELL_NAMES: Readonly<Record<ShellProgram, string>> = {
  bash: 'bash',
  powershell: 'Windows PowerShell 5',
  pwsh: 'PowerShell 7',
  cmd: 'cmd.exe',
};

/** What is asked about the machine to find a shell. */
export interface ShellPlaces {
  readonly platform: NodeJS.Platform;
  /** Of this process: `PATH`, and the folders of Windows. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isExecutable: (path: string) => boolean;
  /** True for what the agent or a project may change: no shell is taken from there. */
  readonly isOwn: (path: string) => boolean;
}

/** The shell in use: `path` is absolute, and absent for bash where the system has it in its usual place. */
export interface ChosenShell {
  readonly program: ShellProgram;
  readonly path?: string;
}

/**
 * The shell to use. Without a wish it is bash, and on Windows, where no bash is found, the newest PowerShell there is.
 * @throws Failure `shell_unusable` when the one that is wanted is not on this machine
 */
export function chooseShell(wanted: ShellProgram | undefined, places: ShellPlaces): ChosenShell {
  const isWindows = places.platform === 'win32';
  if (!isWindows && (wanted === undefined || wanted === 'bash')) return { program: 'bash' };
  if (!isWindows && wanted !== undefined && wanted !== 'pwsh') throw onlyOnWindows(wanted);
  const candidates: readonly ShellProgram[] = wanted === undefined ? ['bash', 'pwsh', 'powershell'] : [wanted];
  for (const program of candidates) {
    const path = findProgram(program, places);
    if (path !== undefined) return { program, path };
  }
  throw notFound(wanted, isWindows);
}

function findProgram(program: ShellProgram, places: ShellPlaces): string | undefined {
  const { platform, isExecutable, isOwn } = places;
  const found = platform === 'win32' ? windowsPlaces(program, places) : onPath(program, places);
  return found.find((path) => !isOwn(path) && isExecutable(path));
}

function windowsPlaces(program: ShellProgram, places: ShellPlaces): string[] {
  const folder = (name: string): string[] => valueOf(places.environment, name);
  const below = (name: string, ...rest: string[]): string[] => folder(name).map((path) => win32.join(path, ...rest));
  switch (program) {
    case 'bash':
      // That of Git. `System32\\bash.exe` would start another system, with other files.
      return [
        ...below('ProgramFiles', 'Git', 'bin', 'bash.exe'),
        ...below('ProgramW6432', 'Git', 'bin', 'bash.exe'),
        ...below('LocalAppData', 'Programs', 'Git', 'bin', 'bash.exe'),
      ];
    case 'pwsh':
      return [...below('ProgramFiles', 'PowerShell', '7', 'pwsh.exe'), ...onPath('pwsh.exe', places)];
    case 'powershell':
      return below('SystemRoot', 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    case 'cmd':
      return below('SystemRoot', 'System32', 'cmd.exe');
    default:
      return program satisfies never;
  }
}

/** Relative entries mean the working directory, where any project could put a shell of its own. */
function onPath(file: string, { environment, platform }: ShellPlaces): string[] {
  const isWindows = platform === 'win32';
  const isAbsolute = isWindows ? /^(?:[A-Za-z]:[\\/]|\\\\)/ : /^\//;
  return valueOf(environment, 'PATH')
    .flatMap((path) => path.split(isWindows ? ';' : ':'))
    .filter((entry) => isAbsolute.test(entry))
    .map((entry) => (isWindows ? win32.join(entry, file) : posix.join(entry, file)));
}

/** Windows does not tell cases apart in names of variables. */
function valueOf(environment: ShellPlaces['environment'], name: string): string[] {
  const exact = environment[name];
  if (exact !== undefined) return [exact];
  const entry = Object.entries(environment).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return entry?.[1] === undefined ? [] : [entry[1]];
}

function onlyOnWindows(wanted: ShellProgram): Failure {
  const instead = wanted === 'powershell' ? '"pwsh", which is PowerShell for every system, or "bash"' : '"bash"';
  return unusable(`The setting shell.program is "${wanted}", which exists on Windows only. Set it to ${instead}.`);
}

function notFound(wanted: ShellProgram | undefined, isWindows: boolean): Failure {
  if (wanted === undefined) {
    return unusable('No shell was found: neither Git for Windows nor PowerShell. Install one, or set shell.program.');
  }
  const where = isWindows ? 'in its usual place' : 'in an absolute folder of PATH outside the workspace';
  const install = { bash: 'Git for Windows', pwsh: 'PowerShell 7', powershell: 'it', cmd: 'it' }[wanted];
  const other = wanted === 'bash' ? '"pwsh" or "powershell"' : '"bash"';
  return unusable(
    `The setting shell.program is "${wanted}", but it was not found ${where}. Install ${install}, or set shell.program to ${other}.`,
  );
}

function unusable(message: string): Failure {
  return new Failure('shell_unusable', message);
}
