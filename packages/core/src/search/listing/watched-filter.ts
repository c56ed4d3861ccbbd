import { isExclusion } from '../globs/glob-match.js';
import { placedIn } from '../globs/glob-plan.js';
import { literalHint } from '../globs/taken-literally.js';

type NameFilter = (relativePath: string) => boolean;

export interface IgnorePatterns {
  readonly patterns: readonly string[];
  /** The listed folder, as it was asked for. */
  readonly folder: string;
  /** Reads patterns for that folder; undefined where there are none. */
  readonly filterOf: (patterns: readonly string[]) => NameFilter | undefined;
}

export interface WatchedFilter {
  readonly isUnwanted: NameFilter | undefined;
  /** A sentence on the first pattern that was read otherwise than it looks, and matched nothing so far; empty for none. */
  hint(): string;
}

/** A filter of names that knows whether patterns which were taken literally were of any use. */
export function watchedFilter({ patterns, folder, filterOf }: IgnorePatterns): WatchedFilter {
  const isUnwanted = filterOf(patterns);
  const unmet = new Map<string, NameFilter>();
  for (const pattern of patterns) {
    const mark = isExclusion(pattern) ? '!' : '';
    // The folder's own path is no pattern.
    const glob = placedIn(folder, pattern.slice(mark.length));
    const matches = literalHint([glob]) === '' ? undefined : filterOf([glob]);
    if (matches !== undefined) unmet.set(mark + glob, matches);
  }
  const hint = (): string => literalHint([...unmet.keys()]).trimStart();
  if (unmet.size === 0 || isUnwanted === undefined) return { isUnwanted, hint };
  const watched = (path: string): boolean => {
    for (const [pattern, matches] of unmet) if (matches(path)) unmet.delete(pattern);
    return isUnwanted(path);
  };
  return { isUnwanted: watched, hint };
}
