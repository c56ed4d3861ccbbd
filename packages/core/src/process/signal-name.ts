import { constants } from 'node:os';

/** 15 → `SIGTERM`; null for a number that names no signal. */
export function signalName(number: number): string | null {
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0] ?? null;
}
