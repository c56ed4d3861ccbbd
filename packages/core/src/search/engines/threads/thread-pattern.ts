import { needlesOf, type Needles } from '../finder/needles.js';
import { toJavaScriptPattern } from '../javascript/javascript-pattern.js';
import type { JavaScriptPattern } from '../javascript/worker-messages.js';
import type { SearchPattern } from '../search-pattern.js';
import { greedyBytes } from './greedy-bytes.js';
import { safePattern } from './safe-pattern.js';

/** What threads search for. */
export interface ThreadPattern {
  readonly pattern: JavaScriptPattern;
  /** See `greedyBytes`. A line in which very many of them follow each other is left out. */
  readonly greedy: Uint8Array | undefined;
  /** See `SafePattern`. */
  readonly otherBytes: number;
  /** Where they are not, nothing is searched. */
  readonly needles: Needles | undefined;
}

/** Undefined where ripgrep must be asked. */
export function threadPattern(wanted: SearchPattern): ThreadPattern | undefined {
  const safe = safePattern(wanted);
  if (safe === undefined) return undefined;
  try {
    const pattern = toJavaScriptPattern(wanted);
    if (typeof pattern.general !== 'string') return undefined;
    return { pattern, greedy: greedyBytes(safe.greedy), otherBytes: safe.otherBytes, needles: needlesOf(wanted) };
  } catch {
    // Whether it is wrong is ripgrep's to say.
    return undefined;
  }
}
