import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 150;
const ANSWER_MS = 1000;

/** Resolves once somebody takes connections at a TCP port of this machine; never when `signal` ends it before. */
export async function portAnswers(
  port: number,
  signal: AbortSignal,
): Promise<{ readonly kind: 'port'; readonly port: number }> {
  while (!signal.aborted) {
    if (await isTaken(port)) return { kind: 'port', port };
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return new Promise<never>(() => undefined);
}

/** Whether somebody takes connections at the port, over IPv4 or IPv6. Nothing is sent. */
export async function isTaken(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => takesConnection(host, port)));
  return answers.includes(true);
}

function takesConnection(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_MS });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
