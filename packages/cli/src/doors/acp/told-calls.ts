import { setTimeout as sleep } from 'node:timers/promises';

/** A question that is part of no call is told of by no event. In milliseconds. */
const WAIT_MS = 1_000;

/** Lets whoever asks for permission wait until the client was told of the call. */
export class ToldCalls {
  readonly #told = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  note(callId: string): void {
    this.#told.add(callId);
    this.#waiting.get(callId)?.();
  }

  /** What has ended may begin again under the same name. */
  forget(callId: string): void {
    this.#told.delete(callId);
  }

  /** False when nobody told of it in time. Never rejects. */
  async wait(callId: string, signal: AbortSignal): Promise<boolean> {
    if (this.#told.has(callId)) return true;
    const ended = new AbortController();
    const told = new Promise<boolean>((resolve) => this.#waiting.set(callId, () => resolve(true)));
    const late = sleep(WAIT_MS, false, { signal: AbortSignal.any([signal, ended.signal]) }).catch(() => false);
    try {
      return await Promise.race([told, late]);
    } finally {
      ended.abort();
      this.#waiting.delete(callId);
    }
  }
}
