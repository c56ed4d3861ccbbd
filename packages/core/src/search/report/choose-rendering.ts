import { groupDigits } from '../../util/group-digits.js';
import { pageOf } from './page-of.js';
import { renderFolders } from './render-folders.js';
import {
  renderFile,
  renderFileWithin,
  withContext,
  WrittenLines,
  type Context,
  type FileBlock,
  type PagedFile,
} from './render-matches.js';
import { countsOf, filesAt, type FoundFiles } from './search-outcome.js';
import type { ShownLine } from './shown-line.js';
import { bytesOf, count, countMatches, pathOnOneLine } from './search-text.js';

/** What was counted and read for one answer. */
export interface Findings {
  /** All files with matches, in their order. */
  readonly files: FoundFiles;
  readonly places: readonly string[];
  /** Files that are on the page, by their place in `files`; ascending. */
  readonly page: readonly number[];
  /** The same files with their lines; absent where files are asked for, or where there was no time to read lines. */
  readonly lines: readonly PagedFile[] | undefined;
  /** Matches before the page, and on it at most; where lines are shown. */
  readonly offset: number;
  readonly limit: number;
  readonly context: Context;
  readonly multiline: boolean;
  /** A page that is shorter than the one asked for, with its lines without context: it is shown if it fits. */
  readonly shorter?: { readonly pageSize: number; readonly lines: readonly PagedFile[] };
  /** The name of what reads a file from a line on. */
  readonly readTool: string;
  /** `count`: the number stands first. */
  readonly mode: 'content' | 'files' | 'count';
}

/** From everything to totals: the first of these that fits is shown. */
export type RenderingStep =
  'full' | 'less-context' | 'first-matches' | 'first-lines' | 'smaller-page' | 'files' | 'folders' | 'top-folders';

export interface Rendering {
  readonly step: RenderingStep;
  /** What the reader must know about the step; may be empty. */
  readonly note: string;
  readonly text: string;
  /** Matches on the page (files, where those are asked for), where it had to be made smaller. */
  readonly pageSize?: number;
  /** The matching lines that are shown, by path. */
  readonly lines: ReadonlyMap<string, readonly ShownLine[]>;
}

/** False where more than the page is shown, or less: an offset would not go on from there. */
export function isPaged(step: RenderingStep, mode: Findings['mode']): boolean {
  if (step === 'folders' || step === 'top-folders' || step === 'first-matches') return false;
  return step !== 'files' || mode !== 'content';
}

/** The fullest rendering of which note and text together have at most so many bytes of UTF-8 (some 600 at least). */
export function chooseRendering(findings: Findings, bytes: number): Rendering {
  for (const rendering of linesRenderings(findings, bytes)) if (sizeOf(rendering) <= bytes) return rendering;
  const files = filesRendering(findings);
  if (sizeOf(files) <= bytes) return files;
  return (findings.mode === 'content' ? undefined : fewerFiles(findings, bytes)) ?? foldersRendering(findings, bytes);
}

/** In bytes, with what parts note and text. */
function sizeOf({ note, text }: Rendering): number {
  return bytesOf(note) + bytesOf(text) + 2;
}

/** The largest amount below `end` whose rendering fits, as near as halving finds it; 0 when none does. */
function largestOf(end: number, bytes: number, render: (amount: number) => Rendering): number {
  let most = 0;
  for (let tooMuch = end; tooMuch - most > 1;) {
    const middle = Math.floor((most + tooMuch) / 2);
    if (sizeOf(render(middle)) <= bytes) most = middle;
    else tooMuch = middle;
  }
  return most;
}

