import { basename, dirname, resolve } from 'node:path';
import type { Effect } from '../effects/effect.js';
import { asksForFolder } from '../files/path-text.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { Refusal } from '../files/workspace-types.js';
import { outermostRoots } from '../search/find-files.js';
import {
  firstMatches,
  formatMatches,
  summaryOf,
  type SearchReport,
  type StopReason,
} from '../search/format-matches.js';
import { createFileFilter } from '../search/file-filter.js';
import { MatchCollector, type FoundInFile } from '../search/match-collector.js';
import { searchFile, searchFolder, type SearchRequest } from '../search/search-files.js';
import { missingPathFailure } from '../search/missing-path.js';
import { inFolderPhrase, onOneLine } from '../search/search-text.js';
import { newWalkCounts, type WalkCounts } from '../search/walk.js';
import type { ToolRuntime } from '../runtime.js';
import { errorMessage, Failure } from '../util/failure.js';
import { JudgedPaths } from './judged-paths.js';
import { engineFactories, findRipgreps, type EngineChoice } from './ripGrep.js';
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

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 2_000;
const TIME_LIMIT_MS = 30_000;

export interface GrepToolParams {
  pattern: string;
  path?: string;
  glob?: string;
  limit?: number;
}

export interface GrepOptions {
  readonly engine?: EngineChoice;
  readonly timeLimitMs?: number;
}

/** `data` of a result. */
export interface GrepData {
  readonly pattern: string;
  readonly engine: 'ripgrep' | 'javascript' | undefined;
  /** Matching lines, and files that have some; a lower bound when `stopped` is set. */
  readonly total: number;
  readonly fileCount: number;
  readonly stopped?: StopReason;
  readonly searchedFiles: number;
  /** What is shown. */
  readonly files: readonly FoundInFile[];
}

type Report = SearchReport & { readonly engine: GrepData['engine'] };

class GrepInvocation extends RunInvocation<GrepToolParams> {
  readonly #config: ToolRuntime;
  readonly #options: GrepOptions;
  readonly #places: readonly string[];
  readonly #judged: JudgedPaths;

