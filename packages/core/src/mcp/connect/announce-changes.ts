export interface ChangeAnnouncer<Kind extends string> {
  note(kind: Kind): void;
  close(): void;
}

const SLOWEST_MS = 30_000;
const FORGET_MS = 60_000;

/**
 * Many changes within `quietMs` are told once. A server that changes all the time is told of more and more seldom, for
 * each telling makes the client ask for the list again.
 */
export function announceChanges<Kind extends string>(
  tell: (kind: Kind) => void,
  quietMs: number,
): ChangeAnnouncer<Kind> {
  const states = new Map<Kind, { timer: NodeJS.Timeout | undefined; waitMs: number; toldAt: number }>();
  let isClosed = false;
  const note = (kind: Kind): void => {
    if (isClosed) return;
    const state = states.get(kind) ?? { timer: undefined, waitMs: quietMs, toldAt: 0 };
    states.set(kind, state);
    if (state.timer !== undefined) return;
    if (Date.now() - state.toldAt > FORGET_MS) state.waitMs = quietMs;
    state.timer = setTimeout(() => {
      state.timer = undefined;
      state.toldAt = Date.now();
      state.waitMs = Math.min(state.waitMs * 2, SLOWEST_MS);
      tell(kind);
    }, state.waitMs);
    state.timer.unref();
  };
  const close = (): void => {
    isClosed = true;
    for (const { timer } of states.values()) clearTimeout(timer);
  };
  return { note, close };
}
