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
  const { wanted, originals, newLines } = request;
  const shift = shiftOf(wanted, originals);
  const shifted = shift === undefined ? undefined : allOf(newLines, (line) => byShift(line, shift, request));
  return shifted ?? byUnits(mappingsOf(wanted, originals), newLines);
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

function byShift(line: string, { from, to }: Shift, request: Reindentation): string | undefined {
  const { wanted, newLines, fileIndents: fileUnit } = request;
  // Lines that show how the file indents further speak for themselves; without them its unit does.
  const shown = wanted.some((one) => !isBlank(one) && indentationOf(one).length > from.length);
  const units = modelUnits([...wanted, ...newLines], fileUnit);
  // A tab is shown by as many blanks as anybody likes; a width of blanks is taken for another only as a whole.
  const likely = fileUnit === '\t' ? units : units.slice(0, 1);
  const unit = likely.find((one) => fileUnit !== undefined && stepsOf(from, one) === stepsOf(to, fileUnit));
  if (!shown && fileUnit !== undefined && unit !== undefined && unit !== fileUnit) {
    return byMapping(line, { model: unit, file: fileUnit, deeper: 0 });
  }
  if (!line.startsWith(from)) return undefined;
  const deeper = indentationOf(line).slice(from.length);
  const rest = line.slice(from.length + deeper.length);
  const style = to === '' ? fileUnit?.[0] : to.includes('\t') ? '\t' : ' ';
  if (shown || deeper === '' || style === undefined || deeper === style.repeat(deeper.length))
    return to + deeper + rest;
  const steps = stepsOf(deeper, units[0] ?? ' ');
  if (steps === undefined) return undefined;
  if (style === '\t') return to + style.repeat(steps) + rest;
  return fileUnit === undefined ? undefined : to + fileUnit.repeat(steps) + rest;
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
function mappingsOf(wanted: readonly string[], originals: readonly string[]): Mapping[] {
  const mappings: Mapping[] = [];
  // Two widths of spaces can be told apart by lines of several depths only.
  const depths = new Set(wanted.filter((line) => !isBlank(line)).map(indentationOf)).size;
  for (const model of UNITS) {
    for (const file of UNITS) {
      if (depths < 2 && model !== file && model !== '\t' && file !== '\t') continue;
      const deeper = constantDifference(wanted, originals, model, file);
      if (deeper !== undefined) mappings.push({ model, file, deeper });
    }
  }
  return mappings;
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
