export type NumberSeparator = keyof typeof PATTERNS;

export interface StrippedLines {
  readonly text: string;
  readonly separator: NumberSeparator;
  /** The number of the first line. */
  readonly first: number;
  /** Lines that had a number. */
  readonly count: number;
  readonly numbers: readonly number[];
  /** Whether each number is by one larger than the one before. */
  readonly consecutive: boolean;
}

/** How listings separate the number of a line from the line: `12→`, a tab, `12| `, `12: `, `12:`. */
const PATTERNS = {
  arrow: /^ *(\d{1,9})→/,
  tab: /^ *(\d{1,9})\t/,
  bar: /^ *(\d{1,9}) ?(?:\| |\|$)/,
  colonSpace: /^ *(\d{1,9})(?:: |:$)/,
  colon: /^ *(\d{1,9}):/,
};
const SEPARATORS: readonly NumberSeparator[] = ['arrow', 'tab', 'bar', 'colonSpace', 'colon'];

/**
 * The text without the line numbers, when every line has one. Without `separator` they must be consecutive as well,
 * as in a listing.
 */
export function stripLineNumbers(text: string, separator?: NumberSeparator): StrippedLines | undefined {
  return separator === undefined ? strippings(text)[0] : stripWith(text, separator);
}

/** Every way to read consecutive numbers off all lines. */
export function strippings(text: string): StrippedLines[] {
  return SEPARATORS.flatMap((one) => {
    const stripped = stripWith(text, one);
    return stripped?.consecutive === true ? [stripped] : [];
  });
}

function stripWith(text: string, separator: NumberSeparator): StrippedLines | undefined {
  const lines = text.split('\n');
  const closed = lines.length > 1 && lines.at(-1) === '';
  const numbered = closed ? lines.slice(0, -1) : lines;
  const stripped: string[] = [];
  const numbers: number[] = [];
  for (const line of numbered) {
    const found = PATTERNS[separator].exec(line);
    if (found === null) return undefined;
    stripped.push(line.slice(found[0].length));
    numbers.push(Number(found[1]));
  }
  const [first = 0] = numbers;
  const consecutive = numbers.every((number, index) => number === first + index);
  return {
    text: stripped.join('\n') + (closed ? '\n' : ''),
    separator,
    first,
    count: numbers.length,
    numbers,
    consecutive,
  };
}

/** The first line, 1-based, that has such a number. */
export function lineNumberIn(text: string, separator: NumberSeparator): number | undefined {
  const index = text.split('\n').findIndex((line) => PATTERNS[separator].test(line));
  return index === -1 ? undefined : index + 1;
}

/** A line with the start of a listing's line. */
export interface NumberedLine {
  readonly number: number;
  /** The text behind the number. */
  readonly rest: string;
  readonly separator: NumberSeparator;
}

/** Returns every way to read a line as one of a listing. */
export function readNumbered(line: string): NumberedLine[] {
  return SEPARATORS.flatMap((separator) => {
    const found = PATTERNS[separator].exec(line);
    return found === null ? [] : [{ number: Number(found[1]), rest: line.slice(found[0].length), separator }];
  });
}

/** The text without whatever looks like the line number of a listing, before any of its lines. */
export function dropLineNumbers(text: string): string {
  return text.replace(/^ *\d{1,9}(?:→|\t| ?\| ?|: ?)/gm, '');
}
