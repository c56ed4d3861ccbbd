import type { PathEffect } from '../effects/effect.js';
import { parseGlob, segmentMatcher } from '../util/match-segment.js';
import { foldCase, foldForAnyFileSystem } from './fold-name.js';

/** A path specifier, read but not yet tied to a machine's folders. */
export interface PathSpecifier {
  /** `anywhere`: a name without a slash, which counts at every depth. */
  readonly from: 'root' | 'anywhere' | 'home' | 'absolute';
  readonly segments: readonly string[];
  /** Written with a slash at the end: folders only. */
  readonly foldersOnly: boolean;
  /** Set if it was written with one slash at the start, as other agents write absolute paths. Deny and ask rules mean both. */
  readonly mayBeAbsolute?: boolean;
}

export interface Places {
  /** Canonical workspace roots. */
  readonly roots: readonly string[];
  readonly home: string;
}

/** `part`: the effect is a whole tree, and the rule may speak of something inside it. */
export type PathMatch = 'no' | 'part' | 'yes';

/**
 * Reads a gitignore-like pattern with four forms of start: `//absolute`, `~/home` (or `$HOME/`), `/from-the-root` or `./from-the-root`, and
 * `name` (any depth) or `a/b` (from the root). `*` alone is everything in the root.
 */
export function parsePathSpecifier(text: string): PathSpecifier | { readonly problem: string } {
  const pattern = text === '*' ? '**' : text;
  if (pattern.startsWith('!')) return { problem: 'starts with "!"; put the exception into another list instead' };
  const [from, rest] = splitStart(pattern);
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return { problem: 'has ".." in its path; write the full path as //folder/…' };
  const foldersOnly = rest.endsWith('/') && segments.length > 0;
  const single = from === 'root' && segments.length === 1 && !/^\.?\//.test(pattern) && segments[0] !== '**';
  const mayBeAbsolute = /^\/[^/]/.test(pattern);
  return { from: single ? 'anywhere' : from, segments, foldersOnly, ...(mayBeAbsolute && { mayBeAbsolute }) };
}

function splitStart(pattern: string): [PathSpecifier['from'], string] {
  if (pattern.startsWith('//')) return ['absolute', pattern.slice(2)];
  const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(pattern)?.[0];
  if (home !== undefined) return ['home', pattern.slice(home.length)];
  return ['root', pattern];
}

/** For allow rules: exact case, the first root only, and both the path as asked for and the real one must match. */
export function compileAllowPath(specifier: PathSpecifier, places: Places): (effect: PathEffect) => boolean {
  const bases = basesOf(specifier, { ...places, roots: places.roots.slice(0, 1) });
  const patterns = bases.map((base) => compilePattern(base, specifier));
  const covers = (path: string, effect: PathEffect): boolean =>
    patterns.some((pattern) => allowCovers(pattern, walk(pattern, splitPath(path)), effect));
  return (effect) => covers(effect.requested, effect) && covers(effect.path, effect);
}

/**
 * Compiles a path for deny and ask rules: in any case, in every root, and for a plain name anywhere on the disk. `/a` means every root and
 * the disk. Either path is enough.
 */
export function compileStrictPath(specifier: PathSpecifier, places: Places): (effect: PathEffect) => PathMatch {
  const patterns = strictPatterns(specifier, places);
  return (effect) => {
    const found = [effect.path, effect.requested].flatMap((path) => {
      const names = splitPath(path);
      return patterns.map(({ fold, pattern }) => strictMatch(walk(pattern, names.map(fold)), effect));
    });
    if (found.includes('yes')) return 'yes';
    return found.includes('part') ? 'part' : 'no';
  };
}

type Fold = (name: string) => string;

/** How names are compared, and the pattern in such names: what stands there, and what some file system takes for the same. */
export interface StrictPattern {
  readonly fold: Fold;
  readonly pattern: Pattern;
}

export function strictPatterns(specifier: PathSpecifier, places: Places): StrictPattern[] {
  const absolute = specifier.mayBeAbsolute === true ? [[]] : [];
  const bases = specifier.from === 'anywhere' ? [['**']] : [...basesOf(specifier, places), ...absolute];
  return [foldCase, foldForAnyFileSystem].flatMap((fold) =>
    bases.map((base) => ({ fold, pattern: compilePattern(base, specifier, fold) })),
  );
}

/** A name of a path, or a word of the shell that stands for several: whether it may stand for this one. */
export type PathName = string | ((name: string) => boolean);

/** What a path and all below it have to do with a deny or ask rule. */
export interface PathReach {
  /** The rule speaks of the path, or of a folder that it lies in. */
  readonly met: boolean;
  /** The path is a folder that the rule names on the way to what it speaks of (`/`, `src` for `src/gen/**`). */
  readonly onTheWay: boolean;
  /** The rule may speak of something below. */
  readonly below: boolean;
}

