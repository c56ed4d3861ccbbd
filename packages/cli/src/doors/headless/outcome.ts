import type { StopReason } from '@tenon/core';
import { ExitCode } from '../../exit-codes.js';
import type { PromptEnd } from '../../ui/end-lines.js';

const CODES: Readonly<Record<StopReason, ExitCode>> = {
  completed: ExitCode.OK,
  cancelled: ExitCode.INTERRUPTED,
  'max-turns': ExitCode.BUDGET,
  'max-tool-calls': ExitCode.BUDGET,
  loop: ExitCode.LOOP,
  'model-error': ExitCode.MODEL_FAILED,
};

/** The exit code of a run that ended so. Why it stopped counts for more than what was denied on the way. */
export function exitCodeOf(end: PromptEnd): ExitCode {
  if (end.stopReason === 'completed' && end.denials.length > 0) return ExitCode.DENIED;
  return CODES[end.stopReason];
}
