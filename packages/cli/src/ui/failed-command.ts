import type { CallEvent } from '@tenon/core';

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/**
 * How a command that ran came to a bad end, such as `exit 2` or `SIGSEGV`; undefined for every other call. It is a
 * success of its tool all the same (`grep` says 1 for "no match"), but a person and a script want to know.
 */
export function commandFailure({ status, data }: Pick<CallEnd, 'status' | 'data'>): string | undefined {
  if (status !== 'success' || typeof data !== 'object' || data === null) return undefined;
  const { exitCode, signal } = data as { readonly exitCode?: unknown; readonly signal?: unknown };
  if (typeof exitCode === 'number') return exitCode === 0 ? undefined : `exit ${exitCode}`;
  return typeof signal === 'string' ? signal : undefined;
}
