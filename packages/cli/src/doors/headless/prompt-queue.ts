/** What waits to be done, in order. */
export interface Queue<T> {
  /** Resolves once there is room: who adds without end waits. */
  readonly add: (item: T) => Promise<void>;
  /** The next one; undefined once the queue has ended and is empty. */
  readonly take: () => Promise<T | undefined>;
  /** Nothing more is added. */
  readonly end: () => void;
}

/** `most`: so many wait at once. One that adds, one that takes. */
export function createQueue<T>(most: number): Queue<T> {
  const items: T[] = [];
  const state = { ended: false };
  let wakeTaker: (() => void) | undefined;
  let wakeAdder: (() => void) | undefined;
  return {
    async add(item) {
      items.push(item);
      wakeTaker?.();
      while (items.length > most && !state.ended) await new Promise<void>((resolve) => (wakeAdder = resolve));
    },
    async take() {
      while (items.length === 0 && !state.ended) await new Promise<void>((resolve) => (wakeTaker = resolve));
      const item = items.shift();
      wakeAdder?.();
      return item;
    },
    end() {
      state.ended = true;
      wakeTaker?.();
      wakeAdder?.();
    },
  };
}
