import type { ServerProgress } from '../mcp-types.js';

export interface ProgressLimit {
  tell(progress: ServerProgress): void;
  /** Tells what was held back. */
  flush(): void;
}

/** The first at once, then the newest each `everyMs`; the last is never lost. */
export function limitProgress(onProgress: (progress: ServerProgress) => void, everyMs: number): ProgressLimit {
  let held: ServerProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = undefined;
    if (held === undefined) return;
    const progress = held;
    held = undefined;
    timer = setTimeout(next, everyMs);
    onProgress(progress);
  };
  return {
    tell: (progress) => {
      held = progress;
      if (timer === undefined) next();
    },
    flush: () => {
      clearTimeout(timer);
      next();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
