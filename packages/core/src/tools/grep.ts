import type { Effect } from '../effects/effect.js';
import { asksForFolder } from '../files/path-text.js';
import type { Refusal } from '../files/workspace-types.js';
import type { ToolRuntime } from '../runtime.js';
import { contextFor } from '../search/report/compose-answer.js';
import { couldNotSearch, summaryOf } from '../search/report/render-answer.js';
import type { Context, PagedFile } from '../search/report/render-matches.js';
import { inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import { answerFor } from './grep-answer.js';
import { countMatches, readLines, type GrepScope, type StepLimits } from './grep-flow.js';
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
import { dataOf, pageFor, type GrepPage } from './grep-page.js';
import { GrepProgress } from './grep-progress.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut } from './left-out.js';
import { namedByGlobs } from './named-by-globs.js';
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
      leftOut: new LeftOut(config, ToolNames.GREP),
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
    const { judged, request, leftOut } = this.#scope;
    const { places, filter } = request;
    const names = namedByGlobs(filter.globs);
    const asked = leftOut.askedFor(places.map((place) => ({ place, names })));
    return judged.state([
      ...places.map((path) => ({ kind: 'read', path, tree: 'if-folder', leavesOut: leftOut.isKnown }) as const),
      ...asked.map((path) => ({ kind: 'read', path }) as const),
    ]);
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const started = performance.now();
    const notes = needsMultiline(this.#scope.request.pattern) ? [ONE_BY_ONE] : [];
    const page = this.#remembered(notes) ?? pageFor(await this.#count(signal, updateOutput), this.#scope);
    const { outcome } = page.counted;
    const context = this.#scope.request.context ?? contextFor(outcome.total);
    const timeLimitMs = Math.ceil(Math.max(LEAST_LINES_MS, this.#timeLimitMs - (performance.now() - started)));
    const lines = await this.#linesOf(page, context, { signal, timeLimitMs });
    const shown = { page, lines, context, notes, timeLimitMs: this.#timeLimitMs };
    const { text, rendering } = answerFor(this.#scope, shown);
    if (couldNotSearch(outcome) && outcome.notSearched.failed > 0)
      throw new ToolError(ToolErrorType.GREP_EXECUTION_ERROR, text);
    const data = dataOf(this.#scope.request, page, rendering);
    return { llmContent: text, returnDisplay: summaryOf(outcome), data };
  }

  /** Undefined where none are asked for, and when there was not time enough. */
  async #linesOf(
    { counted, parts }: GrepPage,
    context: Context,
    limits: StepLimits,
  ): Promise<readonly PagedFile[] | undefined> {
    if (this.#scope.request.mode !== 'content' || parts.length === 0) return undefined;
    return readLines(this.#scope, { counted, page: parts, context }, limits);
  }

  async #count(signal: AbortSignal, updateOutput: UpdateOutput | undefined): Promise<Counted> {
    const root = this.#scope.config.getWorkspaceGate().roots[0] ?? '';
    const progress = updateOutput === undefined ? undefined : new GrepProgress(updateOutput, root);
    const limits = { signal, timeLimitMs: this.#timeLimitMs };
    const counted = await countMatches(this.#scope, limits, (file) => progress?.found(file));
    if (counted.outcome.total === 0 && counted.outcome.stopped === 'time-limit')
      throw new ToolError(
        ToolErrorType.TIMED_OUT,
        `The search was stopped at its time limit of ${this.#timeLimitMs / 1000} s without a match so far; not everything was searched. Narrow path or glob, or simplify the pattern.`,
      );
    this.#memory.keep(this.#key(), counted);
    return counted;
  }

  /** The same for two calls only when both search the same and leave out the same. */
  #key(): string {
    const { request, leftOut } = this.#scope;
    return `${request.key}${leftOut.keyOf(request.places)}`;
  }

  /** The page of what an earlier call counted, if its files are still what they were. */
  #remembered(notes: string[]): GrepPage | undefined {
    const { offset } = this.#scope.request;
    const counted = offset === 0 ? undefined : this.#memory.recall(this.#key());
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
