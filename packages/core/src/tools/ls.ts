import type { Effect } from '../effects/effect.js';
import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { createGlobMatcher, isExclusion, type GlobMatcher } from '../search/globs/glob-match.js';
import { placedIn } from '../search/globs/glob-plan.js';
import { inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import { errorMessage } from '../util/failure.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut } from './left-out.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 2_000;
const MAX_DEPTH = 10;
export type { ListDirectoryData } from './ls-run.js';

export interface ListDirectoryToolParams {
  path: string;
  ignore?: string[];
  respect_git_ignore?: boolean;
  depth?: number;
  limit?: number;
  offset?: number;
  details?: boolean;
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
    const { ListingRun } = await import('./ls-run.js');
    const {
      path,
      ignore = [],
      respect_git_ignore,
      depth = 1,
      limit = DEFAULT_LIMIT,
      offset = 0,
      details = false,
    } = this.params;
    const asked = {
      path,
      ignore: {
        patterns: ignore,
        folder: path,
        filterOf: (patterns: readonly string[]): NameFilter | undefined => nameFilter(patterns, path),
      },
      respectGitIgnore: respect_git_ignore !== false,
      depth,
      limit,
      maxLimit: MAX_LIMIT,
      offset,
      details,
    };
    return new ListingRun({ config: this.#config, judged: this.#judged, leftOut: this.#leftOut }, asked).answer(signal);
  }
}

type NameFilter = (relativePath: string) => boolean;

/**
 * Glob patterns for names, or with a `/` for paths below the listed folder, where a leading `/` also stands for that folder; the last that matches
 * decides, `!pattern` keeps. Undefined without any.
 */
function nameFilter(patterns: readonly string[], folder: string): NameFilter | undefined {
  const rules = patterns
    .filter((pattern) => pattern.trim() !== '')
    .map((pattern) => {
      const keeps = isExclusion(pattern);
      const placed = placedIn(folder, keeps ? pattern.slice(1) : pattern);
      const glob = placed.replace(/^\/+|\/+$/g, '');
      // `./` so that what begins with `!` now is no exclusion.
      const matcher = (): GlobMatcher =>
        placed.startsWith('/') ? createGlobMatcher(`./${glob}`) : createGlobMatcher(glob, { anyDepth: true });
      return { keeps, matches: glob === '' ? () => false : matcher() };
    });
  if (rules.length === 0) return undefined;
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
          path: { type: 'string', description: 'Absolute path.' },
          ignore: {
            type: 'array',
            items: { type: 'string' },
            description: 'Glob patterns of names to leave out, e.g. ["*.log"].',
          },
          respect_git_ignore: {
            type: 'boolean',
            description: 'false also lists what .gitignore hides.',
          },
          depth: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_DEPTH,
            description: 'Levels, as an indented tree. Default: 1.',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_LIMIT,
            description: `Default: ${DEFAULT_LIMIT}.`,
          },
          offset: { type: 'integer', minimum: 0, description: 'Entries to skip, with depth 1.' },
          details: { type: 'boolean', description: 'Adds sizes of files and entry counts of folders.' },
        },
        required: ['path'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override get example(): ListDirectoryToolParams {
    return { path: this.#config.getTargetDir() };
  }

  protected override validateToolParamValues(params: ListDirectoryToolParams): string | Refusal | null {
    const refusal = this.#config.getWorkspaceGate().check(params.path);
    if (refusal !== null) return refusal;
    if ((params.offset ?? 0) > 0 && (params.depth ?? 1) > 1)
      return 'offset is for the entries of one folder: give it without depth, and as path the folder that they are in.';
    try {
      nameFilter(params.ignore ?? [], params.path);
      return null;
    } catch (thrown) {
      return `ignore holds a pattern that is not valid: ${errorMessage(thrown)}`;
    }
  }

  protected createInvocation(params: ListDirectoryToolParams): ToolInvocation<ListDirectoryToolParams, ToolResult> {
    return new ListDirectoryInvocation(this.#config, params);
  }
}
