import { relative, sep } from 'node:path';
import type { GitUser } from '../../files/ignore-settings.js';
import { innermostRoot, newSources } from '../../files/ignore-rules.js';
import { scopeAboveWalk, scopeInFolder, type IgnoreSources, type WalkStart } from '../../files/ignore-scope.js';
import { GIT_IGNORE, QWEN_IGNORE, type IgnoreKind, type IgnoreScope } from '../../files/ignore-stack.js';

/** What the ignore files say, of a folder's entries or from above of a folder; undefined where they have no say. */
export interface RuleScopes {
  readonly git: IgnoreScope | undefined;
  readonly qwen: IgnoreScope | undefined;
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
  readonly #git: IgnoreSources;
  readonly #qwen: IgnoreSources;
  /** The listed folder, where its own file for git has no say. */
  readonly #unheeded: string | undefined;

  constructor({ path, roots, respectGitIgnore, gitUser }: RuledFolder) {
    this.#git = newSources(GIT_IGNORE, gitUser);
    this.#qwen = newSources(QWEN_IGNORE, undefined);
    const root = innermostRoot(path, roots);
    const way = root === undefined ? [] : relative(root, path).split(sep);
    const start = (kind: IgnoreKind, sources: IgnoreSources): WalkStart | undefined => {
      // Outside every root (the project's temp folder) nothing is ignored.
      if (root === undefined || (kind.isGit && !respectGitIgnore)) return undefined;
      return scopeAboveWalk(
        root,
        way.filter((name) => name !== ''),
        sources,
      );
    };
    const git = start(GIT_IGNORE, this.#git);
    this.above = { git: git?.above, qwen: start(QWEN_IGNORE, this.#qwen)?.above };
    this.#unheeded = git?.skipsOwn === true ? path : undefined;
  }

  /** For the entries of a folder; `readFrom`: where to read it. */
  inside(above: RuleScopes, path: string, readFrom: string): RuleScopes {
    const folder = { path, readFrom };
    const skipsOwn = path === this.#unheeded;
    return {
      git: above.git && scopeInFolder(above.git, { ...folder, skipsOwn }, this.#git),
      qwen: above.qwen && scopeInFolder(above.qwen, folder, this.#qwen),
    };
  }
}

/** What holds from above for a folder among those entries. */
export function rulesBelow({ git, qwen }: RuleScopes, name: string): RuleScopes {
  return { git: git?.below(name), qwen: qwen?.below(name) };
}
