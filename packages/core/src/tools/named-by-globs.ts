import { posix, resolve } from 'node:path';
import { expandBraces } from '../search/globs/expand-braces.js';
import { isExclusion } from '../search/globs/glob-match.js';
import type { AnchoredGlob } from '../search/globs/glob-set.js';

/**
 * The paths for which globs stand, when they name them one by one and nothing else; a leading `**` counts as the folder
 * that they are relative to. Undefined for all others.
 */
export function namedByGlobs(globs: readonly string[]): readonly string[] | undefined {
  const wanted = globs.filter((glob) => !isExclusion(glob)).flatMap(alternativesOf);
  const names = wanted.map((glob) => glob.replace(/^(?:\.\/|\*\*\/)+/, ''));
  return names.length === 0 || names.some((name) => NO_NAME.test(name)) ? undefined : names;
}

/** The same, as absolute paths. */
export function namedByAnchored(globs: readonly AnchoredGlob[]): readonly string[] | undefined {
  const wanted = globs.filter(({ pattern }) => !isExclusion(pattern));
  const named = wanted.map(({ anchor, pattern }) =>
    namedByGlobs([pattern])?.map((name) => resolve(posix.join(anchor, name))),
  );
  return named.includes(undefined) ? undefined : named.flatMap((names) => names ?? []);
}

const NO_NAME = /[*?[(\\]|\/$|^$|(?:^|\/)\.\.(?:\/|$)/;

/** What cannot be expanded is no name. */
function alternativesOf(glob: string): readonly string[] {
  try {
    return expandBraces(glob);
  } catch {
    return [''];
  }
}
