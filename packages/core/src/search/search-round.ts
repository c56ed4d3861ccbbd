import { partitionPoint } from '../util/partition-point.js';
import type { FolderFiles } from './content/folder-files.js';
import type { TargetFolder, TellingSink } from './engines/search-engine.js';
import type { PlaceTally } from './outcome-collector.js';
import { folderOf } from './paths.js';

/** What an engine is to search. */
export interface RoundTargets {
  /** Where there are any, only their files are the round's. */
  readonly folders: readonly TargetFolder[];
  /** How many files, of folders and others. */
  readonly files: number;
}

/** Who hears of files that are not counted in this round. */
export interface RoundEars {
  readonly onOdd: (relativePath: string) => void;
  /** Without it, everything else is counted in this round. */
  readonly onLeft?: (files: readonly string[]) => void;
}

/**
 * Listens to an engine while it searches the files of one plan, and keeps account of it: only files that were walked and
 * are wanted count, each once, even when a part of the work is done again by another engine.
 */
export class SearchRound implements TellingSink {
  readonly #tally: PlaceTally;
  readonly #targets: RoundTargets;
  readonly #onOdd: (relativePath: string) => void;
  readonly left: TellingSink['left'];
  readonly #odd = new Set<string>();
  readonly #failed = new Map<string, number>();
  #byFolder: Map<string, TargetFolder> | undefined;
  #found = 0;
  #left = 0;
  #last: TargetFolder | undefined;

  constructor(tally: PlaceTally, targets: RoundTargets, { onOdd, onLeft }: RoundEars) {
    this.#tally = tally;
    this.#targets = targets;
    this.#onOdd = onOdd;
    if (onLeft !== undefined)
      this.left = (files) => {
        this.#left += files.length;
        onLeft(files);
      };
  }

  /** `mtimeMs` where the engine knows it. */
  counted(relativePath: string, matches: number, mtimeMs?: number): void {
    if (matches === 0 || !this.#isOurs(relativePath)) return;
    if (this.#tally.add(relativePath, { matches, mtimeMs })) this.#found++;
  }

  countedIn(piece: FolderFiles, place: number, matches: number, mtimeMs: number): void {
    if (this.#tally.addIn(piece, place, { matches, mtimeMs })) this.#found++;
  }

  odd(relativePath: string): void {
    if (this.#odd.has(relativePath) || !this.#isOurs(relativePath)) return;
    this.#odd.add(relativePath);
    this.#onOdd(relativePath);
  }

  failed(relativePath: string | undefined, reason: string): void {
    const key = relativePath ?? reason;
    if (this.#failed.has(key)) return;
    // A folder that cannot be read (any more): none of its files was searched.
    const folder = relativePath === undefined ? undefined : this.#folders().get(relativePath);
    if (folder === undefined && relativePath !== undefined && !this.#isOurs(relativePath)) return;
    const files = folder?.names.length ?? 1;
    this.#failed.set(key, files);
    this.#tally.fail(relativePath, reason, files);
  }

  /** Another engine begins anew: what was told may be told again. */
  again(): void {
    this.#tally.expectAgain();
  }

  /** The engine has searched everything. */
  done(): void {
    let failed = 0;
    for (const files of this.#failed.values()) failed += files;
    this.#tally.searched += Math.max(0, this.#targets.files - failed - this.#odd.size - this.#left);
  }

  /** The search was ended before that: what is certain is what was found. */
  broken(): void {
    this.#tally.searched += this.#found;
  }

  /** Of a folder that is given as a whole more may be told than was walked. */
  #isOurs(relativePath: string): boolean {
    if (this.#targets.folders.length === 0) return true;
    const slash = relativePath.lastIndexOf('/');
    // Mostly the next file lies beside the last one: comparing is cheaper than looking up.
    const last = this.#last?.folder;
    if (last === undefined || last.length !== Math.max(0, slash) || !relativePath.startsWith(last))
      this.#last = this.#folders().get(folderOf(relativePath));
    if (this.#last === undefined) return false;
    const name = relativePath.slice(slash + 1);
    const { names } = this.#last;
    return names[partitionPoint(names.length, (index) => (names[index] ?? '') < name)] === name;
  }

  #folders(): Map<string, TargetFolder> {
    return (this.#byFolder ??= new Map(this.#targets.folders.map((target) => [target.folder, target])));
  }
}
