import { shownText } from '../util/shown-text.js';
import { numberLines } from './numbered-lines.js';

const MAX_SHOWN_LENGTH = 200;

export interface MissedTarget {
  /** One of the keys below; any other is not explained. */
  readonly cause: string;
  /** 0-based. */
  readonly nearest: { readonly firstLine: number; readonly lines: readonly string[] } | undefined;
  readonly suggestion: string | undefined;
  /** The line of the other place, 1-based. */
  readonly tied?: number;
}

const CAUSES: Readonly<Record<string, string>> = {
  'white-space': 'It differs from the file in white space only.',
  tabs: 'It differs from the file in tabs and spaces only.',
  'line-ends': 'It differs from the file in line ends only.',
  'look-alikes':
    'It differs from the file in white space and in characters that look the same (quotes, dashes, spaces).',
  escapes:
    'It has one level of escapes too many, such as \\n for a line end or \\" for a quote. Send both strings without them.',
  'letter-case': 'It differs from the file in upper and lower case.',
  'line-numbers': 'It has the line numbers of a listing in it.',
  elided:
    'It leaves lines out. Give all of them, or leave out the same at the same place of new_string, between lines that stand in the file once.',
  'already-applied': 'new_string stands in the file already: the edit seems to have been made.',
  'stale-copy': 'It stood in the file when you read it; the file has changed since.',
  'near-miss': 'There is something like it.',
  'wrong-file': 'Nothing in the file is like it; is this the right file?',
};

/** Where white space is what differs, it is shown. */
const SHOWS_BLANKS: ReadonlySet<string> = new Set(['white-space', 'tabs', 'line-ends', 'look-alikes']);

/** What the model is told when its target was not found (S92). */
export function reportMiss({
  path,
  cause,
  nearest,
  suggestion,
  tied,
  readTool,
}: MissedTarget & { readonly path: string; readonly readTool: string }): string {
  const why = CAUSES[cause] === undefined ? '' : ` ${CAUSES[cause]}`;
  const both =
    tied === undefined || nearest === undefined ? '' : ` Lines ${nearest.firstLine + 1} and ${tied} are both like it.`;
  // If the exact text follows, the model need not read the file.
  const next = suggestion === undefined ? ` Read file first to get exact text (${readTool}).` : '';
  const head = `old_string was not found in ${path}; nothing was changed.${why}${both}${next}`;
  return [head, ...shownLines(cause, nearest), ...shownSuggestion(suggestion)].join('\n');
}

function shownLines(cause: string, nearest: MissedTarget['nearest']): string[] {
  if (nearest === undefined) return [];
  const lines = nearest.lines.map((line) => shownText(clip(line)));
  if (!SHOWS_BLANKS.has(cause)) return ['The nearest lines are:', numberLines(lines, nearest.firstLine + 1)];
  const numbered = lines.map((line, index) => `${nearest.firstLine + 1 + index}: ${visible(line)}`);
  return ['The nearest lines are (→ is a tab, · a space at either end):', ...numbered];
}

function shownSuggestion(suggestion: string | undefined): string[] {
  if (suggestion === undefined) return [];
  const isClosed = suggestion.endsWith('\n');
  const head = `This old_string stands in the file once${isClosed ? ' (with the line end of its last line)' : ''}; new_string must repeat what shall stay of it:`;
  return [head, inFence(suggestion)];
}

/** Wraps a text in lines of backticks that the text itself does not have. */
export function inFence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replaceAll('\r\n', '\n')}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

function visible(line: string): string {
  const show = (blanks: string): string => blanks.replaceAll('\t', '→').replaceAll(' ', '·');
  const content = line.trim();
  if (content === '') return show(line);
  const start = line.indexOf(content);
  return show(line.slice(0, start)) + content.replaceAll('\t', '→') + show(line.slice(start + content.length));
}

function clip(line: string): string {
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
