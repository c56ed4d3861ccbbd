import { either, type ShellState } from '../words/shell-state.js';

/** The shell after a command; undefined: never gets there. */
export interface Outcome {
  readonly ok: ShellState | undefined;
  readonly failed: ShellState | undefined;
}

/** There is nothing after it. */
export const NEVER: Outcome = { ok: undefined, failed: undefined };

/** The same whether it succeeds or not. */
export function always(state: ShellState): Outcome {
  return { ok: state, failed: state };
}

/** What holds for whatever comes next. What is never reached is judged as if it came after `fallback`. */
export function afterwards({ ok, failed }: Outcome, fallback: ShellState): ShellState {
  return eitherWay(ok, failed) ?? fallback;
}

export function eitherWay(a: ShellState | undefined, b: ShellState | undefined): ShellState | undefined {
  return a === undefined ? b : b === undefined ? a : either(a, b);
}

/** One of both happens. */
export function eitherOutcome(a: Outcome, b: Outcome): Outcome {
  return { ok: eitherWay(a.ok, b.ok), failed: eitherWay(a.failed, b.failed) };
}