  constructor(config: ToolRuntime, params: GrepToolParams, options: GrepOptions) {
    super(params);
    this.#config = config;
    this.#options = options;
    this.#places = placesOf(params, config.getWorkspaceGate().roots);
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  getDescription(): string {
    const { pattern, path, glob } = this.params;
    const root = this.#config.getWorkspaceGate().roots[0] ?? '';
    const place = inFolderPhrase(path === undefined ? undefined : this.#places[0], root);
    const filter = glob === undefined ? '' : place === '' ? ` in ${onOneLine(glob)}` : `/${onOneLine(glob)}`;
    return `'${onOneLine(pattern)}'${place}${filter}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#places.map((path) => ({ path }));
  }

  effects(): Effect[] {
    return this.#judged.state(this.#places.map((path) => ({ kind: 'read', path, tree: 'if-folder' })));
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const report = await this.#search(signal);
    if (report.total === 0 && report.stopped === 'time-limit') {
      throw new ToolError(
        ToolErrorType.TIMED_OUT,
        `The search was stopped at its time limit of ${report.timeLimitMs / 1000} s without a match so far; not everything was searched. Narrow path or glob, or simplify the pattern.`,
      );
    }
    const { pattern, engine, total, fileCount, stopped, shown, collector } = report;
    const data: GrepData = {
      pattern,
      engine,
      total,
      fileCount,
      ...(stopped !== undefined && { stopped }),
      searchedFiles: collector.searched,
      files: shown,
    };
    return { llmContent: formatMatches(report), returnDisplay: summaryOf(report), data };
  }

  async #search(signal: AbortSignal): Promise<Report> {
    const { pattern, glob, limit = DEFAULT_LIMIT } = this.params;
    const timeLimitMs = this.#options.timeLimitMs ?? TIME_LIMIT_MS;
    const timeLimit = AbortSignal.timeout(timeLimitMs);
    const full = new AbortController();
    const collector = new MatchCollector(() => full.abort());
    const counts = newWalkCounts();
    const programs = this.#options.engine === 'javascript' ? [] : await findRipgreps(this.#config);
    const engines = engineFactories(pattern, programs, this.#config.getChildEnvironment(), this.#options.engine);
    const ending = AbortSignal.any([signal, timeLimit, full.signal]);
    let engine: GrepData['engine'];
    let stopped: StopReason | undefined;
    try {
      for (const place of this.#places)
        engine = await this.#searchPlace(place, { engines, collector, signal: ending }, counts);
    } catch (thrown) {
      // Both of these end the search, but what was found until then is an answer.
      if (thrown instanceof Failure || signal.aborted || !ending.aborted) throw thrown;
      stopped = 'time-limit';
    }
    if (full.signal.aborted) stopped = 'too-many-matches';
    const told = { pattern, places: this.#places, glob, stopped, timeLimitMs, collector, counts, engine };
    return { ...this.#withoutRefused(collector, limit), ...told };
  }

  async #searchPlace(
    place: string,
    request: Omit<SearchRequest, 'folder'>,
    counts: WalkCounts,
  ): Promise<GrepData['engine']> {
    const gate = this.#config.getWorkspaceGate();
    const { path, kind } = gate.resolve(place);
    if (kind === 'missing') throw await missingPathFailure(gate, place);
    if (kind === 'special')
      throw new ToolError(ToolErrorType.NOT_A_REGULAR_FILE, `Neither a file nor a folder: ${place}`);
    const search = async ({ resolved, workingDirectory }: FolderHandle): Promise<GrepData['engine']> => {
      const folder = { path: resolved.path, workingDirectory };
      if (kind === 'file') return searchFile({ ...request, folder }, basename(path));
      const wants = createFileFilter(this.params.glob, folder.path, gate.roots);
      return searchFolder({ ...request, folder, roots: gate.roots, wants, counts });
    };
    if (kind !== 'file') return gate.withFolder(place, search, this.#judged.treeExpectation(place));
    // The folder that holds a file is held while the file is searched.
    this.#judged.refuseUnless(place, path);
    return gate.withFolder(dirname(path), search, { expected: dirname(path) });
  }

  /** The gate has the last word on every file that is shown: allowed, and really where it was found. */
  #withoutRefused(collector: MatchCollector, limit: number): Pick<SearchReport, 'shown' | 'total' | 'fileCount'> {
    const gate = this.#config.getWorkspaceGate();
    const files = collector.files();
    const refused = firstMatches(files, limit).filter(({ path }) => {
      return gate.check(path) !== null || gate.resolve(path).path !== path;
    });
    const paths = new Set(refused.map(({ path }) => path));
    return {
      shown: firstMatches(files, limit).filter(({ path }) => !paths.has(path)),
      total: collector.total - refused.reduce((sum, { total }) => sum + total, 0),
      fileCount: files.length - refused.length,
    };
  }
}

function placesOf({ path }: GrepToolParams, roots: readonly string[]): string[] {
  return path === undefined ? outermostRoots(roots) : [resolve(roots[0] ?? '', path)];
}

/** Searches the contents of files (S105–S112). */
export class GrepTool extends BaseDeclarativeTool<GrepToolParams, ToolResult> {
  static readonly Name = ToolNames.GREP;
  readonly #config: ToolRuntime;
  readonly #options: GrepOptions;

  constructor(config: ToolRuntime, options: GrepOptions = {}) {
    super(
      GrepTool.Name,
      ToolDisplayNames.GREP,
      'Searches file contents for a regular expression, line by line and case-insensitively (begin with (?-i) for exact case). Returns matching lines with line numbers under absolute file paths, most recently modified file first. Hidden files are searched; binary files and what .gitignore or .qwenignore hide are not.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          pattern: { type: 'string', minLength: 1, description: 'Regular expression, e.g. "function\\\\s+\\\\w+".' },
          path: {
            type: 'string',
            description: 'File or folder, absolute or relative to the workspace. Default: the workspace.',
          },
          glob: {
            type: 'string',
            minLength: 1,
            description: 'Only files matching this, e.g. "*.ts" or "src/**/*.{ts,tsx}".',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_LIMIT,
            description: `Most matching lines to show. Default: ${DEFAULT_LIMIT}.`,
          },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
    );
    this.#config = config;
    this.#options = options;
  }

  protected override validateToolParamValues(params: GrepToolParams): string | Refusal | null {
    if (params.pattern.includes('\0')) return 'pattern must not contain a NUL character.';
    if (/[\r\n]/.test(params.pattern)) return 'pattern must not contain a line break: lines are searched one by one.';
    const gate = this.#config.getWorkspaceGate();
    for (const place of placesOf(params, gate.roots)) {
      const refusal = gate.check(asksForFolder(params.path ?? '') ? `${place}/` : place);
      if (refusal !== null) return refusal;
    }
    try {
      createFileFilter(params.glob, '/', []);
      return null;
    } catch (thrown) {
      return `glob is not a valid pattern: ${errorMessage(thrown)}`;
    }
  }

  protected createInvocation(params: GrepToolParams): ToolInvocation<GrepToolParams, ToolResult> {
    return new GrepInvocation(this.#config, params, this.#options);
  }
}
