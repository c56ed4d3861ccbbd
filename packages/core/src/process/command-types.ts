/** Where a command reads from: nothing at all, a pipe that stays open, or a terminal of its own that carries its output too. */
export type CommandInputKind = 'none' | 'pipe' | 'terminal';

/** What to run. The child never gets the parent's stdin, terminal, or whole environment. */
export interface CommandRequest {
  /**
   * `{ shell }` runs `bash -c` (or `sh -c` where bash is missing); `{ argv }` starts a program directly, with `isVerbatim`
   * its words joined as they are, for a program of Windows that reads its command line by rules of its own.
   */
  readonly command:
    { readonly shell: string } | { readonly argv: readonly [string, ...string[]]; readonly isVerbatim?: boolean };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept in memory of stdout and stderr together, half from the beginning, half from the end. */
  readonly keepBytes: number;
  /**
   * Absolute path of a file that receives everything, made only once more than `keepBytes` came. In its folder
   * the output's pipe has a name for a moment; without one the output is a socket, and `/dev/stderr` cannot be opened.
   */
  readonly spoolFile?: string;
  /** Default `none`. A terminal needs an optional package; without it the command gets a pipe, and `notes` says so. */
  readonly input?: CommandInputKind;
  /** Descriptors of this process that the program gets as its 3, 4, … Not with a terminal. */
  readonly descriptors?: readonly number[];
  /** Told each piece of the output before anybody sees or keeps it. */
  readonly outputFilter?: () => OutputFilter;
  /** False: not in the sandbox, where there is one. Somebody has agreed to that. */
  readonly isSandboxed?: boolean;
  /** Has the last word on the outcome, once everything that was started has ended. Must not reject. */
  readonly whenEnded?: (outcome: CommandOutcome) => Promise<CommandOutcome>;
  /** Told the newest output now and then (at most ten times a second). */
  readonly onOutput?: (tail: string) => void;
}

/** Changes an output as it comes. Pieces are valid until the next call. */
export interface OutputFilter {
  push(chunk: Buffer): Buffer;
  /** Nothing came for a while: what it holds back and need not. */
  pause(): Buffer;
  /** Nothing more will come. */
  end(): Buffer;
}

export interface CommandOutcome {
  /** Null when a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /**
   * `exited` by itself; by us `timed-out`, `cancelled`, `stopped` (somebody asked for it) or `waits-for-input`
   * (nobody could have answered it); `not-started` with `startError`.
   */
  readonly ending: 'exited' | EndedBy | 'not-started';
  readonly startError?: string;
  /** stdout and stderr in the order they came, decoded; complete when `omittedBytes` is 0. */
  readonly head: string;
  /** The end of the output; empty when `head` holds all of it. */
  readonly tail: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  /** Set when `spoolFile` was written. */
  readonly spoolFile?: string;
  /** How much of the output `spoolFile` holds; less than `totalBytes` when the disk or the spool's limit ended it. */
  readonly spooledBytes?: number;
  /** Processes that the command had left running when it exited, and that were ended then. */
  readonly endedProcesses: number;
  readonly durationMs: number;
  /** What was not done as it was asked for, in sentences. */
  readonly notes?: readonly string[];
  /** Control files that came into existence, or changed, although it ran in a sandbox; absolute. */
  readonly controlFiles?: readonly string[];
}

/** Why a command was ended by us. */
export type EndedBy = 'timed-out' | 'cancelled' | 'stopped' | 'waits-for-input';

export type RunCommand = (request: CommandRequest, signal: AbortSignal) => Promise<CommandOutcome>;
