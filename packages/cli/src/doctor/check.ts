import { errorMessage } from '@tenon/core';

/** `problem`: something will not work. `missing`: something that would be good to have is not there. */
export type FindingState = 'good' | 'missing' | 'problem' | 'fact';

export interface Finding {
  readonly name: string;
  readonly state: FindingState;
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** One thing that is looked at. Its signal ends when it has taken too long. */
export interface Check {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<readonly Finding[]>;
}

const TIME_LIMIT_MS = 8_000;

/**
 * Looks at everything at once, each for a limited time; the answers come in the order of the checks. What fails or takes too
 * long is a finding. Rejects with the signal's reason only.
 */
export async function runChecks(
  checks: readonly Check[],
  signal: AbortSignal,
  limitMs = TIME_LIMIT_MS,
): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map((check) => runCheck(check, signal, limitMs)));
  signal.throwIfAborted();
  return found.flat();
}

async function runCheck({ name, run }: Check, signal: AbortSignal, limitMs: number): Promise<readonly Finding[]> {
  const limit = new AbortController();
  const both = AbortSignal.any([signal, limit.signal]);
  const timer = setTimeout(() => limit.abort(new DOMException('It took too long.', 'TimeoutError')), limitMs);
  const ended = new Promise<readonly Finding[]>((resolve) => {
    const tooLong: Finding = { name, state: 'problem', text: `no answer in ${limitMs / 1000} s` };
    both.addEventListener('abort', () => resolve(signal.aborted ? [] : [tooLong]), { once: true });
  });
  try {
    return await Promise.race([run(both), ended]);
  } catch (thrown) {
    return [{ name, state: 'problem', text: `could not be looked at: ${errorMessage(thrown)}` }];
  } finally {
    clearTimeout(timer);
  }
}
