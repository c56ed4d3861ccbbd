import { isAbsolute, resolve } from 'node:path';
import type { Effect } from '../effects/effect.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { Refusal } from '../files/workspace-types.js';
import { findFiles, newestFirst, outermostRoots, type FindFilesResult, type FoundFile } from '../search/find-files.js';
import { createGlobMatcher, splitStaticFolder } from '../search/glob-match.js';
import { missingPathFailure } from '../search/missing-path.js';
import { count, inFolderPhrase, leftOutPhrase, onOneLine } from '../search/search-text.js';
import { newWalkCounts, type WalkCounts } from '../search/walk.js';
import type { ToolRuntime } from '../runtime.js';
import { errorMessage } from '../util/failure.js';
import { JudgedPaths } from './judged-paths.js';
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

/** S101. */
const MAX_FILES = 100;
const MAX_PATTERN_LENGTH = 4096;

export interface GlobToolParams {
  pattern: string;
  path?: string;
}

/** `data` of a result. */
export interface GlobData {
  readonly pattern: string;
  readonly folders: readonly string[];
  /** All matches; `files` holds the newest of them. */
  readonly total: number;
  readonly files: readonly string[];
  readonly ignored: { readonly git: number; readonly qwen: number };
}

interface Plan {
  readonly folders: readonly string[];
  readonly pattern: string;
  /** The folder was read off the pattern: when it does not exist there are no matches, and no error. */
  readonly folderMayBeMissing: boolean;
}

/** A pattern that is absolute or climbs starts where its leading folders lead; every other one in `path`, else in all roots. */
function planOf({ pattern, path }: GlobToolParams, roots: readonly string[]): Plan {
  const base = path === undefined ? undefined : resolve(roots[0] ?? '', path);
  if (isAbsolute(pattern) || /^\.\.?\//.test(pattern)) {
    const { folder, rest } = splitStaticFolder(pattern);
    return { folders: [resolve(base ?? roots[0] ?? '', folder)], pattern: rest, folderMayBeMissing: true };
  }
  return { folders: base === undefined ? outermostRoots(roots) : [base], pattern, folderMayBeMissing: false };
}

class GlobInvocation extends RunInvocation<GlobToolParams> {
  readonly #config: ToolRuntime;
  readonly #plan: Plan;
  readonly #judged: JudgedPaths;

