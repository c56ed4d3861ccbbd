import type { SendRequestOptions } from '@agentclientprotocol/sdk';

/** An editor that does not answer must not hold up a call for long. In milliseconds. */
const ANSWER_MS = 5_000;

export class Silence extends Error {}

/** @throws Silence when there is no answer in time */
export async function inTime<T>(ask: (options: SendRequestOptions) => Promise<T>): Promise<T> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), ANSWER_MS);
  try {
    return await ask({ cancellationSignal: end.signal, stopWaitingOnCancel: true });
  } catch (thrown) {
    throw end.signal.aborted ? new Silence('it did not answer') : thrown;
  } finally {
    clearTimeout(timer);
  }
}
