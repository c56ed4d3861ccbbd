import type { ShellProgram } from './shell-program.js';

/** How commands of the shell tool run. */
export interface ShellOptions {
  /** What becomes of a command at its time limit: it goes on in the background, or is ended. */
  readonly onTimeout: 'background' | 'end';
  /** The working directory and exported variables of one call are those of the next. Only bash keeps them. */
  readonly persistent: boolean;
  /** The shell that reads the command lines. */
  readonly program: ShellProgram;
  /** Absolute path of the shell; absent: bash where the system has it. */
  readonly path?: string;
}

export const SHELL_OPTIONS: ShellOptions = { onTimeout: 'background', persistent: false, program: 'bash' };
