import type { CommandStdin } from './command-stdin.js';
import type { ProcessTree } from './process-tree.js';

/** Takes one piece of output, valid until it returns or its promise resolves; no more is read until then. */
export type TakeOutput = (chunk: Buffer) => Promise<void> | undefined;

export interface CommandExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface StartedCommand {
  readonly tree: ProcessTree;
  /** Of the command's own process; what it started may live on. */
  readonly exited: Promise<CommandExit>;
  readonly output: {
    /** Nothing holds the output open any more. Never rejects. */
    readonly closed: Promise<void>;
    /** Nothing more is read. */
    destroy(): void;
  };
  readonly stdin?: CommandStdin;
  readonly notes: readonly string[];
}

/** The words of a command, ready for `spawn`. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  /** See `CommandRequest.command`. */
  readonly isVerbatim: boolean;
}
