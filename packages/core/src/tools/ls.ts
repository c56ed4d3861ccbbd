import type { Effect } from '../effects/effect.js';
import { systemFailure } from '../files/system-failure.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { createGlobMatcher } from '../search/globs/glob-match.js';
import type { FolderEntry } from '../search/listing/describe-entry.js';
import { listingReport, type ListingReport } from '../search/listing/format-listing.js';
import { newListingCounts, type ListingScope } from '../search/listing/list-folder.js';
import { ListingRules } from '../search/listing/listing-rules.js';
import { lookCloser, NO_DETAILS } from '../search/listing/look-closer.js';
import { readTree } from '../search/listing/read-tree.js';
import { allEntries, showTree } from '../search/listing/show-tree.js';
import { missingPathFailure } from '../search/missing-path.js';
import { inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { withheldNames } from './hidden-names.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut, type LeftOutByRule } from './left-out.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 2_000;
const MAX_DEPTH = 10;
/** UTF-8, of all lines of entries together. */
const MAX_BYTES = 24_000;

export interface ListDirectoryToolParams {
  path: string;
  ignore?: string[];
  respect_git_ignore?: boolean;
  depth?: number;
  limit?: number;
  details?: boolean;
}

/** `name` is the path relative to the listed folder, with `/`, where the listing goes deeper than one level. */
export interface ListedEntry extends FolderEntry {
  /** Bytes, of a regular file; only with `details`. */
  readonly size?: number;
  /** Entries that a listing of the folder would show; only with `details`. */
  readonly entries?: number;
}

/** `data` of a result. */
export interface ListDirectoryData {
  readonly path: string;
  /** What is shown. */
  readonly entries: readonly ListedEntry[];
  readonly leftOut: { readonly gitIgnore: number; readonly qwenIgnore: number; readonly ignore: number };
  /** What rules keep from being read, by rule; absent when there was nothing. */
  readonly leftOutByRules?: readonly LeftOutByRule[];
  /** All entries within the depth, shown or not; lower bounds unless exact. `files` is everything that is no folder. */
  readonly totals: { readonly folders: number; readonly files: number; readonly isExact: boolean };
  readonly truncated: boolean;
}

class ListDirectoryInvocation extends RunInvocation<ListDirectoryToolParams> {
  readonly #config: ToolRuntime;
  readonly #judged: JudgedPaths;
  readonly #leftOut: LeftOut;

  constructor(config: ToolRuntime, params: ListDirectoryToolParams) {
    super(params);
    this.#config = config;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
    this.#leftOut = new LeftOut(config, ToolNames.LS);
  }

  getDescription(): string {
    const { path } = this.params;
    const root = this.#config.getWorkspaceGate().roots[0] ?? '';
    return inFolderPhrase(path, root).replace(/^ in /, '') || onOneLine(path);
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.params.path }];
  }

  effects(): Effect[] {
    const { path, depth = 1 } = this.params;
    const leavesOut = this.#leftOut.isKnown;
    return this.#judged.state([{ kind: 'read', path, leavesOut, ...(depth > 1 && { tree: 'always' }) }]);
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const gate = this.#config.getWorkspaceGate();
    const { path } = this.params;
    const { kind } = gate.resolve(path);
    if (kind === 'missing') throw await missingPathFailure(gate, path, withheldNames(this.#config, ToolNames.LS));
    if (kind === 'file') {
      throw new ToolError(
        ToolErrorType.PATH_IS_NOT_A_DIRECTORY,
        `Path is a file, not a folder: ${path}. Use ${ToolNames.READ_FILE} to read it.`,
      );
    }
    const expected = this.#judged.expectation(path);
    return gate.withFolder(path, async (folder) => this.#list(folder, signal), expected);
  }

  async #list({ resolved, workingDirectory }: FolderHandle, signal: AbortSignal): Promise<ToolResult> {
    const { path } = resolved;
    const gate = this.#config.getWorkspaceGate();
    const { depth = 1, limit = DEFAULT_LIMIT, details: wantsDetails = false } = this.params;
    const scope: ListingScope = {
      folder: { path, workingDirectory },
      rules: new ListingRules({
        path,
        roots: gate.roots,
        respectGitIgnore: this.params.respect_git_ignore !== false,
        userExcludes: this.#config.getSearchIndex().userExcludes,
      }),
      isUnwanted: nameFilter(this.params.ignore ?? []),
      allowed: this.#leftOut.filterAt({ path, requested: this.params.path }),
      refusalOf: (place) => gate.check(place)?.code,
      signal,
      counts: newListingCounts(),
    };
    const tree = await readTree(scope, { depth, limit }).catch((thrown: unknown) => {
      // What the system says becomes words; everything else is known already.
      throw systemErrorCode(thrown) === undefined ? thrown : systemFailure(thrown, `Cannot list ${path}`);
    });
    const details = wantsDetails ? await lookCloser(showTree(tree.root, limit), scope) : NO_DETAILS;
    const { gitIgnore, qwenIgnore, ignore } = scope.counts;
    const leftOut = { gitIgnore, qwenIgnore, ignore };
    const note = this.#leftOut.line();
    const leftOutByRules = this.#leftOut.counts();
    const report = listingReport({ path, tree, depth, limit, details, leftOut, note, maxBytes: MAX_BYTES });
    const data: ListDirectoryData = {
      path,
      entries: entriesOf(report, depth, details),
      leftOut,
      ...(leftOutByRules.length > 0 && { leftOutByRules }),
      totals: { folders: tree.folders, files: tree.files, isExact: tree.isExact },
      truncated: report.isTruncated,
    };
    return { llmContent: report.text, returnDisplay: report.summary, data };
  }
}

function entriesOf({ shown }: ListingReport, depth: number, details: typeof NO_DETAILS): ListedEntry[] {
  return Array.from(allEntries(shown), ({ entry, path }): ListedEntry => {
    const [size, entries] = [details.sizes.get(path), details.amounts.get(path)];
    const place = depth > 1 ? { ...entry, name: path } : entry;
    return { ...place, ...(size !== undefined && { size }), ...(entries !== undefined && { entries }) };
  });
}

/** Glob patterns for names, or with a `/` for paths below the listed folder; the last that matches decides, `!pattern` keeps. */
function nameFilter(patterns: readonly string[]): (relativePath: string) => boolean {
  const rules = patterns
    .filter((pattern) => pattern.trim() !== '')
    .map((pattern) => {
      const keeps = pattern.startsWith('!');
      const glob = (keeps ? pattern.slice(1) : pattern).replace(/^\/+|\/+$/g, '');
      return { keeps, matches: glob === '' ? () => false : createGlobMatcher(glob, { anyDepth: true }) };
    });
  if (rules.length === 0) return () => false;
  return (path) => rules.findLast((rule) => rule.matches(path))?.keeps === false;
}

/** Lists a folder (S113–S117). */
export class LSTool extends BaseDeclarativeTool<ListDirectoryToolParams, ToolResult> {
  static readonly Name = ToolNames.LS;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      LSTool.Name,
      ToolDisplayNames.LS,
      'Lists the files and folders in one folder, folders first, marked [DIR]. Entries ignored by .gitignore or .qwenignore are left out and counted.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path of the folder.' },
          ignore: {
            type: 'array',
            items: { type: 'string' },
            description: 'Glob patterns of names to leave out, e.g. ["*.log", "node_modules"].',
          },
          respect_git_ignore: {
            type: 'boolean',
            description: 'false also lists what .gitignore hides. Default: true.',
          },
          depth: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_DEPTH,
            description: 'Levels to list, as an indented tree. Default: 1.',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_LIMIT,
            description: `Most entries to show; the rest is counted. Default: ${DEFAULT_LIMIT}.`,
          },
          details: { type: 'boolean', description: 'true adds sizes of files and entry counts of folders.' },
        },
        required: ['path'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: ListDirectoryToolParams): string | Refusal | null {
    const refusal = this.#config.getWorkspaceGate().check(params.path);
    if (refusal !== null) return refusal;
    try {
      nameFilter(params.ignore ?? []);
      return null;
    } catch (thrown) {
      return `ignore holds a pattern that is not valid: ${errorMessage(thrown)}`;
    }
  }

  protected createInvocation(params: ListDirectoryToolParams): ToolInvocation<ListDirectoryToolParams, ToolResult> {
    return new ListDirectoryInvocation(this.#config, params);
  }
}
