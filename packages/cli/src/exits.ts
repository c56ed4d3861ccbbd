/** What has to be ended when the process ends at once: commands would go on without it. */
export interface Exits {
  /** `work` is called, synchronously, when the process ends before it was taken off again by what is returned. */
  register(work: () => void): () => void;
  /** Calls what is registered, each whatever became of the others. For the end of the process alone: see `compose.ts`. */
  run(): void;
}

export function createExits(): Exits {
  const registered = new Set<() => void>();
  return {
    register(work) {
      const entry = (): void => work();
      registered.add(entry);
      return () => void registered.delete(entry);
    },
    run() {
      for (const work of registered) {
        try {
          work();
        } catch {
          // The process ends either way, and the others want their turn.
        }
      }
    },
  };
}
