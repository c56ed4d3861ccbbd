import type { AgentEvent, Answered } from '@tenon/core';
import type { ExitCode } from '../../exit-codes.js';

/** How one output format reads the stream. Each event is awaited: a slow reader slows the run down and loses nothing. */
export interface EventReader {
  onEvent(event: AgentEvent): Promise<void>;
  /** Once, after the last event of a prompt. `answer`: what came of a prompt that `--json-schema` holds for. */
  onDone(exitCode: ExitCode, answer?: Answered<unknown>): Promise<void>;
}
