import type { PathEffect } from '../effects/effect.js';

/** A path specifier, read but not yet tied to a machine's folders. */
export interface PathSpecifier {
  /** `anywhere`: a name without a slash, which counts at every depth. */
  readonly from: 'root' | 'anywhere' | 'home' | 'absolute';
  readonly segments: readonly string[];
  /** Written with a slash at the end: folders only. */
  readonly foldersOnly: boolean;
}

export interface Places {
  /** Canonical workspace roots. */
  readonly roots: readonly string[];
  readonly home: string;
}

/** `part`: the effect is a whole tree, and the rule may speak of something inside it. */
export type PathMatch = 'no' | 'part' | 'yes';

/**
 * Reads gitignore-like patterns with four beginnings: `//absolute`, `~/home`, `/from-the-root` or
 * `./from-the-root`, and `name` (any depth) or `a/b` (from the root). `*` alone is everything in the root.
 */
export function parsePathSpecifier(text: string): PathSpecifier | { readonly problem: string } {
  const pattern = text === '*' ? '**' : text;
  if (pattern.startsWith('!')) return { problem: 'starts with "!"; put the exception into another list instead' };
  const [from, rest] = splitStart(pattern);
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return { problem: 'has ".." in its path; write the full path as //folder/…' };
  const foldersOnly = rest.endsWith('/') && segments.length > 0;
  const single = from === 'root' && segments.length === 1 && !/^\.?\//.test(pattern) && segments[0] !== '**';
  return { from: single ? 'anywhere' : from, segments, foldersOnly };
}

function splitStart(pattern: string): [PathSpecifier['from'], string] {
  if (pattern.startsWith('//')) return ['absolute', pattern.slice(2)];
  if (pattern === '~' || pattern.startsWith('~/')) return ['home', pattern.slice(1)];
  return ['root', pattern];
}

/** For allow rules: exact case, the first root only, and both the path as asked for and the real one must match. */
export function compileAllowPath(specifier: PathSpecifier, places: Places): (effect: PathEffect) => boolean {
  const bases = basesOf(specifier, { ...places, roots: places.roots.slice(0, 1) });
  const patterns = bases.map((base) => compilePattern(base, specifier, (name) => name));
  const covers = (path: string, effect: PathEffect): boolean =>
    patterns.some((pattern) => allowCovers(pattern, walk(pattern, splitPath(path)), effect));
  return (effect) => covers(effect.requested, effect) && covers(effect.path, effect);
}

/** For deny and ask rules: any case, every root, and a plain name anywhere on the disk; either path is enough. */
export function compileStrictPath(specifier: PathSpecifier, places: Places): (effect: PathEffect) => PathMatch {
  const bases = specifier.from === 'anywhere' ? [['**']] : basesOf(specifier, places);
  const patterns = bases.map((base) => compilePattern(base, specifier, foldName));
  return (effect) => {
    const found = [effect.path, effect.requested].flatMap((path) => {
      const names = splitPath(path).map(foldName);
      return patterns.map((pattern) => strictMatch(walk(pattern, names), effect));
    });
    if (found.includes('yes')) return 'yes';
    return found.includes('part') ? 'part' : 'no';
  };
}

