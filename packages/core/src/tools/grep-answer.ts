import type { Findings, Rendering } from '../search/report/choose-rendering.js';
import { composeAnswer } from '../search/report/compose-answer.js';
import type { Context, PagedFile } from '../search/report/render-matches.js';
import type { GrepScope } from './grep-flow.js';
import { placesOf, sizeOf, type GrepPage } from './grep-page.js';
import { ToolNames } from './tool-names.js';

const ONE_FILE = '[path is a file: glob and type were not applied.]';

/** A page with what was read for it. */
export interface ShownPage {
  readonly page: GrepPage;
  /** Undefined where files are asked for, or where there was no time to read lines. */
  readonly lines: readonly PagedFile[] | undefined;
  readonly shorter?: Findings['shorter'];
  readonly context: Context;
  readonly notes: readonly string[];
  /** Of the whole search. */
  readonly timeLimitMs: number;
}

/** The text of the answer, and how its page is shown; undefined where there is nothing to show. */
export function answerFor(
  { config, request }: Pick<GrepScope, 'config' | 'request'>,
  { page, lines, shorter, context, notes, timeLimitMs }: ShownPage,
): { readonly text: string; readonly rendering: Rendering | undefined } {
  const { pattern, filter, mode, offset, limit } = request;
  const { outcome } = page.counted;
  const gate = config.getWorkspaceGate();
  const places = request.places.map((place) => gate.resolve(place));
  const isFile = places[0]?.kind === 'file';
  const isFiltered = filter.globs.length > 0 || filter.type !== undefined;
  const answer = {
    pattern: pattern.pattern,
    places: request.places,
    globs: isFile ? [] : filter.globs,
    type: isFile ? undefined : filter.type,
    outcome,
    timeLimitMs,
    unit: mode === 'content' ? ('match' as const) : ('file' as const),
    offset,
    pageSize: sizeOf(page, mode),
    limit,
    notes: isFile && isFiltered ? [...notes, ONE_FILE] : notes,
    lastNote: page.counted.leftOut.line,
  };
  const findings = {
    files: outcome.files,
    places: places.map(({ path }) => path),
    offset,
    limit,
    page: placesOf(page.parts),
    lines,
    ...(shorter !== undefined && { shorter }),
    context,
    multiline: pattern.multiline,
    readTool: ToolNames.READ_FILE,
    mode,
  };
  return composeAnswer(answer, page.parts.length === 0 ? undefined : findings);
}