function* linesRenderings(findings: Findings, bytes: number): Generator<Rendering> {
  const { lines: files, context, multiline, shorter } = findings;
  if (files === undefined) return;
  const written = new WrittenLines();
  if (shorter !== undefined) {
    yield* shorterRenderings(findings, shorter, bytes);
    const bare = files.map((file) => ({ ...file, lines: withContext(file.lines, { before: 0, after: 0 }) }));
    yield firstMatches(findings, { bare, written }, bytes);
    return;
  }
  let cut = files;
  for (const { before, after } of shorterAndShorter(context)) {
    cut = files.map((file) => ({ ...file, lines: withContext(file.lines, { before, after }) }));
    const isAll = before === context.before && after === context.after;
    const isBare = before === 0 && after === 0;
    const what = isBare
      ? 'shown without context'
      : `context shortened to ${before} lines before and ${after} after each match`;
    const step = isAll ? 'full' : 'less-context';
    yield blocks({ step, note: isAll ? '' : `[Too long: ${what}.]` }, cut, (file) =>
      renderFile(file, multiline || !isBare, written),
    );
  }
  const bare = cut;
  const [file] = bare;
  if (multiline && file?.matches === 1 && bare.length === 1) yield firstLines(findings, file, bytes);
  // Behind a smaller page nothing is left out; what `firstMatches` leaves out stands on no page of that size.
  const smaller = smallerPage(findings, { bare, written }, bytes);
  if (smaller !== undefined) yield smaller;
  yield firstMatches(findings, { bare, written }, bytes);
}

/** What is left out beside matches, where some context was meant to be shown. */
function bareness({ context }: Findings): string {
  return context.before > 0 || context.after > 0 ? ', without context' : '';
}

/** Half as much context each time, down to none. */
function* shorterAndShorter({ before, after }: Context): Generator<Context> {
  yield { before, after };
  if (before > 0 || after > 0)
    yield* shorterAndShorter({ before: Math.floor(before / 2), after: Math.floor(after / 2) });
}

/** Files with their lines, without context. */
interface BareFiles {
  readonly bare: readonly PagedFile[];
  readonly written: WrittenLines;
}

/** A page as it was read: all of it, or the beginning of its one match. */
function* shorterRenderings(
  findings: Findings,
  { pageSize, lines }: { readonly pageSize: number; readonly lines: readonly PagedFile[] },
  bytes: number,
): Generator<Rendering> {
  if (!namesEnough(lines.length, findings)) return;
  const note = smallerNote(findings, pageSize);
  yield { ...blocks({ step: 'smaller-page', note }, lines, (file) => renderFile(file, true)), pageSize };
  const [file] = lines;
  if (pageSize === 1 && file !== undefined) yield firstLines(findings, file, bytes);
}

function smallerNote(findings: Findings, pageSize: number): string {
  return `[Too long: this page ends after ${countMatches(pageSize)}${bareness(findings)}.]`;
}

/** Half of the files that were asked for. */
function namesEnough(named: number, { lines = [] }: Findings): boolean {
  return named * 2 >= lines.length;
}

/**
 * The longest page that fits and begins in the same place, if it names enough of the files. With `multiline` an
 * estimate, for nothing tells which lines belong to which match: it is to be read, and given as `shorter`.
 */
function smallerPage(findings: Findings, { bare, written }: BareFiles, bytes: number): Rendering | undefined {
  const { files, offset, limit, multiline } = findings;
  const read = new Map(bare.map((file) => [file.path, file]));
  const counts = countsOf(files);
  const render = (pageSize: number): Rendering => {
    const parts = pageOf(counts, offset, pageSize).flatMap(({ index, matches }) => {
      const file = read.get(files.at(index)?.path ?? '');
      return file === undefined ? [] : [cutTo(file, matches)];
    });
    const note = smallerNote(findings, pageSize);
    return {
      ...blocks({ step: 'smaller-page', note }, parts, (file) => renderFile(file, multiline, written)),
      pageSize,
    };
  };
  const most = largestOf(limit, bytes, render);
  const rendering = render(most);
  return most > 0 && namesEnough(rendering.lines.size, findings) ? rendering : undefined;
}

/** The first so many matches; where a match may have several lines, as many of these as are to be expected. */
function cutTo(file: PagedFile, matches: number): PagedFile {
  if (matches >= file.matches) return file;
  return { ...file, matches, lines: file.lines.slice(0, Math.ceil((file.lines.length * matches) / file.matches)) };
}

