import type { AgentEvent } from '@tenon/core';

type HookRun = Extract<AgentEvent, { readonly type: 'hook-run' }>;

/** What a hook did, in one line for the person; undefined where nothing came of it. */
export function hookLine({ event, name, outcome, reason, message, problem }: HookRun): string | undefined {
  const did =
    problem !== undefined
      ? `${outcome === 'failed' ? 'failed' : 'ran'}: ${problem}`
      : outcome === 'passed'
        ? undefined
        : `${outcome}${reason === undefined ? '' : `: ${reason}`}`;
  const said = message === undefined ? undefined : `says: ${message}`;
  const parts = [did, said].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `hook ${name} (${event}) ${parts.join('; ')}`;
}
