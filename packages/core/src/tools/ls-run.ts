import { systemFailure } from '../files/system-failure.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { ToolRuntime } from '../runtime.js';
import type { FolderEntry } from '../search/listing/describe-entry.js';
import { listingReport, type ListingReport } from '../search/listing/format-listing.js';
import { newListingCounts, type ListingCounts, type ListingScope } from '../search/listing/list-folder.js';
import { ListingRules } from '../search/listing/listing-rules.js';
import { lookCloser, NO_DETAILS } from '../search/listing/look-closer.js';
import { readTree } from '../search/listing/read-tree.js';
import { allEntries, showTree } from '../search/listing/show-tree.js';
import { watchedFilter, type IgnorePatterns } from '../search/listing/watched-filter.js';
import { missingPathFailure } from '../search/missing-path.js';
import { ANSWER_BYTES } from '../search/report/search-text.js';
import { systemErrorCode } from '../util/failure.js';
import { withheldNames } from './hidden-names.js';
import type { JudgedPaths } from './judged-paths.js';
import type { LeftOut, LeftOutByRule } from './left-out.js';
import { ToolNames } from './tool-names.js';
import { ToolError, ToolErrorType, type ToolResult } from './tools.js';

/** `name` is the path relative to the listed folder, with `/`, where the listing goes deeper than one level. */
export interface ListedEntry extends FolderEntry {
  /** Bytes, of a regular file; only with `details`. */
  readonly size?: number;
  /** Entries that a listing of the folder would show; only with `details`. */
  readonly entries?: number;
  /** Entries of the folder that are left out; only with `details`, and where there are any. */
  readonly leftOut?: number;
}

/** `data` of a result. */
export interface ListDirectoryData {
  readonly path: string;
  /** What is shown, from the place `offset` on. */
  readonly entries: readonly ListedEntry[];
  readonly leftOut: Readonly<Pick<ListingCounts, 'gitIgnore' | 'qwenIgnore' | 'ignore' | 'closed'>>;
  /** What rules keep from being read, by rule; absent when there was nothing. */
  readonly leftOutByRules?: readonly LeftOutByRule[];
  /** All entries within the depth, shown or not; lower bounds unless exact. `files` is everything that is no folder. */
  readonly totals: {
    readonly folders: number;
    readonly files: number;
    readonly isExact: boolean;
    /** Of `files`, links of which it is not known what they lead to, for there are too many; absent where all are known. */
    readonly unfollowedLinks?: number;
  };
  readonly offset: number;
  /** There is more after what is shown. */
  readonly truncated: boolean;
}

/** Where it is looked, and what holds there. */
interface ListingPlaces {
  readonly config: ToolRuntime;
  readonly judged: JudgedPaths;
  readonly leftOut: LeftOut;
}

interface ListingAsked {
  readonly path: string;
  readonly ignore: IgnorePatterns;
  readonly respectGitIgnore: boolean;
  readonly depth: number;
  readonly limit: number;
  readonly maxLimit: number;
  /** 0 where the listing goes deeper than one level. */
  readonly offset: number;
  readonly details: boolean;
}

/** One listing, to its answer. */
export class ListingRun {
  readonly #places: ListingPlaces;
  readonly #asked: ListingAsked;

  constructor(places: ListingPlaces, asked: ListingAsked) {
    this.#places = places;
    this.#asked = asked;
  }

  /** @throws Failure */
  async answer(signal: AbortSignal): Promise<ToolResult> {
    const gate = this.#places.config.getWorkspaceGate();
    const { path } = this.#asked;
    const { kind } = gate.resolve(path);
    if (kind === 'missing')
      throw await missingPathFailure(gate, path, {
        isWithheld: withheldNames(this.#places.config, ToolNames.LS),
        wanted: 'Folder',
      });
    if (kind === 'file') {
      throw new ToolError(
        ToolErrorType.PATH_IS_NOT_A_DIRECTORY,
        `Path is a file, not a folder: ${path}. Use ${ToolNames.READ_FILE} to read it.`,
      );
    }
    const expected = this.#places.judged.expectation(path);
    return gate.withFolder(path, async (folder) => this.#list(folder, signal), expected);
  }

  async #list({ resolved, workingDirectory }: FolderHandle, signal: AbortSignal): Promise<ToolResult> {
    const { path } = resolved;
    const gate = this.#places.config.getWorkspaceGate();
    const { depth, limit, maxLimit, offset, details: wantsDetails, ignore, respectGitIgnore } = this.#asked;
    const filter = watchedFilter(ignore);
    const scope: ListingScope = {
      folder: { path, workingDirectory },
      rules: new ListingRules({
        path,
        roots: gate.roots,
        respectGitIgnore,
        gitUser: this.#places.config.getGitUser(),
      }),
      isUnwanted: filter.isUnwanted,
      allowed: this.#places.leftOut.filterAt({ path, requested: this.#asked.path }),
      refusalOf: (place) => gate.check(place)?.code,
      signal,
      counts: newListingCounts(),
    };
    const tree = await readTree(scope, { depth, limit, offset }).catch((thrown: unknown) => {
      // What the system says becomes words; everything else is known already.
      throw systemErrorCode(thrown) === undefined ? thrown : systemFailure(thrown, `Cannot list ${path}`);
    });
    const details = wantsDetails ? await lookCloser(showTree(tree.root, limit, offset), scope) : NO_DETAILS;
    const { followedLinks: _followed, unfollowedLinks, hasGitFiles, hasGitExcludes, ...leftOut } = scope.counts;
    const note = this.#places.leftOut.line();
    const leftOutByRules = this.#places.leftOut.counts();
    const shown = { path, tree, depth, limit, maxLimit, offset, details, maxBytes: ANSWER_BYTES };
    const told = { ...leftOut, hasGitFiles, hasGitExcludes };
    const report = listingReport({ ...shown, leftOut: told, unfollowedLinks, hint: filter.hint(), note });
    const data: ListDirectoryData = {
      path,
      entries: entriesOf(report, depth, details),
      leftOut,
      ...(leftOutByRules.length > 0 && { leftOutByRules }),
      totals: {
        folders: tree.folders,
        files: tree.files,
        isExact: tree.isExact,
        ...(unfollowedLinks > 0 && { unfollowedLinks }),
      },
      offset,
      truncated: report.isTruncated,
    };
    return { llmContent: report.text, returnDisplay: report.summary, data };
  }
}

function entriesOf({ shown }: ListingReport, depth: number, details: typeof NO_DETAILS): ListedEntry[] {
  return Array.from(allEntries(shown), ({ entry, path }): ListedEntry => {
    const size = details.sizes.get(path);
    const { entries, leftOut = 0 } = details.amounts.get(path) ?? {};
    const place = depth > 1 ? { ...entry, name: path } : entry;
    return {
      ...place,
      ...(size !== undefined && { size }),
      ...(entries !== undefined && { entries }),
      ...(leftOut > 0 && { leftOut }),
    };
  });
}
