import { createHash } from 'node:crypto';
import { comparedName, type IgnoreSet, type PathPattern } from './ignore-set.js';
import { firstPlaces, nextPlaces, type Places } from './ignore-steps.js';
import type { IgnoreCase } from '../util/match-segment.js';

/** A kind of ignore file. `.ignore` and `.rgignore` are none: git does not know them. */
export interface IgnoreKind {
  readonly fileName: string;
  /** Git's: held against whole work trees, with `info/exclude` and the person's own excludes below them in rank. */
  readonly isGit: boolean;
  readonly ignoreCase: IgnoreCase;
}

export const GIT_IGNORE: IgnoreKind = { fileName: '.gitignore', isGit: true, ignoreCase: false };
/** With `core.ignoreCase`. */
const GIT_IGNORE_ANY_CASE: IgnoreKind = { ...GIT_IGNORE, ignoreCase: 'ascii' };
/** Any case: what the gate keeps from the model must not come back under another spelling. */
export const QWEN_IGNORE: IgnoreKind = { fileName: '.qwenignore', isGit: false, ignoreCase: true };

/** Names remembered with each scope. */
const MAX_NAMES = 256;
/** Of base64: 192 bits. */
const KEY_LENGTH = 32;

/**
 * The ignore files that hold for the entries of one folder. The same files on the same way down give the same
 * object, so that what was judged by a scope holds as long as the scope is the same.
 */
export class IgnoreScope {
  readonly kind: IgnoreKind;
  /** Innermost first. */
  readonly #layers: readonly Layer[];
  /** Some pattern judges by the way down: below, other rules may hold. */
  readonly isLive: boolean;
  /** Of files in folders, and of what git has besides: `info/exclude` and the person's own excludes. */
  readonly hasFiles: boolean;
  readonly hasExcludes: boolean;
  readonly #extended = new WeakMap<IgnoreSet, IgnoreScope>();
  /** By what is left of the patterns: as many as there are patterns to tell apart, not as there are folders. */
  readonly #below = new Map<string, IgnoreScope>();
  /** The same by name, for the first of them: most are met in many folders. */
  readonly #belowName = new Map<string, IgnoreScope>();
  #key: string | undefined;
  #inAnyCase: IgnoreScope | undefined;

  private constructor(kind: IgnoreKind, layers: readonly Layer[]) {
    this.kind = kind;
    this.#layers = layers;
    this.isLive = layers.some(({ live }) => live.length > 0);
    this.hasExcludes = layers.some(({ isExcludes }) => isExcludes);
    this.hasFiles = layers.some(({ isExcludes }) => !isExcludes);
  }

  /** No rules; the first of a family of scopes. */
  static empty(kind: IgnoreKind): IgnoreScope {
    return new IgnoreScope(kind, []);
  }

  /** No rules of git either, for those that take upper for lower case: the first of another family, always the same. */
  get inAnyCase(): IgnoreScope {
    return (this.#inAnyCase ??= IgnoreScope.empty(GIT_IGNORE_ANY_CASE));
  }

  get isEmpty(): boolean {
    return this.#layers.length === 0;
  }

  /** The same for scopes of one kind that judge every name alike because their files say the same, in any process. */
  get key(): string {
    this.#key ??= this.isEmpty ? '' : hashOf([...this.#layers.map(layerKey), `${this.kind.ignoreCase}`]);
    return this.#key;
  }

  /** With an ignore file of higher rank, whose paths start at the same folder; `isExcludes`: it is git's, and of no folder. */
  with(set: IgnoreSet | undefined, isExcludes = false): IgnoreScope {
    if (set === undefined) return this;
    const known = this.#extended.get(set);
    if (known !== undefined) return known;
    const live = set.paths.map((pattern) => ({ pattern, places: firstPlaces(pattern.steps) }));
    const extended = new IgnoreScope(this.kind, [layerOf(set, live, isExcludes), ...this.#layers]);
    this.#extended.set(set, extended);
    return extended;
  }

  /** What holds for the entries of the folder of that name. */
  below(name: string): IgnoreScope {
    if (!this.isLive) return this;
    const known = this.#belowName.get(name);
    if (known !== undefined) return known;
    const scope = this.#scopeBelow(comparedName(name, this.kind.ignoreCase));
    if (this.#belowName.size < MAX_NAMES) this.#belowName.set(name, scope);
    return scope;
  }

  #scopeBelow(compared: string): IgnoreScope {
    const layers: Layer[] = [];
    let isSame = true;
    for (const layer of this.#layers) {
      const next = layerBelow(layer, compared);
      isSame &&= next === layer;
      layers.push(next);
    }
    if (isSame) return this;
    const key = layers.map(({ live }) => signatures(live)).join('|');
    const known = this.#below.get(key);
    if (known !== undefined) return known;
    const scope = new IgnoreScope(this.kind, layers);
    this.#below.set(key, scope);
    return scope;
  }

  /** True when the innermost file that has a word on the entry ignores it. Its folder is taken to be entered already. */
  ignores(name: string, isDirectory: boolean): boolean {
    if (this.#layers.length === 0) return false;
    const compared = comparedName(name, this.kind.ignoreCase);
    for (const layer of this.#layers) {
      const last = lastMatch(layer, compared, isDirectory);
      if (last !== -1) return layer.set.negated[last] === false;
    }
    return false;
  }
}

/** An ignore file as it holds for the entries of one folder. */
interface Layer {
  readonly set: IgnoreSet;
  readonly isExcludes: boolean;
  /** Patterns of paths that can still match here or below, in the file's order. */
  readonly live: readonly LivePattern[];
  /** Those of them that can match entries of this very folder, last places first. */
  readonly final: readonly PathPattern[];
}

interface LivePattern {
  readonly pattern: PathPattern;
  readonly places: Places;
}

function layerOf(set: IgnoreSet, live: readonly LivePattern[], isExcludes: boolean): Layer {
  const final = live.filter(({ pattern, places }) => places.at(-1) === pattern.steps.length - 1);
  return { set, isExcludes, live, final: final.map(({ pattern }) => pattern).reverse() };
}

function layerBelow(layer: Layer, name: string): Layer {
  const live: LivePattern[] = [];
  let isSame = true;
  for (const before of layer.live) {
    const places = nextPlaces(before.pattern.steps, before.places, name);
    const stays = isSamePlaces(places, before.places);
    isSame &&= stays;
    if (places.length > 0) live.push(stays ? before : { pattern: before.pattern, places });
  }
  return isSame ? layer : layerOf(layer.set, live, layer.isExcludes);
}

function isSamePlaces(a: Places, b: Places): boolean {
  return a.length === b.length && a.every((place, index) => place === b[index]);
}

function layerKey({ set, live }: Layer): string {
  return `${set.key}:${signatures(live)}`;
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('|')).digest('base64').slice(0, KEY_LENGTH);
}

function signatures(live: readonly LivePattern[]): string {
  return live.map(signature).join(';');
}

function signature({ pattern, places }: LivePattern): string {
  return `${pattern.index}:${places.join(',')}`;
}

function lastMatch({ set, final }: Layer, name: string, isDirectory: boolean): number {
  const last = set.lastNameMatch(name, isDirectory);
  for (const { index, onlyDirectories, steps } of final) {
    if (index <= last) break;
    const step = steps.at(-1);
    if ((isDirectory || !onlyDirectories) && typeof step === 'function' && step(name)) return index;
  }
  return last;
}
