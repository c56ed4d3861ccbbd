import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { sleep } from '../../util/abort.js';
import type { Connection } from './connection.js';
import { isUnknownMethod, troubleOf } from './trouble.js';

export interface Listening {
  /** What is listened to is another now. */
  changed(): void;
  close(): void;
}

export interface ListeningParts {
  readonly filter: () => SubscriptionFilter;
  /** It is listened again after a time in which it was not: anything may have changed. */
  readonly onGap: () => void;
  readonly againMs: number;
}

const MOST_FAILURES = 8;
const LONGEST_MS = 60_000;
/** A stream that lived as long was sound. */
const SOUND_MS = 30_000;

/** Servers of 2026-07-28 tell changes on a stream that the client opens; servers and proxies cut long ones. Never rejects. */
export function keepListening(connection: Connection, parts: ListeningParts): Listening {
  const closed = new AbortController();
  let current: { close(): Promise<void> } | undefined;
  let isOther = false;
  let hadGap = false;
  let wake: (() => void) | undefined;

  async function once(): Promise<boolean> {
    isOther = false;
    const subscription = await connection.listen(parts.filter(), closed.signal);
    current = subscription;
    if (hadGap) parts.onGap();
    hadGap = false;
    const openedAt = Date.now();
    if (!isOther) await subscription.closed;
    else await subscription.close();
    current = undefined;
    return Date.now() - openedAt > SOUND_MS;
  }

  async function loop(): Promise<void> {
    for (let failures = 0; failures < MOST_FAILURES && !closed.signal.aborted;) {
      if (Object.keys(parts.filter()).length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          closed.signal.addEventListener('abort', () => resolve(), { once: true });
        });
        continue;
      }
      const wasSound = await once().catch((error: unknown) => {
        if (isUnknownMethod(troubleOf(error))) failures = MOST_FAILURES;
        return false;
      });
      if (isOther || closed.signal.aborted) continue;
      failures = wasSound ? 0 : failures + 1;
      hadGap = true;
      await sleep(Math.min(parts.againMs * 2 ** failures, LONGEST_MS), closed.signal);
    }
  }

  loop().catch(() => undefined);
  return {
    changed: () => {
      isOther = true;
      wake?.();
      current?.close().catch(() => undefined);
    },
    close: () => {
      closed.abort();
      current?.close().catch(() => undefined);
    },
  };
}
