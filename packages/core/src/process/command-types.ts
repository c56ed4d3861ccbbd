/** What to run. The child never gets stdin, a terminal, or the parent's whole environment. */
export interface CommandRequest {
  /** `{ shell }` runs `bash -c` (or `sh -c` where bash is missing); `{ argv }` starts a program directly. */
  readonly command: { readonly shell: string } | { readonly argv: readonly [string, ...string[]] };
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
  /** Told the newest output now and then (at most ten times a second). */
  readonly onOutput?: (tail: string) => void;
}

export interface CommandOutcome {
  /** Null when a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** `exited` by itself, `timed-out` or `cancelled` by us, `not-started` with `startError`. */
  readonly ending: 'exited' | 'timed-out' | 'cancelled' | 'not-started';
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
}

export type RunCommand = (request: CommandRequest, signal: AbortSignal) => Promise<CommandOutcome>;
