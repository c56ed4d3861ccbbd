import { relative, sep } from 'node:path';
import { pathMatcher, type PathStep } from '../util/match-path.js';
import { parseGlob, segmentMatcher } from '../util/match-segment.js';

const MOST_ALTERNATIVES = 64;
const LONGEST_GLOB = 300;

type Matches = (names: readonly string[]) => boolean;

/**
 * A judge of paths below a root by a glob as skills have them: `*`, `?`, `[a-z]`, `**`, `{a,b}`; without a slash at every depth, a
 * slash at the end means all below. Undefined for what is none, or would be too many.
 */
export function pathGlob(glob: string): Matches | undefined {
  if (glob.length > LONGEST_GLOB) return undefined;
  const alternatives = expandBraces(glob.replace(/^(?:\.\/|\/)+/, ''));
  if (alternatives === undefined) return undefined;
  const judges = alternatives.flatMap((each) => oneGlob(each) ?? []);
  if (judges.length < alternatives.length) return undefined;
  return (names) => judges.some((judge) => judge(names));
}

function oneGlob(glob: string): Matches | undefined {
  const written = glob.endsWith('/') ? `${glob}**` : glob;
  const segments = parseGlob(written, { malformed: 'nothing' });
  if (segments === undefined || written === '') return undefined;
  const steps = segments.map((segment): PathStep => (segment.isGlobstar ? '**' : segmentMatcher(segment)));
  return pathMatcher(written.includes('/') ? steps : ['**', ...steps]);
}

/** `{a,b}` written out, also within each other. Undefined for more than a few. */
function expandBraces(glob: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [glob];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const found = /^(.*)\{([^{}]*)\}(.*)$/s.exec(each);
    if (found === null) done.push(each);
    else open.push(...(found[2] ?? '').split(',').map((choice) => `${found[1] ?? ''}${choice}${found[3] ?? ''}`));
    if (done.length + open.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

/** A judge of files by several globs: the path is canonical and lies in the root. */
export function filesMeant(globs: readonly string[]): (path: string, root: string) => boolean {
  const judges = globs.flatMap((glob) => pathGlob(glob) ?? []);
  return (path, root) => {
    const names = relative(root, path).split(sep);
    return judges.some((judge) => judge(names));
  };
}
