import type { Readable, Writable } from 'node:stream';

/** A program that lives on and is spoken to over its pipes. */
export interface PipedRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Exactly these, but for the mark by which its descendants are found. */
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors of this process that the program gets as its 3, 4, …. Default: none. */
  readonly descriptors?: readonly number[];
}

export interface PipedExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface PipedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Never rejects. */
  readonly exited: Promise<PipedExit>;
  /**
   * Closes its input and gives it that long to end by itself, then SIGTERM, then SIGKILL for it and everything that it
   * started. Resolves when all are gone. May be called more than once.
   */
  end(graceMs?: number): Promise<void>;
}

/** In a session and process group of its own, registered like every command. @throws Failure `program_not_started` */
export type StartPiped = (request: PipedRequest) => Promise<PipedProcess>;
