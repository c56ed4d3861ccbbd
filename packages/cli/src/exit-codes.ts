import { Failure } from '@tenon/core';

/** What the process ends with. The sentences are the reference page `docs/reference/exit-codes.md`; the numbers are stable. */
export const ExitCode = {
  OK: 0,
  UNEXPECTED: 1,
  USAGE: 2,
  NO_MODEL: 3,
  DENIED: 4,
  BUDGET: 5,
  LOOP: 6,
  SETTINGS: 7,
  WORKSPACE: 8,
  MODEL_FAILED: 9,
  NOT_UNDONE: 10,
  NO_VALID_ANSWER: 11,
  NO_ANSWER: 12,
  INTERRUPTED: 130,
  OUTPUT_CLOSED: 141,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export const EXIT_CODE_SENTENCES: Readonly<Record<ExitCode, string>> = {
  [ExitCode.OK]: 'Everything went well.',
  [ExitCode.UNEXPECTED]:
    'Something unexpected went wrong; or the one call of `tenon call` failed, or its command did not exit with 0; or `tenon policy test` or `lint` found a rule that is wrong, or `tenon mcp status` or `test` a server that is not well, or `tenon tools check` a promise that does not hold.',
  [ExitCode.USAGE]: 'The command line or the prompt was not understood; nothing was run.',
  [ExitCode.NO_MODEL]: 'No model is configured, or the command for its key brought none; the message says what to do.',
  [ExitCode.DENIED]:
    'The run finished, but at least one call was denied; the message names the rules that would allow it.',
  [ExitCode.BUDGET]:
    'The budget of turns, tool calls, seconds, money or output tokens was used up before the model was done.',
  [ExitCode.LOOP]: 'The model repeated the same call with the same result and was stopped.',
  [ExitCode.SETTINGS]:
    'A settings file is broken where something security-relevant may have been lost, or the folder of `TENON_HOME` cannot be used; nothing was run.',
  [ExitCode.WORKSPACE]:
    'The workspace folder does not exist, is not a folder, may not be used, or is the file system root.',
  [ExitCode.MODEL_FAILED]: 'The model could not be reached or refused the request, after all retries.',
  [ExitCode.NOT_UNDONE]:
    'An undo or a redo left at least one file alone, or there was nothing to take back; the answer says which and why.',
  [ExitCode.NO_VALID_ANSWER]: 'The run finished, but the model did not give an answer that `--json-schema` allows.',
  [ExitCode.NO_ANSWER]:
    'The model gave neither words nor calls, or its server gave up on the answer, three times in a row.',
  [ExitCode.INTERRUPTED]: 'The run was interrupted (Ctrl-C, SIGTERM, SIGHUP).',
  [ExitCode.OUTPUT_CLOSED]:
    'The reader of standard output went away, as `head` does; the run was cancelled without a word.',
};

/** A failure that is told in one line and ends the process with its own code. */
export class ExitFailure extends Failure {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super('exit', message, options);
    this.name = 'ExitFailure';
    this.exitCode = exitCode;
  }
}
