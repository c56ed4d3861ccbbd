import { dirname, relative, sep } from 'node:path';
import type { GitUser } from '../../files/ignore-settings.js';
import { innermostRoot, newSources } from '../../files/ignore-rules.js';
import {
  scopeAboveWalk,
  scopeInFolder,
  type IgnoreSources,
  type JudgedFolder,
  type WalkStart,
} from '../../files/ignore-scope.js';
import { GIT_IGNORE, QWEN_IGNORE, type IgnoreScope } from '../../files/ignore-stack.js';
import { isBelow } from '../../util/paths-below.js';

/** What ignore files say: `all` is ignored in a folder that is, or that lies in one; undefined where they have no say. */
type Say = IgnoreScope | 'all' | undefined;

/** What the ignore files say, of a folder's entries or from above of a folder. */
export interface RuleScopes {
  readonly git: Say;
  readonly qwen: Say;
}

export interface RuledFolder {
  /** Canonical. */
  readonly path: string;
  /** The workspace roots, canonical. */
  readonly roots: readonly string[];
  readonly respectGitIgnore: boolean;
  /** Whose configuration of git counts beside that of repositories. */
  readonly gitUser?: GitUser | undefined;
}

/** The ignore rules of one listing, which goes down from a folder; each ignore file above that is read once. */
export class ListingRules {
  /** For the listed folder. */
  readonly above: RuleScopes;
  /** Workspace roots below the listed folder, and the folders on the way to them: no rule hides one. */
  readonly kept: ReadonlySet<string>;
  /** In each of these its own rules hold. */
  readonly #rootsBelow: ReadonlySet<string>;
  readonly #git: IgnoreSources | undefined;
  readonly #qwen: IgnoreSources;
  /** The listed folder, where its own file for git has no say. */
  readonly #unheeded: string | undefined;

  constructor({ path, roots, respectGitIgnore, gitUser }: RuledFolder) {
    this.#git = respectGitIgnore ? newSources(GIT_IGNORE, gitUser) : undefined;
    this.#qwen = newSources(QWEN_IGNORE, undefined);
    const root = innermostRoot(path, roots);
    // Outside every root (the project's temp folder) nothing is ignored.
    const below = root === undefined ? [] : roots.filter((other) => isBelow(other, path));
    this.#rootsBelow = new Set(below);
    this.kept = new Set(below.flatMap((other) => wayUp(other, path)));
    const way = root === undefined ? [] : relative(root, path).split(sep);
    const start = this.#startAt(
      root,
      way.filter((name) => name !== ''),
    );
    this.above = { git: start.git?.above, qwen: start.qwen?.above };
    this.#unheeded = start.git?.skipsOwn === true ? path : undefined;
  }

  #startAt(root: string | undefined, way: readonly string[]): { git?: WalkStart | undefined; qwen?: WalkStart } {
    if (root === undefined) return {};
    return {
      git: this.#git && scopeAboveWalk(root, way, this.#git),
      qwen: scopeAboveWalk(root, way, this.#qwen),
    };
  }

  /** For the entries of a folder; `readFrom`: where to read it. */
  inside(above: RuleScopes, path: string, readFrom: string): RuleScopes {
    const folder = { path, readFrom };
    const skipsOwn = path === this.#unheeded;
    const start = this.#rootsBelow.has(path) ? this.#startAt(path, []) : undefined;
    const { git, qwen } = start === undefined ? above : { git: start.git?.above, qwen: start.qwen?.above };
    return {
      git: sayIn(git, { ...folder, skipsOwn }, this.#git),
      qwen: sayIn(qwen, folder, this.#qwen),
    };
  }
}

/** A folder and those above it, below the other. */
function wayUp(folder: string, above: string): string[] {
  return folder === above ? [] : [folder, ...wayUp(dirname(folder), above)];
}

function sayIn(above: Say, folder: JudgedFolder, sources: IgnoreSources | undefined): Say {
  return above === undefined || above === 'all' ? above : sources && scopeInFolder(above, folder, sources);
}

/** What holds from above for a folder among those entries. */
export function rulesBelow({ git, qwen }: RuleScopes, name: string): RuleScopes {
  return { git: sayBelow(git, name), qwen: sayBelow(qwen, name) };
}

function sayBelow(say: Say, name: string): Say {
  return ignores(say, name, true) ? 'all' : say === 'all' ? say : say?.below(name);
}

export function ignores(say: Say, name: string, isDirectory: boolean): boolean {
  return say === 'all' || say?.ignores(name, isDirectory) === true;
}
