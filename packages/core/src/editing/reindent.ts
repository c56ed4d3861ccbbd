import { indentationOf } from './text-lines.js';

export interface Reindentation {
  /** As the model has them. */
  readonly wanted: readonly string[];
  /** As they stand in the file: the same lines with other indentation. */
  readonly originals: readonly string[];
  /** New lines to be indented in the same way. */
  readonly newLines: readonly string[];
  /** What the file indents by: a tab, or some spaces; undefined when it does not show it. */
  readonly fileIndents: string | undefined;
}

const WIDTHS = [2, 3, 4, 8];
const UNITS: readonly string[] = ['\t', ...WIDTHS.map((width) => ' '.repeat(width))];

/** Whether all lines are indented by one other amount, or in other units. */
export function isReindented({ wanted, originals }: Pick<Reindentation, 'wanted' | 'originals'>): boolean {
  return shiftOf(wanted, originals) !== undefined || mappingsOf(wanted, originals).length > 0;
}

/** The new lines as they must be indented in the file; undefined when that is not sure. */
export function reindent(request: Reindentation): string[] | undefined {
  const written = reindented(request);
  return written !== undefined && movesHereDocument(request.newLines, written) ? undefined : written;
}

const HERE_DOCUMENT = /<<\s*(['"]?)([A-Za-z_]\w*)\1/;

/** Whether the end of a here-document, which must stand at the start of its line, no longer does. */
function movesHereDocument(newLines: readonly string[], written: readonly string[]): boolean {
  const words = new Set(newLines.map((line) => HERE_DOCUMENT.exec(line)?.[2]));
  return newLines.some((line, index) => words.has(line) && written[index] !== line);
}

function reindented(request: Reindentation): string[] | undefined {
  const { wanted, originals, newLines } = request;
  const shift = shiftOf(wanted, originals);
  if (shift !== undefined && isUnsure(shift, request)) return undefined;
  const shifted = shift === undefined ? undefined : allOf(newLines, shifter(shift, request));
  return shifted ?? byUnits(mappingsOf(wanted, originals, request.fileIndents), newLines);
}

interface Shift {
  readonly from: string;
  readonly to: string;
}

/** The common indentation that all lines have instead of another. */
function shiftOf(wanted: readonly string[], originals: readonly string[]): Shift | undefined {
  const from = commonIndentation(wanted);
  const to = commonIndentation(originals);
  const uniform = wanted.every(
    (line, index) =>
      isBlank(line) ||
      indentationOf(line).slice(from.length) === indentationOf(originals[index] ?? '').slice(to.length),
  );
  return uniform ? { from, to } : undefined;
}

/** How the lines are written by a shift; the texts are looked through once for all lines. */
function shifter({ from, to }: Shift, request: Reindentation): (line: string) => string | undefined {
  const { wanted, newLines, fileIndents: fileUnit } = request;
  // Lines that show how the file indents further speak for themselves; without them its unit does.
  const extras = new Set(wanted.filter((one) => !isBlank(one)).map((one) => indentationOf(one).slice(from.length)));
  const shown = [...extras].some((extra) => extra.length > 1 || extra === '\t');
  const units = modelUnits([...wanted, ...newLines], fileUnit);
  // A tab is shown by as many blanks as anybody likes; a width of blanks is taken for another only as a whole.
  const likely = fileUnit === '\t' ? units : units.slice(0, 1);
  const unit = likely.find((one) => fileUnit !== undefined && stepsOf(from, one) === stepsOf(to, fileUnit));
  if (!shown && fileUnit !== undefined && unit !== undefined && unit !== fileUnit) {
    return (line) => byMapping(line, { model: unit, file: fileUnit, deeper: 0 });
  }
  const style = to === '' ? fileUnit?.[0] : to.includes('\t') ? '\t' : ' ';
  return (line) => {
    if (!line.startsWith(from)) return undefined;
    const deeper = indentationOf(line).slice(from.length);
    const rest = line.slice(from.length + deeper.length);
    // One blank more is how the lines of a comment stand below its first.
    if (shown || extras.has(deeper) || deeper === ' ' || style === undefined) return to + deeper + rest;
    if (deeper === style.repeat(deeper.length)) return to + deeper + rest;
    const steps = units[0] === undefined ? undefined : stepsOf(deeper, units[0]);
    if (steps === undefined) return undefined;
    if (style === '\t') return to + style.repeat(steps) + rest;
    return fileUnit === undefined ? undefined : to + fileUnit.repeat(steps) + rest;
  };
}

/** Whether nothing tells how much deeper than the old lines, which are all at one depth, the new ones are to be. */
function isUnsure({ from, to }: Shift, { wanted, newLines, fileIndents }: Reindentation): boolean {
  const lines = wanted.filter((line) => !isBlank(line));
  const extras = lines.map((line) => indentationOf(line).slice(from.length));
  if (from === to || extras.some((extra) => extra.length > 1 || extra === '\t')) return false;
  const fresh = newLines.filter((line) => !isBlank(line) && !extras.includes(indentationOf(line).slice(from.length)));
  // One line alone may only have been copied without what stands before it.
  if (from === '' && lines.length === 1)
    return fresh.some((line) => indentationOf(line).length > 1 || line.startsWith('\t'));
  if (fileIndents === '\t' && from !== '' && isBlanks(from) && !isBlanks(to)) return skipsDepths(newLines, from, to);
  return isBlanks(from + to) && goesByAnotherWidth(newLines, from, fileIndents);
}

/** Whether the blanks that stand for the tabs of the old lines would make the new ones go two depths deeper at once. */
function skipsDepths(newLines: readonly string[], from: string, to: string): boolean {
  const width = from.length / to.length;
  const extras = newLines.flatMap((line) => (isBlank(line) ? [] : [indentationOf(line).length - from.length]));
  const least = extras.reduce((most, extra) => (extra > 0 ? Math.min(most, extra) : most), Infinity);
  return least !== Infinity && !newLines.some((line) => !isBlank(line) && line.startsWith('\t')) && least >= 2 * width;
}

function isBlanks(indentation: string): boolean {
  return !indentation.includes('\t');
}

/** Whether the lines go deeper by other steps of blanks than the file: how deep they are to be there is not sure. */
function goesByAnotherWidth(lines: readonly string[], from: string, fileUnit: string | undefined): boolean {
  if (fileUnit === undefined || fileUnit === '\t') return false;
  const depths = lines.flatMap((line) => (isBlank(line) ? [] : [indentationOf(line).length - from.length]));
  const least = depths.reduce((most, depth) => (depth > 1 ? Math.min(most, depth) : most), Infinity);
  return least !== Infinity && least !== fileUnit.length;
}

/** What the model may indent by, the widest first. Eight blanks stand for a tab only. */
function modelUnits(lines: readonly string[], fileUnit: string | undefined): string[] {
  const indentations = lines.filter((line) => !isBlank(line)).map(indentationOf);
  const usual =
    fileUnit?.startsWith(' ') === true ? ['\t', '    ', '   ', '  '] : ['\t', '        ', '    ', '   ', '  '];
  return usual.filter((unit) => indentations.every((one) => one === unit.repeat(one.length / unit.length)));
}

interface Mapping {
  /** What one step of indentation is for the model, and in the file. */
  readonly model: string;
  readonly file: string;
  /** How many steps deeper the lines stand in the file. */
  readonly deeper: number;
}

/** Every reading of the two indentations as steps by which all lines agree. */
function mappingsOf(wanted: readonly string[], originals: readonly string[], fileIndents?: string): Mapping[] {
  const mappings: Mapping[] = [];
  // Two widths of spaces can be told apart by lines of several depths only.
  const depths = new Set(wanted.filter((line) => !isBlank(line)).map(indentationOf)).size;
  for (const model of UNITS) {
    for (const file of UNITS) {
      if (depths < 2 && model !== file && model !== '\t' && file !== '\t') continue;
      const deeper = constantDifference(wanted, originals, model, file);
      // Another width and other depths as well: two depths are alike under some such reading whatever they are.
      const isProven = deeper === 0 || model === file || depths > 2 || isTabShown(model, file, fileIndents);
      if (deeper !== undefined && isProven) mappings.push({ model, file, deeper });
    }
  }
  // By another unit than that of the file no new depth can be told.
  return fileIndents === undefined ? mappings : mappings.filter(({ file }) => file === fileIndents);
}

/** A tab in place of blanks or the other way round, and the file goes by the unit that it is taken for. */
function isTabShown(model: string, file: string, fileIndents: string | undefined): boolean {
  return (model === '\t') !== (file === '\t') && (fileIndents === undefined || file === fileIndents);
}

function constantDifference(
  wanted: readonly string[],
  originals: readonly string[],
  model: string,
  file: string,
): number | undefined {
  let difference: number | undefined;
  for (const [index, line] of wanted.entries()) {
    if (isBlank(line)) continue;
    const here = stepsOf(line, model);
    const there = stepsOf(originals[index] ?? '', file);
    if (here === undefined || there === undefined) return undefined;
    difference ??= there - here;
    if (difference !== there - here) return undefined;
  }
  return difference;
}

/** Readings at the same depth come first; where they would not all write the same, none is sure. */
function byUnits(mappings: readonly Mapping[], newLines: readonly string[]): string[] | undefined {
  const level = mappings.filter(({ deeper }) => deeper === 0);
  const results = new Map<string, string[]>();
  for (const mapping of level.length > 0 ? level : mappings) {
    const lines = allOf(newLines, (line) => byMapping(line, mapping));
    if (lines !== undefined) results.set(lines.join('\n'), lines);
  }
  const [only] = results.values();
  return results.size === 1 ? only : undefined;
}

function byMapping(line: string, { model, file, deeper }: Mapping): string | undefined {
  const steps = stepsOf(line, model);
  // What stands less deep in the file may stand right there in the new text already.
  if (steps === undefined || steps + deeper < 0 || (model === file && deeper < 0)) return undefined;
  return file.repeat(steps + deeper) + line.slice(indentationOf(line).length);
}

function stepsOf(line: string, unit: string): number | undefined {
  const indentation = indentationOf(line);
  const steps = indentation.length / unit.length;
  return Number.isInteger(steps) && indentation === unit.repeat(steps) ? steps : undefined;
}

function allOf(lines: readonly string[], write: (line: string) => string | undefined): string[] | undefined {
  const written: string[] = [];
  for (const line of lines) {
    const one = isBlank(line) ? line : write(line);
    if (one === undefined) return undefined;
    written.push(one);
  }
  return written;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function commonIndentation(lines: readonly string[]): string {
  let common: string | undefined;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const own = indentationOf(line);
    common ??= own;
    while (!own.startsWith(common)) common = common.slice(0, -1);
  }
  return common ?? '';
}

const SAMPLED_LINES = 5000;
const UNIT = /^(?:\t| {2,4}| {8})$/;

/** What the lines of a file are indented by, judged by the steps that most of them go deeper than the ones before. */
export function unitOf(count: number, textOf: (index: number) => string | undefined): string | undefined {
  const steps = new Map<string, number>();
  let before = '';
  for (let index = 0; index < Math.min(count, SAMPLED_LINES); index += 1) {
    const line = textOf(index) ?? '';
    if (isBlank(line)) continue;
    const indentation = indentationOf(line);
    if (indentation.length > before.length && indentation.startsWith(before)) {
      const step = indentation.slice(before.length);
      if (UNIT.test(step)) steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    before = indentation;
  }
  const [first, second] = [...steps].toSorted(([, one], [, other]) => other - one);
  return first === undefined || first[1] === second?.[1] ? undefined : first[0];
}
