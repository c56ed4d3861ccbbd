import type { Answered, StopReason } from '@tenon/core';
import { ExitCode } from '../../exit-codes.js';
import type { PromptEnd } from '../../ui/end-lines.js';

const CODES: Readonly<Record<StopReason, ExitCode>> = {
  completed: ExitCode.OK,
  cancelled: ExitCode.INTERRUPTED,
  'max-turns': ExitCode.BUDGET,
  'max-tool-calls': ExitCode.BUDGET,
  'max-seconds': ExitCode.BUDGET,
  'max-cost': ExitCode.BUDGET,
  loop: ExitCode.LOOP,
  'empty-answer': ExitCode.NO_ANSWER,
  'model-error': ExitCode.MODEL_FAILED,
};

/**
 * The exit code of a run that ended so. Why it stopped counts for more than what was denied on the way, and that for more than
 * an answer that is missing. An answer that was cut off used up its budget of tokens. A limit that was reached once the answer had been given took nothing away.
 */
export function exitCodeOf(end: PromptEnd, answer?: Answered<unknown>): ExitCode {
  const code = end.isCut === true ? ExitCode.BUDGET : CODES[end.stopReason];
  if (code !== ExitCode.OK && !(code === ExitCode.BUDGET && answer?.isValid === true)) return code;
  if (end.denials.length > 0) return ExitCode.DENIED;
  return answer?.isValid === false ? ExitCode.NO_VALID_ANSWER : ExitCode.OK;
}
