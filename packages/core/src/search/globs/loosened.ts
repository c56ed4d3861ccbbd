import { skipOpaque } from './expand-braces.js';
import { isExclusion } from './glob-match.js';
import { GlobSet, type AnchoredGlob } from './glob-set.js';

/** `a[bc]` as `a\[bc\]`, which is the file of that name; undefined where there is no set, and for exclusions. */
export function withoutSets(pattern: string): string | undefined {
  if (isExclusion(pattern)) return undefined;
  let text = '';
  for (let at = 0; at < pattern.length;) {
    const next = skipOpaque(pattern, at);
    const part = pattern.slice(at, next);
    text += part.length > 1 && part.startsWith('[') ? part.replaceAll(/\\[^]|[[\]]/g, bracketEscaped) : part;
    at = next;
  }
  return text === pattern ? undefined : text;
}

function bracketEscaped(part: string): string {
  return part.length > 1 ? part : `\\${part}`;
}

/** `a/*.b` and `a/**.b` as `a/**\/*.b`; undefined where that is no other pattern, and for exclusions. */
export function inSubFolders(pattern: string): string | undefined {
  const at = pattern.lastIndexOf('/');
  const [above, last] = [pattern.slice(0, Math.max(at, 0)), pattern.slice(at + 1)];
  if (at === -1 || isExclusion(pattern) || /^(?:\.{0,2}|\*\*+)$/.test(last) || /(?:^|\/)\*\*+$/.test(above))
    return undefined;
  return `${above}/**/${last.replaceAll(/\*{2,}/g, '*')}`;
}

/** What says by itself where it is meant, or that it is meant anywhere. */
const PLACED = /^(?:\/|\.{1,2}\/|\*{2,}(?:\/|$))|[{,](?:\/|\.{1,2}\/)/;

/** `a/*.b` as `**\/a/*.b`; undefined for names alone, for what says where it is meant, and for exclusions. */
export function inAnyFolder(pattern: string): string | undefined {
  return !pattern.includes('/') || isExclusion(pattern) || PLACED.test(pattern) ? undefined : `**/${pattern}`;
}

/** What the changed patterns say of all below a folder; undefined where none changes, or one would be too much. */
export function loosenedSet(
  folder: string,
  globs: readonly AnchoredGlob[],
  change: (pattern: string) => string | undefined,
): GlobSet | undefined {
  const patterns = globs.map(({ pattern }) => change(pattern));
  if (patterns.every((pattern) => pattern === undefined)) return undefined;
  try {
    return new GlobSet(
      folder,
      globs.map((glob, index) => ({ ...glob, pattern: patterns[index] ?? glob.pattern })),
    );
  } catch {
    return undefined;
  }
}