/** As much of the page's one match as fits. */
function firstLines(findings: Findings, file: PagedFile, bytes: number): Rendering {
  const render = (share: number): Rendering => {
    const rendering = blocks({ step: 'first-lines', note: '' }, [file], () => renderFileWithin(file, share, true));
    const last = rendering.lines.get(file.path)?.at(-1)?.line ?? 0;
    const note = `[Too long: the match itself does not fit${bareness(findings)}. ${findings.readTool} with offset=${last + 1} shows the lines after these.]`;
    return { ...rendering, note, pageSize: 1 };
  };
  return render(largestOf(bytes, bytes, render));
}

/** The same number of bytes for every file: the largest with which all fit. What a file does not use, others have. */
function firstMatches(findings: Findings, { bare, written }: BareFiles, bytes: number): Rendering {
  const { multiline } = findings;
  const shows = multiline ? 'more of each match' : 'all of them, page by page';
  const note = `[Too long: only the first matches of some files${bareness(findings)}. A smaller limit shows ${shows}; path=FILE shows more of one; or narrow pattern, path or glob.]`;
  const render = (share: number): Rendering =>
    blocks({ step: 'first-matches', note }, bare, (file) => renderFileWithin(file, share, multiline, written));
  return render(largestOf(bytes - bytesOf(note) - 1, bytes, render));
}

function blocks(
  kind: Pick<Rendering, 'step' | 'note'>,
  files: readonly PagedFile[],
  render: (file: PagedFile) => FileBlock,
): Rendering {
  const rendered = files.map((file) => ({ path: file.path, block: render(file) }));
  return {
    ...kind,
    text: rendered.map(({ block }) => block.text).join('\n\n'),
    lines: new Map(rendered.map(({ path, block }) => [path, block.matches])),
  };
}

function filesRendering({ files, page, lines, mode }: Findings): Rendering {
  const shown = filesAt(files, page);
  const text = shown.map(({ path, matches }) =>
    mode === 'count'
      ? `${groupDigits(matches)} ${pathOnOneLine(path)}`
      : `${pathOnOneLine(path)} (${countMatches(matches)})`,
  );
  const sum = (list: FoundFiles): number => countsOf(list).reduce((total, matches) => total + matches, 0);
  if (shown.length < files.length) {
    const rest = countMatches(sum(files) - sum(shown));
    text.push(`[and ${count(files.length - shown.length, 'other file')} with ${rest}]`);
  }
  let note = '';
  if (mode === 'content' && lines === undefined)
    note =
      '[There was no time left to read the lines: files of this page with their number of matches. Narrow pattern, path or glob.]';
  else if (mode === 'content')
    note =
      '[Too long for lines: files of this page with their number of matches. A smaller limit, or a narrower pattern, path or glob, shows lines; output_mode="files" names all files, page by page.]';
  return { step: 'files', note, text: text.join('\n'), lines: new Map() };
}

/** The longest page of names that fits and begins in the same place; undefined when not one name fits. */
function fewerFiles(findings: Findings, bytes: number): Rendering | undefined {
  const render = (pageSize: number): Rendering => {
    const page = findings.page.slice(0, pageSize);
    return {
      ...filesRendering({ ...findings, page }),
      step: 'smaller-page',
      note: `[Too long: this page ends after ${count(pageSize, 'file')}.]`,
      pageSize,
      lines: new Map(filesAt(findings.files, page).map(({ path }) => [path, []])),
    };
  };
  const most = largestOf(findings.page.length, bytes, render);
  return most === 0 ? undefined : render(most);
}

function foldersRendering({ files, places }: Findings, bytes: number): Rendering {
  const note =
    '[Too long to name files: all matches by folder, dir/** with everything below and dir/* without. A smaller limit, or a narrower pattern, path or glob, shows more.]';
  const { text, isCut } = renderFolders(files, places, bytes - bytesOf(note) - 2);
  return { step: isCut ? 'top-folders' : 'folders', note, text, lines: new Map() };
}
