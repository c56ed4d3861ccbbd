import { makeSafe, joinSafe, safeText, type Safe } from './safe-text.js';
import { cutLine, shortenLines } from './shorten.js';
import { truncateToWidth } from './width.js';
import { createPainter, type Painter, type Style } from './style.js';

export interface DiffViewOptions {
  readonly colour: boolean;
  /** Lines to show; the middle of a longer diff is counted, not shown. Default: all. */
  readonly maxLines?: number;
  /** Columns of the terminal; longer lines are cut there. Default: they are not. */
  readonly columns?: number;
  /**
   * False leaves out the name of the one file above its hunks: where it stands already. Each of several files, and one
   * that is moved or deleted, has one line with its name instead. Default true.
   */
  readonly header?: boolean;
  /** True: no line is cut but by `columns`. Default false: of a very long one, both ends. */
  readonly wholeLines?: boolean;
}

/** The line that every diff of Tenon has above the names of a file; without it, lines like names could be content. */
const RULER = /^=+$/;
const NO_FILE = '/dev/null';

export interface DiffCounts {
  readonly added: number;
  readonly removed: number;
}

/** A line of a unified diff, still untrusted; `before` and `after` are its numbers in the two files. */
export interface DiffLine {
  readonly kind: 'header' | 'hunk' | 'added' | 'removed' | 'same' | 'note';
  /** With the sign that it begins with. */
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

const STYLES: Readonly<Record<DiffLine['kind'], Style | undefined>> = {
  header: 'bold',
  hunk: 'cyan',
  added: 'green',
  removed: 'red',
  same: undefined,
  note: 'dim',
};

/** A unified diff as safe lines with both files' line numbers; empty for one that has nothing to show. */
export function diffView(diff: string, options: DiffViewOptions): Safe {
  const parsed = diff === '' ? [] : parseDiff(diff);
  const lines = options.header === false ? withHeadings(parsed) : parsed;
  const numbers = lines.flatMap((line) => [line.before ?? 0, line.after ?? 0]);
  const digits = String(numbers.reduce((most, number) => Math.max(most, number), 1)).length;
  const painter = createPainter(options.colour);
  const cut = options.wholeLines === true ? (text: string): string => text : cutLine;
  const drawn = lines.map((line) => drawLine({ ...line, text: cut(line.text) }, digits, painter));
  const kept = shortenLines(drawn, options.maxLines ?? Infinity);
  const { columns } = options;
  const fitted = columns === undefined ? kept : kept.map((line) => truncateToWidth(line, columns));
  return joinSafe(fitted, safeText`\n`);
}

/** The lines of a unified diff; above each of several files one with its name, and nothing above a single one. */
export function diffLines(diff: string): readonly DiffLine[] {
  return diff === '' ? [] : withHeadings(parseDiff(diff));
}

/** A stretch of a changed file, with the lines around it. */
export interface DiffHunk {
  /** The file's name in the diff; undefined on a side without a file. */
  readonly oldName: string | undefined;
  readonly newName: string | undefined;
  readonly before: string;
  readonly after: string;
  /** The hunk's first line after the change, from 1. */
  readonly line: number;
  /** True if nothing was there before: the file is new, or was empty. */
  readonly isWhole: boolean;
}

/** Returns the hunks of a unified diff of one or more files. */
export function diffHunks(diff: string): readonly DiffHunk[] {
  const lines = parseDiff(diff);
  let names: FileNames | undefined;
  return lines.flatMap(({ kind }, index): DiffHunk[] => {
    names = namesAt(lines, index) ?? names;
    if (kind !== 'hunk') return [];
    const end = lines.findIndex((line, at) => at > index && (line.kind === 'hunk' || line.kind === 'header'));
    const content = lines.slice(index + 1, end === -1 ? undefined : end);
    const before = content.find((each) => each.before !== undefined)?.before;
    const line = content.find((each) => each.after !== undefined)?.after;
    return [
      {
        oldName: nameIn(names?.before),
        newName: nameIn(names?.after),
        before: sideOf(content, 'removed'),
        after: sideOf(content, 'added'),
        line: line ?? before ?? 1,
        isWhole: before === undefined && line === 1,
      },
    ];
  });
}

function nameIn(name: string | undefined): string | undefined {
  return name === NO_FILE ? undefined : name;
}

/** Returns the text of one side: the common lines, and those that only this side has. */
function sideOf(lines: readonly DiffLine[], own: 'added' | 'removed'): string {
  const isOfSide = ({ kind }: DiffLine): boolean => kind === 'same' || kind === own;
  return lines
    .flatMap((line, index) => {
      if (!isOfSide(line)) return [];
      return [line.text.slice(1), lines[index + 1]?.kind === 'note' ? '' : '\n'];
    })
    .join('');
}

/** Lines that the diff adds and removes. */
export function countDiff(diff: string): DiffCounts {
  const lines = parseDiff(diff);
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}

/** Files that the diff speaks of. */
export function countFiles(diff: string): number {
  return fileHeaders(parseDiff(diff)).length;
}

/** True where `diffView` says which files they are, without `header` as well: of several, of one that is moved or deleted. */
export function namesFiles(diff: string): boolean {
  return areNamed(fileHeaders(parseDiff(diff)));
}

interface FileNames {
  readonly before: string;
  readonly after: string;
}

/** What `diff` puts above the hunks of one file: lines `[from, to)`. */
interface FileHeader extends FileNames {
  readonly from: number;
  readonly to: number;
}

/** Nothing else may be left out: it could be content. */
function fileHeaders(lines: readonly DiffLine[]): FileHeader[] {
  return lines.flatMap((_, index): FileHeader[] => {
    const names = namesAt(lines, index);
    if (names === undefined) return [];
    const isRuled = isHeader(lines[index - 1], RULER);
    if (!isRuled && index > 0) return [];
    const from = isRuled ? index - (isHeader(lines[index - 2], /^Index: /) ? 2 : 1) : index;
    return [{ from, to: index + 2, ...names }];
  });
}

function namesAt(lines: readonly DiffLine[], index: number): FileNames | undefined {
  const before = headerName(lines[index], '--- ');
  const after = headerName(lines[index + 1], '+++ ');
  return before === undefined || after === undefined ? undefined : { before, after };
}

function isHeader(line: DiffLine | undefined, pattern: RegExp): boolean {
  return line?.kind === 'header' && pattern.test(line.text);
}

/** Without the label behind the tab. */
function headerName(line: DiffLine | undefined, sign: string): string | undefined {
  if (line?.kind !== 'header' || !line.text.startsWith(sign)) return undefined;
  return line.text.slice(sign.length).replace(/\t.*$/, '');
}

/** One line above each file; none where the only one keeps its name. */
function withHeadings(lines: readonly DiffLine[]): DiffLine[] {
  const headers = fileHeaders(lines);
  const isNamed = areNamed(headers);
  const result: DiffLine[] = [];
  let at = 0;
  for (const header of headers) {
    result.push(...lines.slice(at, header.from));
    if (isNamed) result.push({ kind: 'header', text: headingOf(header) });
    // Only what stands above everything else is surely no content.
    else if (header.from > 0) result.push(...lines.slice(header.from, header.to));
    at = header.to;
  }
  return [...result, ...lines.slice(at)];
}

function areNamed(headers: readonly FileHeader[]): boolean {
  const [first] = headers;
  return headers.length > 1 || (first !== undefined && (isMoved(first) || first.after === NO_FILE));
}

function isMoved({ before, after }: FileHeader): boolean {
  return before !== after && before !== NO_FILE && after !== NO_FILE;
}

function headingOf(header: FileHeader): string {
  const { before, after } = header;
  if (before === NO_FILE) return `${after} (new)`;
  if (after === NO_FILE) return `${before} (deleted)`;
  return isMoved(header) ? `${before} → ${after}` : after;
}

function drawLine(line: DiffLine, digits: number, painter: Painter): Safe {
  // Several lines only for the tabs: the text has been split already.
  const text = makeSafe(line.text, { multiline: true });
  const style = STYLES[line.kind];
  const painted = style === undefined ? text : painter(style, text);
  if (line.kind === 'header' || line.kind === 'hunk' || line.kind === 'note') return painted;
  const gutter = makeSafe(`${column(line.before, digits)} ${column(line.after, digits)} `);
  return safeText`${painter('dim', gutter)}${painted}`;
}

function column(number: number | undefined, digits: number): string {
  return (number === undefined ? '' : String(number)).padStart(digits);
}

/** The counts in `@@` say what is content: a removed line `-- x` is no header, whatever it looks like. */
function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let leftBefore = 0;
  let leftAfter = 0;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const isContent = leftBefore > 0 || leftAfter > 0;
    const hunk = isContent ? null : /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      before = Number(hunk[1]);
      leftBefore = Number(hunk[2] ?? 1);
      after = Number(hunk[3]);
      leftAfter = Number(hunk[4] ?? 1);
      lines.push({ kind: 'hunk', text });
    } else if (text.startsWith('\\')) lines.push({ kind: 'note', text });
    else if (!isContent) lines.push({ kind: 'header', text });
    else if (text.startsWith('+')) {
      lines.push({ kind: 'added', text, after });
      after += 1;
      leftAfter -= 1;
    } else if (text.startsWith('-')) {
      lines.push({ kind: 'removed', text, before });
      before += 1;
      leftBefore -= 1;
    } else {
      lines.push({ kind: 'same', text, before, after });
      before += 1;
      after += 1;
      leftBefore -= 1;
      leftAfter -= 1;
    }
  }
  return lines;
}
