import type { CollectedOutput } from '../../process/output-collector.js';
import { groupDigits } from '../../util/group-digits.js';
import { describeOutput } from '../shell-report.js';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tool-result.js';
import type { ProgramRun } from '../../process/run-program.js';

const TAIL_CHARACTERS = 2_000;

/** The result of a call: stdout, stderr behind it, and how it ended where that was not well. */
export function describeRun(
  run: ProgramRun,
  limits: { readonly timeoutMs: number; readonly mostBytes: number },
): ToolResult {
  const problem = problemOf(run, limits);
  const stdout = textOf(run.stdout);
  const stderr = textOf(run.stderr);
  const parts = [
    stdout === '' ? '(no output)' : stdout,
    ...(stderr === '' ? [] : [`[stderr]\n${stderr}`]),
    ...(problem === undefined ? [] : [problem.message]),
  ];
  const text = parts.join('\n');
  if (problem === undefined) return { llmContent: text };
  const message = [problem.message, lastOf(stderr || stdout)].filter(Boolean).join('\n');
  return { llmContent: text, returnDisplay: text, error: { type: problem.type, message } };
}

/** The end of what it wrote to stderr. */
export function lastStderr({ stderr }: ProgramRun): string {
  return lastOf(textOf(stderr));
}

/** How it ended, in a sentence; undefined when it ended well. What it wrote to stderr is no failure. */
export function problemOf(
  { ending, exit: { code, signal } }: ProgramRun,
  { timeoutMs, mostBytes }: { readonly timeoutMs: number; readonly mostBytes: number },
): { readonly type: ToolErrorType; readonly message: string } | undefined {
  const type = ToolErrorType.EXECUTION_FAILED;
  if (ending === 'timed-out')
    return { type: ToolErrorType.TIMED_OUT, message: `It was ended: it took longer than ${timeoutMs / 1000} s.` };
  if (ending === 'too-much')
    return { type, message: `It was ended: it printed more than ${groupDigits(mostBytes)} bytes. Let it print less.` };
  if (signal !== null) return { type, message: `It was ended by the signal ${signal}.` };
  return code === 0 ? undefined : { type, message: `It failed with exit code ${code ?? 'unknown'}.` };
}

function textOf(output: CollectedOutput): string {
  return describeOutput(output, { openWith: [] });
}

function lastOf(text: string): string {
  return text.length <= TAIL_CHARACTERS ? text : `…${text.slice(-TAIL_CHARACTERS)}`;
}
