import type { PathStep } from '../../util/match-path.js';
import { foldName } from '../../util/match-segment.js';
import { readGlob, type GlobOptions, type ReadGlob } from './glob-match.js';
import { anyName } from './name-test.js';

/** A pattern and the folder it is relative to: absolute, with `/`. */
export interface AnchoredGlob {
  readonly anchor: string;
  readonly pattern: string;
  /** `!*.log` excludes in the anchor only, not at any depth. */
  readonly isRooted?: boolean;
}

/** What the patterns say of the files right in one folder. */
export interface FolderVerdict {
  readonly isNone: boolean;
  readonly isAll: boolean;
  readonly matches: (name: string) => boolean;
}

type NameTest = (name: string) => boolean;

/** The places in the program where a path that led to a folder may stand; the same for many folders. */
interface Node {
  readonly places: readonly number[];
  /** Every folder in such a folder stands at the same places. */
  readonly isSteady: boolean;
  readonly isEntered: boolean;
  readonly verdict: FolderVerdict;
}

interface SpelledNames {
  readonly included: Set<string>;
  readonly excluded: Set<string>;
}

const END = Symbol('end');

const NONE: FolderVerdict = { isNone: true, isAll: false, matches: () => false };
const ALL: FolderVerdict = { isNone: false, isAll: true, matches: () => true };

/**
 * Judges everything below a folder by several patterns: a file matches when one of them does (all, when there are only
 * exclusions) and no exclusion (`!pattern`) has it. The same answer as that of `createGlobMatcher` for each path, but the
 * patterns are carried from folder to folder, so that a file costs a look at its name at most.
 */
export class GlobSet {
  /** One step after the other, each pattern's alternatives closed by an end. */
  readonly #program: (PathStep | typeof END)[] = [];
  readonly #excludes: boolean[] = [];
  readonly #spelled = new Map<string, SpelledNames>();
  /** Folders on the way to a file that is spelled like a pattern. */
  readonly #spelledFolders = new Set<string>();
  readonly #nodes = new Map<string, Node>();
  readonly #folders = new Map<string, Node>();
  readonly #start: Node;
  /** The steady folder that was met last, with its slash. */
  #steady: { readonly prefix: string; readonly node: Node } | undefined;
  #onlyExcludes = true;

  /** `folder` is absolute, with `/`. @throws Failure `invalid_pattern` */
  constructor(folder: string, globs: readonly AnchoredGlob[], options: GlobOptions = {}) {
    const starts: number[] = [];
    for (const { anchor, pattern, isRooted = false } of globs) {
      const read = readGlob(pattern, options);
      if (!read.excludes) this.#onlyExcludes = false;
      const byLastName = read.byLastName && !isRooted;
      starts.push(...this.#add({ ...read, byLastName }, wayBetween(anchor, folder), options.ignoreCase === true));
    }
    this.#start = this.#nodeAt(this.#closure(starts));
    this.#folders.set('', this.#start);
  }

  /** Can anything below match? Asked for a folder after the one that holds it. */
  enters(folder: string): boolean {
    return this.#nodeOf(folder).isEntered || this.#spelledFolders.has(folder);
  }

  /** Of the files right in a folder. */
  judge(folder: string): FolderVerdict {
    const { verdict } = this.#nodeOf(folder);
    const spelled = this.#spelled.get(folder);
    if (spelled === undefined) return verdict;
    const { included, excluded } = spelled;
    return {
      isNone: false,
      isAll: false,
      // A path that is spelled like an including pattern may still be excluded by another.
      matches: (name) =>
        !excluded.has(name) && (verdict.matches(name) || (included.has(name) && !this.#isExcluded(folder, name))),
    };
  }

  #isExcluded(folder: string, name: string): boolean {
    return this.#nodeOf(folder).places.some((place) => this.#excludes[place] === true && this.#accepts(place, name));
  }

  /** Where a walk stands in the pattern's alternatives at its start. */
  #add({ excludes, glob, byLastName, alternatives }: ReadGlob, way: Way, ignoreCase: boolean): number[] {
    if (way.kind === 'apart') return [];
    const starts: number[] = [];
    const below = way.kind === 'below' ? way.names : [];
    this.#addSpelled(
      way.kind === 'below' ? [...below, ...glob.split('/')] : leftOf(glob.split('/'), way.names),
      excludes,
    );
    for (const alternative of alternatives) {
      const literal = below.map((name): PathStep => literalTest(name, ignoreCase));
      const given = [...literal, ...(byLastName ? ['**' as const] : []), ...alternative];
      const steps = given.filter((step, index) => step !== '**' || given[index - 1] !== '**');
      const first = this.#program.length;
      for (const step of steps) {
        this.#program.push(step);
        this.#excludes.push(excludes);
      }
      this.#program.push(END);
      this.#excludes.push(excludes);
      let places = this.#closure([first]);
      if (way.kind === 'above') for (const name of way.names) places = this.#advance(places, name);
      starts.push(...places);
    }
    return starts;
  }