  constructor(config: ToolRuntime, params: GlobToolParams) {
    super(params);
    this.#config = config;
    this.#plan = planOf(params, config.getWorkspaceGate().roots);
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  getDescription(): string {
    const { pattern, path } = this.params;
    const root = this.#config.getWorkspaceGate().roots[0] ?? '';
    return `'${onOneLine(pattern)}'${inFolderPhrase(path === undefined ? undefined : this.#plan.folders[0], root)}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#plan.folders.map((path) => ({ path }));
  }

  effects(): Effect[] {
    return this.#judged.state(this.#plan.folders.map((path) => ({ kind: 'read', path, tree: 'always' })));
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const counts = newWalkCounts();
    const matches: FoundFile[] = [];
    let looseMatches = 0;
    for (const folder of this.#plan.folders) {
      const found = await this.#find(folder, counts, signal);
      for (const file of found.files) matches.push(file);
      looseMatches += found.looseMatches;
    }
    const newest = matches.sort(newestFirst).slice(0, MAX_FILES);
    // The gate has the last word on every path that is shown.
    const files = newest.map(({ path }) => path).filter((path) => this.#gateAllows(path));
    const data: GlobData = {
      pattern: this.params.pattern,
      folders: this.#plan.folders,
      total: matches.length - (newest.length - files.length),
      files,
      ignored: { git: counts.gitIgnored, qwen: counts.qwenIgnored },
    };
    return { llmContent: this.#text(data, counts, looseMatches), returnDisplay: summaryOf(data), data };
  }

  async #find(folder: string, counts: WalkCounts, signal: AbortSignal): Promise<FindFilesResult> {
    const gate = this.#config.getWorkspaceGate();
    const { kind } = gate.resolve(folder);
    if (kind === 'missing') {
      if (this.#plan.folderMayBeMissing) return { files: [], looseMatches: 0 };
      throw await missingPathFailure(gate, folder);
    }
    if (kind === 'file') {
      const advice = `Give the folder that holds it, or use ${ToolNames.READ_FILE} to read it.`;
      throw new ToolError(ToolErrorType.PATH_IS_NOT_A_DIRECTORY, `Path is a file, not a folder: ${folder}. ${advice}`);
    }
    const find = async ({ resolved, workingDirectory }: FolderHandle): Promise<FindFilesResult> =>
      findFiles({
        pattern: this.#plan.pattern,
        folder: { path: resolved.path, workingDirectory },
        roots: gate.roots,
        allowsLink: (path) => this.#gateAllows(path),
        counts,
        signal,
      });
    return gate.withFolder(folder, find, this.#judged.treeExpectation(folder));
  }

  #gateAllows(path: string): boolean {
    return this.#config.getWorkspaceGate().check(path) === null;
  }

  #text(data: GlobData, counts: WalkCounts, looseMatches: number): string {
    const where = data.folders.map(onOneLine).join(', ');
    const leftOut = leftOutPhrase({ ...counts, links: 0 });
    const note = leftOut === '' ? '' : `\n(Not looked into: ${leftOut}.)`;
    const pattern = `"${onOneLine(data.pattern)}"`;
    if (data.total === 0) {
      const hint =
        looseMatches === 0
          ? ''
          : ` ${count(looseMatches, 'file')} would match at any depth and in any case: patterns are case-sensitive, and only ** goes into sub-folders.`;
      return `No files found matching ${pattern} in ${where} (${count(counts.files, 'file')} looked at).${hint}${note}`;
    }
    const hidden = data.total - data.files.length;
    const more =
      hidden === 0
        ? ''
        : `\n[${count(hidden, 'older match', 'older matches')} not shown. Use a narrower pattern or path to see them.]`;
    const header = `Found ${count(data.total, 'file')} matching ${pattern} in ${where}, most recently modified first:`;
    return `${header}\n${data.files.map(onOneLine).join('\n')}${more}${note}`;
  }
}

function summaryOf({ total, files }: GlobData): string {
  if (total === 0) return 'No files found';
  return `Found ${count(total, 'file')}${total > files.length ? ` (newest ${files.length} shown)` : ''}`;
}

/** Finds files by name (S98–S104). */
export class GlobTool extends BaseDeclarativeTool<GlobToolParams, ToolResult> {
  static readonly Name = ToolNames.GLOB;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      GlobTool.Name,
      ToolDisplayNames.GLOB,
      `Finds files by glob pattern. Returns absolute paths, most recently modified first, at most ${MAX_FILES}. Hidden files are included; files ignored by .gitignore or .qwenignore are not.`,
      Kind.Read,
      {
        type: 'object',
        properties: {
          pattern: {
            type: 'string',
            minLength: 1,
            maxLength: MAX_PATTERN_LENGTH,
            description:
              'Glob relative to path, e.g. "**/*.ts" or "src/**/*.{js,ts}". * stays within one folder, ** spans folders, ? is one character, [abc] a set, a leading ! means everything but.',
          },
          path: { type: 'string', description: 'Folder to search. Default: the workspace.' },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: GlobToolParams): string | Refusal | null {
    if (params.pattern.trim() === '') return 'pattern must not be empty; "**/*" matches every file.';
    const gate = this.#config.getWorkspaceGate();
    const { folders, pattern } = planOf(params, gate.roots);
    for (const folder of folders) {
      const refusal = gate.check(folder);
      if (refusal !== null) return refusal;
    }
    try {
      createGlobMatcher(pattern);
      return null;
    } catch (thrown) {
      return `pattern is not a valid glob: ${errorMessage(thrown)}`;
    }
  }

  protected createInvocation(params: GlobToolParams): ToolInvocation<GlobToolParams, ToolResult> {
    return new GlobInvocation(this.#config, params);
  }
}
