import type { Effect } from '../effects/effect.js';
import { asksForFolder } from '../files/path-text.js';
import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { composeAnswer, contextFor } from '../search/report/compose-answer.js';
import type { Findings } from '../search/report/choose-rendering.js';
import { couldNotSearch, summaryOf } from '../search/report/render-answer.js';
import { inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import { countMatches, readLines, type GrepScope } from './grep-flow.js';
import { GrepMemory, hasChanged, type Counted } from './grep-memory.js';
import {
  GREP_ALIASES,
  GREP_SCHEMA,
  needsMultiline,
  placesOf,
  problemOf,
  toRequest,
  type GrepToolParams,
} from './grep-params.js';
import { dataOf, pageFor, sizeOf, type GrepPage } from './grep-page.js';
import { GrepProgress } from './grep-progress.js';
import { JudgedPaths } from './judged-paths.js';
import type { EngineChoice } from './ripGrep.js';
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
  type UpdateOutput,
} from './tools.js';

export type { GrepData } from './grep-page.js';
export type { GrepToolParams } from './grep-params.js';

const TIME_LIMIT_MS = 30_000;
/** Lines are read for at least as long, even when counting took all the time. */
const LEAST_LINES_MS = 3_000;
const SEARCHED_AGAIN =
  '[Files changed since the page before, so everything was searched again: matches may have moved between pages.]';

const ONE_BY_ONE = '[Lines were searched one by one: multiline=true finds matches that span lines.]';
const ONE_FILE = '[path is a file: glob and type were not applied.]';

export interface GrepOptions {
  readonly engine?: EngineChoice;
  readonly timeLimitMs?: number;
}

class GrepInvocation extends RunInvocation<GrepToolParams> {
  readonly #scope: GrepScope;
  readonly #timeLimitMs: number;
  readonly #memory: GrepMemory;