/** The names of an absolute path, `.` and `..` worked out as text. Both kinds of slash separate where a drive letter leads. */
export function splitPath(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split(/^[A-Za-z]:[\\/]/.test(path) ? /[\\/]/ : '/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}

/** Names that a file system may hold to be one. */
function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function basesOf(specifier: PathSpecifier, places: Places): string[][] {
  if (specifier.from === 'absolute') return [[]];
  if (specifier.from === 'home') return [splitPath(places.home)];
  const roots = places.roots.map(splitPath);
  return specifier.from === 'anywhere' ? roots.map((root) => [...root, '**']) : roots;
}

type Step = '**' | ((name: string) => boolean);

interface Pattern {
  readonly steps: readonly Step[];
  /** The last step names one thing, so that what lies below it is meant as well. */
  readonly endsLiteral: boolean;
  readonly endsOpen: boolean;
  readonly foldersOnly: boolean;
}

function compilePattern(base: readonly string[], specifier: PathSpecifier, fold: (name: string) => string): Pattern {
  const last = specifier.segments.at(-1);
  const fromBase = base.map((name): Step => (name === '**' ? '**' : equals(fold(name))));
  return {
    steps: [...fromBase, ...specifier.segments.map((segment) => compileSegment(fold(segment)))],
    endsLiteral: last === undefined || !/[*?[]/.test(last.replaceAll(/\\./g, '')),
    endsOpen: last === '**',
    foldersOnly: specifier.foldersOnly,
  };
}

function equals(expected: string): Step {
  return (name) => name === expected;
}

/** `*`, `?`, `[a-z]`, `[!a]` and `\x` within one name, as gitignore has them. */
export function compileSegment(segment: string): Step {
  if (segment === '**') return '**';
  if (!/[*?[\\]/.test(segment)) return equals(segment);
  let source = '';
  for (let at = 0; at < segment.length; at += 1) {
    const char = segment.charAt(at);
    const group = char === '[' ? /^\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]/su.exec(segment.slice(at)) : null;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (group !== null) {
      source += `[${group[1] === '' ? '' : '^'}${classSource(group[2] ?? '')}]`;
      at += group[0].length - 1;
    } else source += literal(char === '\\' && at + 1 < segment.length ? segment.charAt((at += 1)) : char);
  }
  try {
    const expression = new RegExp(`^${source}$`, 's');
    return (name) => expression.test(name);
  } catch {
    // A range such as [z-a]: git matches nothing with it. Compared as text it can still be met.
    return equals(segment);
  }
}

/** The inside of `[…]`: `-` keeps its meaning, everything else is itself. */
function classSource(text: string): string {
  return text.replaceAll(/\\(.)|[[\]^]/gs, (all, escaped?: string) => {
    const char = escaped ?? all;
    return /\w/.test(char) ? char : `\\${char}`;
  });
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(char) ? `\\${char}` : char;
}

interface Walked {
  /** The pattern matches the path itself. */
  readonly full: boolean;
  /** It matches a folder on the way to it. */
  readonly above: boolean;
  /** It ends in `/**`, and this is the folder before that. */
  readonly head: boolean;
  /** It may match something below. */
  readonly below: boolean;
}

/** Follows the path name by name through the pattern; the states are the steps that may come next. */
function walk(pattern: Pattern, names: readonly string[]): Walked {
  const end = pattern.steps.length;
  let states = closure(pattern, new Set([0]));
  let above = false;
  for (const name of names) {
    above ||= states.has(end);
    const next = new Set<number>();
    for (const state of states) {
      const step = pattern.steps[state];
      if (step === '**') {
        next.add(state);
        if (state === end - 1) next.add(end);
      } else if (step?.(name) === true) next.add(state + 1);
    }
    states = closure(pattern, next);
  }
  const full = states.has(end);
  return { full, above, head: pattern.endsOpen && states.has(end - 1), below: states.size > (full ? 1 : 0) };
}

/** `**` in the middle also stands for no folder at all; at the end it needs at least one name. */
function closure(pattern: Pattern, states: Set<number>): Set<number> {
  for (const state of states) {
    if (pattern.steps[state] === '**' && state < pattern.steps.length - 1) states.add(state + 1);
  }
  return states;
}

/**
 * Narrower than gitignore on purpose: `/*` is what lies directly in the root, not all below it. The folder
 * before `/**` may be read, but neither replaced nor deleted. A tree is covered when the rule holds for all of it.
 */
function allowCovers(pattern: Pattern, walked: Walked, effect: PathEffect): boolean {
  const isTree = effect.scope === 'tree';
  if (walked.head && effect.kind === 'read') return true;
  if (walked.above && (pattern.endsLiteral || pattern.endsOpen)) return true;
  if (!walked.full) return false;
  if (isTree) return pattern.endsLiteral || pattern.endsOpen;
  return !pattern.foldersOnly;
}

function strictMatch(walked: Walked, effect: PathEffect): PathMatch {
  if (walked.full || walked.above || walked.head) return 'yes';
  return effect.scope === 'tree' && walked.below ? 'part' : 'no';
}
