import { lstatSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import type { ToolRuntime } from '../runtime.js';
import { isExclusion, splitStaticFolder, withoutDetours } from '../search/globs/glob-match.js';
import { withSlashes, type PlannedFolder } from '../search/globs/glob-plan.js';
import { isPlain } from '../search/globs/name-test.js';
import { describeLink } from '../search/listing/describe-entry.js';
import { missingPathFailure } from '../search/missing-path.js';
import type { NamedThings } from '../search/report/glob-report.js';
import { isWithin } from '../util/paths-below.js';
import { realPath } from '../util/real-path.js';
import { withheldNames } from './hidden-names.js';
import { ToolNames } from './tool-names.js';

/** Folders that are not there of which something is said. */
const MAX_MISSING = 5;
const GIT = '.git';

/** Where nothing was found: what its patterns name that is no file to be found. What is kept from the model counts as not there. */
export class GlobHints {
  readonly #patterns: readonly string[];
  readonly #folders: readonly PlannedFolder[];
  readonly #config: ToolRuntime;
  readonly #isWithheld: (path: string) => boolean;

  constructor(patterns: readonly string[], folders: readonly PlannedFolder[], config: ToolRuntime) {
    this.#patterns = patterns.filter((pattern) => !isExclusion(pattern));
    this.#folders = folders;
    this.#config = config;
    this.#isWithheld = withheldNames(config, ToolNames.GLOB);
  }

  named(): NamedThings {
    const first = <T>(ask: (pattern: string) => T | undefined): T | undefined =>
      this.#patterns.map(ask).find((answer) => answer !== undefined);
    return {
      hasGitFolder: this.#patterns.some((pattern) => this.#namesGitFolder(pattern)),
      climbing: this.#patterns.find(climbsLate),
      namedFolder: first((pattern) => this.#folderIn(pattern)),
      link: first((pattern) => this.#linkIn(pattern)),
      closedLink: first((pattern) => this.#closedLinkIn(pattern)),
    };
  }

  /** A sentence for each folder that is not there, and what is near it. */
  async missing(): Promise<string[]> {
    const gate = this.#config.getWorkspaceGate();
    const isMissing = (path: string): boolean => this.#isWithheld(path) || gate.resolve(path).kind === 'missing';
    // From above, for below what is missing there may be thousands of names.
    const outermost = (path: string): string => {
      let at = gate.roots.find((root) => isWithin(path, root)) ?? path;
      for (const name of relative(at, path).split(sep)) {
        at = join(at, name);
        if (gate.check(at) !== null || isMissing(at)) return at;
      }
      return path;
    };
    const planned = this.#folders.map(({ path }) => path).filter(isMissing);
    const paths = [...planned, ...this.#patterns.flatMap((pattern) => this.#leadsMissing(pattern, isMissing))];
    const missing = Array.from(new Set(paths.map(outermost))).slice(0, MAX_MISSING);
    const failures = missing.map(async (path) =>
      missingPathFailure(gate, path, { isWithheld: this.#isWithheld, wanted: 'Folder' }),
    );
    return (await Promise.all(failures)).map(({ message }) => message);
  }

  /** The folder with which a relative pattern begins, in each base, where none of them has it. */
  #leadsMissing(pattern: string, isMissing: (path: string) => boolean): readonly string[] {
    const gate = this.#config.getWorkspaceGate();
    const lead = relativeLead(pattern);
    if (lead === '' || lead.startsWith('..')) return [];
    const paths = this.#folders.filter(({ mayBeMissing }) => !mayBeMissing).map(({ path }) => resolve(path, lead));
    return paths.every((path) => gate.check(path) === null && isMissing(path)) ? paths : [];
  }

  /** Where a folder really is that may be told of. */
  #realFolder(path: string): string | undefined {
    const gate = this.#config.getWorkspaceGate();
    if (gate.check(path) !== null || this.#isWithheld(path)) return undefined;
    const { kind, path: real } = gate.resolve(path);
    return kind === 'directory' ? real : undefined;
  }

  /** The pattern as one that stands for the folder of that name. */
  #folderIn(pattern: string): string | undefined {
    if (climbsLate(pattern)) return undefined;
    const names = (name: string | undefined): boolean =>
      name !== undefined &&
      this.#folders.some(({ path }) => {
        const named = resolve(path, name);
        return (named !== path || isAbsolute(name)) && this.#realFolder(named) !== undefined;
      });
    if (names(pattern)) return pattern.replaceAll(/[\\[\]{}]|(?<=[@!+*?])\(/g, '\\$&');
    return names(unescaped(pattern)) ? pattern : undefined;
  }

  /** The folder with which a pattern begins, when it can only be reached through a link: none is followed on the way. */
  #linkIn(pattern: string): string | undefined {
    const lead = relativeLead(pattern);
    if (lead === '') return undefined;
    const isLinked = this.#folders.some(({ path }) => {
      const real = this.#realFolder(resolve(path, lead));
      return real !== undefined && real !== resolve(this.#config.getWorkspaceGate().resolve(path).path, lead);
    });
    return isLinked ? lead : undefined;
  }

  /** The first link on the way to what a pattern names, where it leads to nothing that may be shown. */
  #closedLinkIn(pattern: string): NamedThings['closedLink'] {
    const names = [unescaped(pattern), pattern, splitStaticFolder(pattern).folder];
    const { roots } = this.#config.getWorkspaceGate();
    for (const name of names) {
      if (name === undefined || name === '' || climbsLate(name)) continue;
      const bases = isAbsolute(name) ? roots : this.#folders.map(({ path }) => path);
      for (const base of bases) {
        const path = resolve(base, name);
        const closed = isWithin(path, base) ? this.#closedLinkOn(base, path) : undefined;
        if (closed === undefined) continue;
        return isAbsolute(name) ? closed : { ...closed, path: withSlashes(relative(realPath(base), closed.path)) };
      }
    }
    return undefined;
  }

  #closedLinkOn(base: string, path: string): NamedThings['closedLink'] {
    const gate = this.#config.getWorkspaceGate();
    const ignored = new IgnoreRules(QWEN_IGNORE, gate.roots);
    let at = realPath(base);
    for (const name of relative(base, path).split(sep)) {
      at = join(at, name);
      // Of a link that leads outside the gate does not say whether it is ignored.
      if (this.#isWithheld(at) || ignored.isIgnored(at, false)) return undefined;
      const isLink = lookedAt(at)?.isSymbolicLink();
      if (isLink === undefined) return undefined;
      const refusalOf = (other: string): string | undefined => gate.check(other)?.code;
      if (!isLink && refusalOf(at) !== undefined) return undefined;
      if (!isLink) continue;
      const link = describeLink(name, { at, path: at, refusalOf });
      return link === 'ignored' || link.note === undefined ? undefined : { path: at, why: link.note };
    }
    return undefined;
  }

  /** It asks for what is called `.git`, or lies in it, where the walk comes from above. */
  #namesGitFolder(pattern: string): boolean {
    const names = withoutDetours(pattern).split('/');
    const at = names.findIndex((name) => name.toLowerCase() === GIT);
    if (at === -1) return false;
    const above = names.slice(0, at + 1);
    if (!above.every(isPlain)) return true;
    const path = above.join('/');
    // It is where the search began.
    if (at < names.length - 1 && (isAbsolute(pattern) || path.startsWith('../'))) return false;
    return this.#folders.some((folder) => {
      const place = resolve(folder.path, path);
      const kind = this.#config.getWorkspaceGate().check(place) === null ? lookedAt(place) : undefined;
      return kind !== undefined && !(isAbsolute(pattern) && kind.isDirectory());
    });
  }
}

/** The leading folders of a relative pattern that hold no wildcard. */
function relativeLead(pattern: string): string {
  const { folder } = splitStaticFolder(withoutDetours(pattern));
  return isAbsolute(folder) ? '' : folder;
}

/** `..` is only understood where no wildcard stands before it. */
function climbsLate(pattern: string): boolean {
  const names = pattern.split('/');
  const wild = names.findIndex((name) => !isPlain(name));
  return wild !== -1 && names.slice(wild).includes('..');
}

/** The name that a pattern with escapes alone stands for. */
function unescaped(pattern: string): string | undefined {
  return isPlain(pattern.replaceAll(/\\[^]/g, '')) ? pattern.replaceAll(/\\([^])/g, '$1') : undefined;
}

function lookedAt(path: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
