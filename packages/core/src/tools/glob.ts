import { resolve } from 'node:path';
import type { Effect } from '../effects/effect.js';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { Refusal } from '../files/workspace-types.js';
import { findFiles, findHints, leadsThroughNoLink, outermostRoots, type FindHints } from '../search/find-files.js';
import { planGlobs, withSlashes, type GlobPlan, type PlannedFolder } from '../search/globs/glob-plan.js';
import { GlobSet } from '../search/globs/glob-set.js';
import { missingPathFailure } from '../search/missing-path.js';
import { NewestFiles } from '../search/newest-files.js';
import { globText } from '../search/report/glob-report.js';
import { count, inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import { namablePart } from '../files/escaped-bytes.js';
import { newWalkCounts, type WalkCounts } from '../search/tree/walked-folder.js';
import type { ToolRuntime } from '../runtime.js';
import { errorMessage } from '../util/failure.js';
import { namedFolders, NONE_NAMED } from './glob-hints.js';
import { withheldNames } from './hidden-names.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut, type LeftOutByRule } from './left-out.js';
import { namedByAnchored } from './named-by-globs.js';
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
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_PATTERN_LENGTH = 4096;
const MAX_PATTERNS = 50;
/** When nothing matched: how long it is looked for what would have. */
const HINT_MS = 1000;

export interface GlobToolParams {
  pattern: string | string[];
  path?: string;
  limit?: number;
  offset?: number;
}

/** `data` of a result. */
export interface GlobData {
  readonly pattern: string | readonly string[];
  readonly folders: readonly string[];
  /** All matches; `files` holds at most `limit` of them, newest first, from the place `offset` on. */
  readonly total: number;
  readonly files: readonly string[];
  readonly offset: number;
  readonly limit: number;
  readonly ignored: { readonly git: number; readonly qwen: number };
  /** What rules kept from being looked at, by rule; absent when nothing was. */
  readonly leftOutByRules?: readonly LeftOutByRule[];
}

function patternsOf({ pattern }: GlobToolParams): readonly string[] {
  return typeof pattern === 'string' ? [pattern] : pattern;
}

function planOf(params: GlobToolParams, roots: readonly string[]): GlobPlan {
  const bases = params.path === undefined ? outermostRoots(roots) : [resolve(roots[0] ?? '', params.path)];
  return planGlobs(patternsOf(params), bases);
}

class GlobInvocation extends RunInvocation<GlobToolParams> {
  readonly #config: ToolRuntime;
  readonly #plan: GlobPlan;
  readonly #judged: JudgedPaths;
  readonly #leftOut: LeftOut;

  constructor(config: ToolRuntime, params: GlobToolParams) {
    super(params);
    this.#config = config;
    this.#leftOut = new LeftOut(config, ToolNames.GLOB);
    this.#plan = planOf(params, config.getWorkspaceGate().roots);
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  getDescription(): string {
    const root = this.#config.getWorkspaceGate().roots[0] ?? '';
    const patterns = patternsOf(this.params).map((pattern) => `'${onOneLine(pattern)}'`);
    const folder = this.params.path === undefined ? undefined : this.#plan.folders[0]?.path;
    return `${patterns.join(', ')}${inFolderPhrase(folder, root)}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#plan.folders.map(({ path }) => ({ path }));
  }

  effects(): Effect[] {
    const leavesOut = this.#leftOut.isKnown;
    const places = this.#plan.folders.map(({ path }) => path);
    const names = namedByAnchored(this.#plan.globs);
    const asked = this.#leftOut.askedFor(places.map((place) => ({ place, names })));
    return this.#judged.state([
      ...places.map((path) => ({ kind: 'read', path, tree: 'always', leavesOut }) as const),
      ...asked.map((path) => ({ kind: 'read', path }) as const),
    ]);
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { limit = DEFAULT_LIMIT, offset = 0, pattern } = this.params;
    const counts = newWalkCounts();
    const newest = new NewestFiles(offset + limit);
    let unseen = 0;
    for (const folder of this.#plan.folders) unseen += await this.#find(folder, { counts, newest, signal });
    const page = newest.sorted().slice(offset);
    // The gate has the last word on what is reached through a link; all else is where the walk was, by the same rules.
    const isFine = (path: string): boolean => leadsThroughNoLink(path) || this.#gateAllows(path);
    const files = page.map(({ path }) => path).filter((path) => isFine(namablePart(path)));
    const total = newest.total - (page.length - files.length);
    const hints = { looseMatches: 0, ignoredMatches: 0, isCutShort: false };
    if (total + unseen === 0) for (const folder of this.#plan.folders) await this.#findHints(folder, hints, signal);
    const folders = this.#plan.folders.map(({ path }) => path);
    const ignored = { git: counts.gitIgnored, qwen: counts.qwenIgnored };
    const counted = this.#leftOut.counts();
    const leftOutByRules = counted.length > 0 && { leftOutByRules: counted };
    const data: GlobData = { pattern, folders, total, files, offset, limit, ignored, ...leftOutByRules };
    const patterns = patternsOf(this.params);
    const named = total === 0 ? namedFolders(patterns, this.#plan.folders, this.#config) : NONE_NAMED;
    const text = globText({ ...data, patterns, counts, unseen, hints, ...named });
    const note = this.#leftOut.line();
    const llmContent = note === '' ? text : `${text}\n${note}`;
    return { llmContent, returnDisplay: summaryOf(data), data };
  }

  async #find(
    folder: PlannedFolder,
    search: { readonly counts: WalkCounts; readonly newest: NewestFiles; readonly signal: AbortSignal },
  ): Promise<number> {
    const { counts, newest, signal } = search;
    let unseen = 0;
    await this.#inFolder(folder, async (held) => {
      const globs = new GlobSet(withSlashes(folder.path), this.#plan.globs);
      const allowsLink = (path: string): boolean => this.#gateAllows(path);
      unseen = await findFiles({ ...this.#place(held, folder), globs, allowsLink, counts, signal }, newest);
    });
    return unseen;
  }

  async #findHints(folder: PlannedFolder, hints: FindHints, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + HINT_MS;
    await this.#inFolder(folder, async (held) => {
      const globs = new GlobSet(withSlashes(folder.path), this.#plan.globs);
      const loose = { anyDepth: true, ignoreCase: true };
      const looseGlobs = new GlobSet(withSlashes(folder.path), this.#plan.globs, loose);
      await findHints({ ...this.#place(held, folder), globs, looseGlobs, deadline, signal }, hints);
    });
  }

  #place({ resolved, workingDirectory }: FolderHandle, folder: PlannedFolder) {
    return {
      allowed: this.#leftOut.filterAt({ path: resolved.path, requested: folder.path }),
      index: this.#config.getSearchIndex(),
      folder: { path: resolved.path, workingDirectory },
      roots: this.#config.getWorkspaceGate().roots,
    };
  }

  async #inFolder({ path, mayBeMissing }: PlannedFolder, act: (held: FolderHandle) => Promise<void>): Promise<void> {
    const gate = this.#config.getWorkspaceGate();
    const { kind } = gate.resolve(path);
    if (kind === 'missing') {
      if (mayBeMissing) return;
      throw await missingPathFailure(gate, path, withheldNames(this.#config, ToolNames.GLOB));
    }
    if (kind === 'file') {
      const advice = `Give the folder that holds it, or use ${ToolNames.READ_FILE} to read it.`;
      throw new ToolError(ToolErrorType.PATH_IS_NOT_A_DIRECTORY, `Path is a file, not a folder: ${path}. ${advice}`);
    }
    await gate.withFolder(path, act, this.#judged.treeExpectation(path));
  }

  #gateAllows(path: string): boolean {
    return this.#config.getWorkspaceGate().check(path) === null;
  }
}

function summaryOf({ total, offset, files }: GlobData): string {
  if (total === 0) return 'No files found';
  const shown = offset === 0 ? `newest ${files.length} shown` : `${files.length} shown from number ${offset + 1} on`;
  return `Found ${count(total, 'file')}${total > files.length ? ` (${shown})` : ''}`;
}

/** Finds files by name (S98–S104). */
export class GlobTool extends BaseDeclarativeTool<GlobToolParams, ToolResult> {
  static readonly Name = ToolNames.GLOB;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    const pattern = { type: 'string', minLength: 1, maxLength: MAX_PATTERN_LENGTH };
    super(
      GlobTool.Name,
      ToolDisplayNames.GLOB,
      'Finds files by glob pattern. Returns absolute paths, most recently modified first. Hidden files are included; files ignored by .gitignore or .qwenignore are not.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          pattern: {
            anyOf: [pattern, { type: 'array', items: pattern, minItems: 1, maxItems: MAX_PATTERNS }],
            description:
              'Glob relative to path, e.g. "**/*.ts" or "src/**/*.{js,ts}", or a list. * stays within one folder, ** spans folders, ? is one character, [abc] a set, a leading ! excludes. Case-sensitive.',
          },
          path: { type: 'string', description: 'Folder to search. Default: the workspace.' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: `Default: ${DEFAULT_LIMIT}.` },
          offset: { type: 'integer', minimum: 0, description: 'Newer matches to skip.' },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: GlobToolParams): string | Refusal | null {
    if (patternsOf(params).some((pattern) => pattern.trim() === ''))
      return 'pattern must not be empty; "**/*" matches every file.';
    const gate = this.#config.getWorkspaceGate();
    const { folders, globs } = planOf(params, gate.roots);
    for (const { path } of folders) {
      const refusal = gate.check(path);
      if (refusal !== null) return refusal;
    }
    try {
      void new GlobSet(withSlashes(folders[0]?.path ?? ''), globs);
      return null;
    } catch (thrown) {
      return `pattern is not a valid glob: ${errorMessage(thrown)}`;
    }
  }

  protected createInvocation(params: GlobToolParams): ToolInvocation<GlobToolParams, ToolResult> {
    return new GlobInvocation(this.#config, params);
  }
}