  constructor(
    config: ToolRuntime,
    params: GrepToolParams,
    { options, memory }: { options: GrepOptions; memory: GrepMemory },
  ) {
    super(params);
    const gate = config.getWorkspaceGate();
    const request = toRequest(params, gate.roots);
    this.#scope = {
      config,
      request,
      judged: new JudgedPaths(gate),
      engine: options.engine ?? 'auto',
    };
    this.#timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
    this.#memory = memory;
  }

  getDescription(): string {
    const { pattern, path, type } = this.params;
    const { config, request } = this.#scope;
    const root = config.getWorkspaceGate().roots[0] ?? '';
    const place = inFolderPhrase(path === undefined ? undefined : request.places[0], root);
    const glob = onOneLine(request.filter.globs.join(', '));
    const filter = glob === '' ? '' : place === '' ? ` in ${glob}` : `/${glob}`;
    return `'${onOneLine(pattern)}'${place}${filter}${type === undefined ? '' : ` (${onOneLine(type)})`}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#scope.request.places.map((path) => ({ path }));
  }

  effects(): Effect[] {
    const { judged, request } = this.#scope;
    return judged.state(request.places.map((path) => ({ kind: 'read', path, tree: 'if-folder' })));
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const started = performance.now();
    const { config, request } = this.#scope;
    const notes = needsMultiline(request.pattern) ? [ONE_BY_ONE] : [];
    let page = this.#remembered(notes);
    if (page === undefined) page = pageFor(await this.#count(signal, updateOutput), this.#scope);
    const { outcome } = page.counted;
    const context = request.context ?? contextFor(outcome.total);
    const timeLimitMs = Math.ceil(Math.max(LEAST_LINES_MS, this.#timeLimitMs - (performance.now() - started)));
    const isContent = request.mode === 'content';
    const lines =
      isContent && page.parts.length > 0
        ? await readLines(this.#scope, { counted: page.counted, page: page.parts, context }, { signal, timeLimitMs })
        : undefined;
    const places = request.places.map((place) => config.getWorkspaceGate().resolve(place));
    const isFile = places[0]?.kind === 'file';
    const filter = isFile ? { globs: [], type: undefined } : request.filter;
    if (isFile && (request.filter.globs.length > 0 || request.filter.type !== undefined)) notes.push(ONE_FILE);
    const findings: Findings = {
      files: outcome.files,
      places: places.map(({ path }) => path),
      offset: request.offset,
      limit: request.limit,
      page: page.parts.map(({ index }) => index),
      lines,
      context,
      multiline: request.pattern.multiline,
      mode: request.mode,
    };
    const answer = {
      pattern: request.pattern.pattern,
      places: request.places,
      globs: filter.globs,
      type: filter.type,
      outcome,
      timeLimitMs: this.#timeLimitMs,
      unit: isContent ? ('match' as const) : ('file' as const),
      offset: request.offset,
      pageSize: sizeOf(page, request.mode),
      limit: request.limit,
      notes,
    };
    const { text, rendering } = composeAnswer(answer, page.parts.length === 0 ? undefined : findings);
    if (couldNotSearch(outcome) && outcome.notSearched.failed > 0)
      throw new ToolError(ToolErrorType.GREP_EXECUTION_ERROR, text);
    const data = dataOf(request, page, rendering);
    return { llmContent: text, returnDisplay: summaryOf(outcome), data };
  }

  async #count(signal: AbortSignal, updateOutput: UpdateOutput | undefined): Promise<Counted> {
    const { config, request } = this.#scope;
    const root = config.getWorkspaceGate().roots[0] ?? '';
    const progress = updateOutput === undefined ? undefined : new GrepProgress(updateOutput, root);
    const limits = { signal, timeLimitMs: this.#timeLimitMs };
    const counted = await countMatches(this.#scope, limits, (path, matches) => progress?.found(path, matches));
    if (counted.outcome.total === 0 && counted.outcome.stopped === 'time-limit')
      throw new ToolError(
        ToolErrorType.TIMED_OUT,
        `The search was stopped at its time limit of ${this.#timeLimitMs / 1000} s without a match so far; not everything was searched. Narrow path or glob, or simplify the pattern.`,
      );
    this.#memory.keep(request.key, counted);
    return counted;
  }

  /** The page of what an earlier call counted, if its files are still what they were. */
  #remembered(notes: string[]): GrepPage | undefined {
    const { key, offset } = this.#scope.request;
    const counted = offset === 0 ? undefined : this.#memory.recall(key);
    if (counted === undefined) return undefined;
    const page = pageFor(counted, this.#scope);
    const isStill = page.parts.every(({ index }) => {
      const file = page.counted.outcome.files[index];
      return file !== undefined && !hasChanged(file);
    });
    if (!isStill) notes.push(SEARCHED_AGAIN);
    return isStill ? page : undefined;
  }
}

/** Searches the contents of files (S105–S112). */
export class GrepTool extends BaseDeclarativeTool<GrepToolParams, ToolResult> {
  static readonly Name = ToolNames.GREP;
  readonly #config: ToolRuntime;
  readonly #options: GrepOptions;
  readonly #memory = new GrepMemory();
  override readonly parameterAliases = GREP_ALIASES;

  constructor(config: ToolRuntime, options: GrepOptions = {}) {
    super(
      GrepTool.Name,
      ToolDisplayNames.GREP,
      'Searches file contents for a regular expression, case-insensitively. Returns matching lines with line numbers under absolute file paths, most recently modified file first, with exact totals. Hidden files are searched; binary files and what .gitignore or .qwenignore hide are not.',
      Kind.Read,
      GREP_SCHEMA,
      false,
      true,
    );
    this.#config = config;
    this.#options = options;
  }

  protected override validateToolParamValues(params: GrepToolParams): string | Refusal | null {
    const problem = problemOf(params);
    if (problem !== null) return problem;
    const gate = this.#config.getWorkspaceGate();
    for (const place of placesOf(params, gate.roots)) {
      const refusal = gate.check(asksForFolder(params.path ?? '') ? `${place}/` : place);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  protected createInvocation(params: GrepToolParams): ToolInvocation<GrepToolParams, ToolResult> {
    return new GrepInvocation(this.#config, params, {
      options: this.#options,
      memory: this.#memory,
    });
  }
}