/** `compileStrictPath` for paths of which only the text is known, and not whether they are files or folders. */
export function compileReach(specifier: PathSpecifier, places: Places): (names: readonly PathName[]) => PathReach {
  const patterns = strictPatterns(specifier, places);
  return (names) => {
    const walked = patterns.map(({ fold, pattern }) =>
      walk(
        pattern,
        names.map((name) => (typeof name === 'string' ? fold(name) : name)),
      ),
    );
    return {
      met: walked.some(({ full, above, head }) => full || above || head),
      onTheWay: walked.some((each) => each.onTheWay),
      below: walked.some(({ below }) => below),
    };
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

function basesOf(specifier: PathSpecifier, places: Places): string[][] {
  if (specifier.from === 'absolute') return [[]];
  if (specifier.from === 'home') return [splitPath(places.home)];
  const roots = places.roots.map(splitPath);
  return specifier.from === 'anywhere' ? roots.map((root) => [...root, '**']) : roots;
}

type Step = '**' | ((name: string) => boolean);

interface Pattern {
  readonly steps: readonly Step[];
  /** For each step the one name that it accepts; undefined when there are several. */
  readonly literals: readonly (string | undefined)[];
  /** The last step names one thing, so that what lies below it is meant as well. */
  readonly endsLiteral: boolean;
  readonly endsOpen: boolean;
  readonly foldersOnly: boolean;
}

/** With `fold`: of names that are compared in that form, in any case. */
function compilePattern(base: readonly string[], specifier: PathSpecifier, fold?: Fold): Pattern {
  const ignoreCase = fold !== undefined;
  const folded = (name: string): string => fold?.(name) ?? name;
  // What stands behind a dot or a colon in a pattern is no end of a name.
  const foldedSegment = (segment: string): string =>
    ignoreCase && /[*?[\\]/.test(segment) ? foldCase(segment) : folded(segment);
  const last = specifier.segments.at(-1);
  const fromBase = base.map((name): Step => (name === '**' ? '**' : equals(folded(name))));
  const literals = [
    ...base.map((name) => (name === '**' ? undefined : folded(name))),
    ...specifier.segments.map((segment) => (/[*?[\\]/.test(segment) ? undefined : folded(segment))),
  ];
  return {
    literals,
    steps: [...fromBase, ...specifier.segments.map((segment) => compileSegment(foldedSegment(segment), ignoreCase))],
    endsLiteral: last === undefined || !/[*?[]/.test(last.replaceAll(/\\./g, '')),
    endsOpen: last === '**',
    foldersOnly: specifier.foldersOnly,
  };
}

function equals(expected: string): Step {
  return (name) => name === expected;
}

/** `*`, `?`, `[a-z]`, `[!a]` and `\x` within one name, as gitignore has them. */
export function compileSegment(segment: string, ignoreCase = false): Step {
  if (segment === '**') return '**';
  const [parsed] = parseGlob(segment, { ignoreCase, malformed: 'literal' }) ?? [];
  return parsed === undefined ? equals(segment) : segmentMatcher(parsed);
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
  /** Every name so far is one that it asks for by itself, and there are more to come. */
  readonly onTheWay: boolean;
}

/** Follows the path name by name through the pattern; the states are the steps that may come next. */
function walk(pattern: Pattern, names: readonly PathName[]): Walked {
  const end = pattern.steps.length;
  let states = firstStates(pattern);
  let above = false;
  for (const name of names) {
    above ||= states.has(end);
    states = nextStates(pattern, states, name);
  }
  const full = states.has(end);
  const open = pattern.steps.indexOf('**');
  return {
    full,
    above,
    head: pattern.endsOpen && states.has(end - 1),
    below: states.size > (full ? 1 : 0),
    onTheWay: !full && names.length <= (open === -1 ? end : open) && states.has(names.length),
  };
}

/** The steps that may come first. */
export function firstStates(pattern: Pattern): Set<number> {
  return closure(pattern, new Set([0]));
}

/** The steps that may come after a name; the number of steps stands for the end. */
export function nextStates(pattern: Pattern, states: ReadonlySet<number>, name: PathName): Set<number> {
  const end = pattern.steps.length;
  const next = new Set<number>();
  for (const state of states) {
    const step = pattern.steps[state];
    if (step === '**') {
      next.add(state);
      if (state === end - 1) next.add(end);
    } else if (step !== undefined && accepts(step, pattern.literals[state], name)) next.add(state + 1);
  }
  return closure(pattern, next);
}

/** The pattern matches the path itself, or it ends in `/**` and this is the folder before that. */
export function isMetAt(pattern: Pattern, states: ReadonlySet<number>): boolean {
  const end = pattern.steps.length;
  return states.has(end) || (pattern.endsOpen && states.has(end - 1));
}

/** Two patterns, one of the rule and one of the shell, are taken to share a name. */
function accepts(step: Exclude<Step, '**'>, literal: string | undefined, name: PathName): boolean {
  if (typeof name === 'string') return step(name);
  return literal === undefined || name(literal);
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