  #addSpelled(names: readonly string[] | undefined, excludes: boolean): void {
    // No path has an empty name.
    if (names === undefined || names.includes('')) return;
    const folder = names.slice(0, -1).join('/');
    const spelled = this.#spelled.get(folder) ?? { included: new Set(), excluded: new Set() };
    spelled[excludes ? 'excluded' : 'included'].add(names.at(-1) ?? '');
    this.#spelled.set(folder, spelled);
    if (!excludes)
      for (let count = 1; count < names.length; count++) this.#spelledFolders.add(names.slice(0, count).join('/'));
  }

  #nodeOf(folder: string): Node {
    // Below a steady folder all are alike, and thousands are asked for in a row.
    if (this.#start.isSteady) return this.#start;
    const met = this.#steadyAbove(folder);
    if (met !== undefined) return met;
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/');
    const above = this.#nodeOf(slash === -1 ? '' : folder.slice(0, slash));
    if (above.isSteady) {
      if (this.#steadyAbove(folder) === undefined) this.#steady = { prefix: folder.slice(0, slash + 1), node: above };
      return above;
    }
    const node = this.#nodeAt(this.#advance(above.places, folder.slice(slash + 1)));
    this.#folders.set(folder, node);
    return node;
  }

  #steadyAbove(folder: string): Node | undefined {
    return this.#steady !== undefined && folder.startsWith(this.#steady.prefix) ? this.#steady.node : undefined;
  }

  /** Where the places lead by one more name. */
  #advance(places: readonly number[], name: string): number[] {
    const next: number[] = [];
    for (const place of places) {
      const step = this.#program[place];
      if (step === '**') next.push(place);
      else if (typeof step === 'function' && step(name)) next.push(place + 1);
    }
    return next.length === 0 ? next : this.#closure(next);
  }

  /** `**` stands for no name, too. */
  #closure(places: readonly number[]): number[] {
    const all = new Set(places);
    for (const place of all) if (this.#program[place] === '**') all.add(place + 1);
    return Array.from(all);
  }

  #nodeAt(reached: readonly number[]): Node {
    // An end means that the folder itself matches, which says nothing of what is in it.
    const places = reached.filter((place) => this.#program[place] !== END).sort((a, b) => a - b);
    const key = places.join(',');
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const verdict = this.#verdict(places);
    const node = { places, isSteady: this.#isSteady(places), isEntered: this.#isEntered(places), verdict };
    this.#nodes.set(key, node);
    return node;
  }

  /** Whatever name comes next, what is left afterwards is what `**` keeps, and that is all there is. */
  #isSteady(places: readonly number[]): boolean {
    const kept = places.filter((place) => this.#program[place] === '**');
    const others = places.filter((place) => this.#program[place] !== '**');
    const held = new Set(this.#closure(kept));
    return others.every((place) => this.#isLast(place) && held.has(place));
  }

  #isEntered(places: readonly number[]): boolean {
    const isAllExcluded = places.some((place) => this.#excludes[place] === true && this.#takesAll(place));
    return !isAllExcluded && (this.#onlyExcludes || places.some((place) => this.#excludes[place] === false));
  }

  #verdict(places: readonly number[]): FolderVerdict {
    const included = this.#onlyExcludes || this.#testOf(places, false);
    const excluded = this.#testOf(places, true);
    if (included === false || excluded === true) return NONE;
    if (included === true && excluded === false) return ALL;
    return { isNone: false, isAll: false, matches: (name) => holds(included, name) && !holds(excluded, name) };
  }

  /** All names, none, or those that the test takes. */
  #testOf(places: readonly number[], excludes: boolean): boolean | NameTest {
    const tests: NameTest[] = [];
    for (const place of places) {
      if (this.#excludes[place] !== excludes) continue;
      const step = this.#program[place];
      if (step === anyName && this.#isLast(place)) return true;
      if (typeof step === 'function' && this.#isLast(place)) tests.push(step);
    }
    const [only] = tests;
    if (only === undefined) return false;
    return tests.length === 1 ? only : (name) => tests.some((test) => test(name));
  }

  #accepts(place: number, name: string): boolean {
    const step = this.#program[place];
    return typeof step === 'function' && this.#isLast(place) && step(name);
  }

  /** All that is below, at any depth. */
  #takesAll(place: number): boolean {
    return this.#program[place] === '**' && this.#program[place + 1] === anyName && this.#isLast(place + 1);
  }

  /** Nothing more has to come after this step. */
  #isLast(place: number): boolean {
    return this.#program[place + 1] === END;
  }
}

function holds(test: boolean | NameTest, name: string): boolean {
  return typeof test === 'function' ? test(name) : test;
}

function literalTest(literal: string, ignoreCase: boolean): NameTest {
  const folded = foldName(literal);
  return ignoreCase ? (name) => foldName(name) === folded : (name) => name === literal;
}

/** From where a pattern is anchored to where the walk begins: the names between the two. */
type Way =
  | { readonly kind: 'above'; readonly names: readonly string[] }
  | { readonly kind: 'below'; readonly names: readonly string[] }
  | { readonly kind: 'apart' };

function wayBetween(anchor: string, folder: string): Way {
  const [from, to] = [namesOf(anchor), namesOf(folder)];
  const shared = Math.min(from.length, to.length);
  for (let index = 0; index < shared; index++) if (from[index] !== to[index]) return { kind: 'apart' };
  return from.length > to.length
    ? { kind: 'below', names: from.slice(shared) }
    : { kind: 'above', names: to.slice(shared) };
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/** The names after those that come first; undefined when others come first. */
function leftOf(names: readonly string[], first: readonly string[]): string[] | undefined {
  if (names.length <= first.length || first.some((name, index) => name !== names[index])) return undefined;
  return names.slice(first.length);
}
