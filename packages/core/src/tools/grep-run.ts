import { contextFor } from '../search/report/compose-answer.js';
import { summaryOf, wasKeptOut } from '../search/report/render-answer.js';
import type { Context, PagedFile } from '../search/report/render-matches.js';
import { answerFor, type ShownPage } from './grep-answer.js';
import { countMatches, readLines, type GrepScope, type StepLimits } from './grep-flow.js';
import { hasChanged, type Counted, type GrepMemory } from './grep-memory.js';
import { wantsBareLineFeed } from './grep-multiline.js';
import { needsMultiline } from './grep-params.js';
import { dataOf, pageFor, partsOf, type GrepPage } from './grep-page.js';
import { GrepProgress } from './grep-progress.js';
import { ToolError, ToolErrorType, type ToolResult, type UpdateOutput } from './tools.js';

/** Lines are read for at least as long, even when counting took all the time. */
const LEAST_LINES_MS = 3_000;
const SEARCHED_AGAIN =
  '[Files changed since the page before, so everything was searched again: matches may have moved between pages.]';

const ONE_BY_ONE = '[Lines were searched one by one: multiline=true finds matches that span lines.]';

const BARE_LINE_FEED =
  '[\\n is a line feed alone, which is not how lines end in files with CRLF: \\r?\\n, without fixed_strings, matches both.]';

const KEPT_IGNORED =
  '[include_ignored was not followed: what git ignores is not read, for the setting files.readGitIgnored is false.]';

interface GrepRunOptions {
  readonly scope: GrepScope;
  readonly timeLimitMs: number;
  readonly memory: GrepMemory;
}

/** One search, from counting to its answer. */
export class GrepRun {
  readonly #scope: GrepScope;
  readonly #timeLimitMs: number;
  readonly #memory: GrepMemory;

  constructor({ scope, timeLimitMs, memory }: GrepRunOptions) {
    this.#scope = scope;
    this.#timeLimitMs = timeLimitMs;
    this.#memory = memory;
  }

  /** @throws Failure */
  async answer(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const started = performance.now();
    const { pattern, keepsIgnored } = this.#scope.request;
    const notes = [...(needsMultiline(pattern) ? [ONE_BY_ONE] : []), ...(keepsIgnored ? [KEPT_IGNORED] : [])];
    const page = this.#remembered(notes) ?? pageFor(await this.#count(signal, updateOutput), this.#scope);
    const { outcome } = page.counted;
    if (outcome.total === 0 && outcome.searchedFiles > 0 && wantsBareLineFeed(pattern)) notes.push(BARE_LINE_FEED);
    const context = this.#scope.request.context ?? contextFor(outcome.total);
    const timeLimitMs = Math.ceil(Math.max(LEAST_LINES_MS, this.#timeLimitMs - (performance.now() - started)));
    const limits = { signal, timeLimitMs };
    const lines = await this.#linesOf(page, context, limits);
    const shown = { page, lines, context, notes, timeLimitMs: this.#timeLimitMs };
    const { text, rendering } = await this.#shownAs(shown, limits);
    if (wasKeptOut(outcome)) throw new ToolError(ToolErrorType.GREP_EXECUTION_ERROR, text);
    const data = dataOf(this.#scope.request, page, rendering);
    return { llmContent: text, returnDisplay: summaryOf(outcome), data };
  }

  /** Where a match may span lines, only the engine knows which lines are those of a shorter page: they are read until one fits. */
  async #shownAs(shown: ShownPage, limits: StepLimits): Promise<ReturnType<typeof answerFor>> {
    const { counted } = shown.page;
    const { request } = this.#scope;
    let answer = answerFor(this.#scope, shown);
    const { rendering } = answer;
    if (!request.pattern.multiline || rendering === undefined) return answer;
    const isShortened = rendering.step === 'smaller-page' || rendering.step === 'first-matches';
    for (
      let pageSize = isShortened ? (rendering.pageSize ?? 1) : 0;
      pageSize > 0;
      pageSize = Math.floor(pageSize / 2)
    ) {
      const parts = partsOf(counted.outcome, { ...request, limit: pageSize });
      const lines = await this.#linesOf({ counted, parts }, { before: 0, after: 0 }, limits);
      if (lines === undefined) return answerFor(this.#scope, { ...shown, lines });
      answer = answerFor(this.#scope, { ...shown, shorter: { pageSize, lines } });
      if (answer.rendering?.pageSize !== undefined) break;
    }
    return answer;
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
      const file = page.counted.outcome.files.at(index);
      return file !== undefined && !hasChanged(file);
    });
    if (!isStill) notes.push(SEARCHED_AGAIN);
    return isStill ? page : undefined;
  }
}
