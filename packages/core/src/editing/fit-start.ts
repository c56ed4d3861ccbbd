import { flatLines, indentationOf } from './text-lines.js';

/** A place that was found literally. */
export interface FoundPlace {
  readonly text: string;
  readonly oldText: string;
  readonly newText: string;
  readonly start: number;
  readonly end: number;
}

/**
 * `as-is`: the new text already has the file's indentation; `shifted`: it was adapted; `unsure`: its lines would not fit, and their meaning
 * is not clear.
 */
export type FittedStart =
  { readonly fits: 'as-is' | 'unsure' } | { readonly fits: 'shifted'; readonly newText: string };

const AS_IS: FittedStart = { fits: 'as-is' };

/**
 * Decides how new lines are indented if the target begins after part of its line's indentation. They may be indented as in the file, or as
 * the first line was sent. They are taken as sent like the first line only if the file could not have them as they are.
 */
export function fitStart(place: FoundPlace): FittedStart {
  const { text, oldText, newText, start } = place;
  if (!newText.includes('\n') || oldText.trim() === '') return AS_IS;
  const lead = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (lead === '' || lead.trim() !== '') return AS_IS;
  const lines = flatLines(newText);
  const old = flatLines(oldText);
  const isFresh = (index: number): boolean => index > 0 && isFilled(lines[index]) && !old.includes(lines[index] ?? '');
  const fresh = [...lines.keys()].filter(isFresh);
  if (fresh.length === 0) return AS_IS;
  const isIndented = goesByIndentation(text);
  // If indentation has no meaning, only an unindented first line shows that the others may have lost theirs.
  if (!isIndented && depthOf(old[0]) > 0) return AS_IS;
  const depth = lead.length + depthOf(old[0]);
  const shallow = fresh.find((index) => depthOf(lines[index]) < depth);
  const isBroken = isIndented && breaksBlocks(place, lines, lead) && !breaksBlocks(place, old, lead);
  const asSent: FittedStart = isBroken ? { fits: 'unsure' } : AS_IS;
  if (shallow === undefined ? !isBroken : isStated(lines, old, shallow, depth)) return asSent;
  if (old.slice(1).some(isFilled) || !isLikeSent(lines, old[0] ?? '', lead)) return asSent;
  if (lines.some((line) => OPEN_TEXT.test(line))) return asSent;
  const shifted = lines.map((line, index) => (index > 0 && isFilled(line) ? lead + line : line));
  return { fits: 'shifted', newText: shifted.join('\n') };
}

const SAMPLED_CHARS = 100_000;

/** Returns true if a text is in a language whose indentation has a meaning, such as Python or YAML. */
function goesByIndentation(text: string): boolean {
  const lines = text.slice(0, SAMPLED_CHARS).split('\n').filter(isFilled);
  const closed = lines.filter((line) => /[;{}>]\s*$/.test(line)).length;
  return closed * 10 <= lines.length && lines.some((line) => /:\s*$|^\s*(?:- )?[\w.-]+: /.test(line));
}

/** Matches the start of a text of several lines in which white space counts. */
const OPEN_TEXT = /`|"""|'''|<<[-~]?\s*['"]?\w/;
const CLOSER = /^\s*(?:[)\]}]|<\/|end\b)/;

/** Returns true if a shallower line is meant that way. It closes something that the new text does not open, or it follows a blank line. */
function isStated(lines: readonly string[], old: readonly string[], index: number, depth: number): boolean {
  const before = lines.slice(0, index);
  if (!isFilled(before.at(-1))) return true;
  if (CLOSER.test(lines[index] ?? '') && !before.some((line) => /[([{>]\s*$/.test(line))) return true;
  // Lines of the old text show the depth of lines in the file.
  return old.slice(1).some((line) => isFilled(line) && depthOf(line) < depth);
}

/**
 * Returns true if all lines are at least as deep as the first was sent, in one kind of white space. One line must be exactly as deep,
 * unless the first line opens a block.
 */
function isLikeSent(lines: readonly string[], first: string, lead: string): boolean {
  const depths = lines.slice(1).filter(isFilled).map(depthOf);
  const kinds = new Set(`${lead}${lines.map(indentationOf).join('')}`);
  const opens = /[:([{]\s*$/.test(lines[0] ?? '');
  return kinds.size === 1 && (opens ? Math.min(...depths) >= depthOf(first) : Math.min(...depths) === depthOf(first));
}

/**
 * Returns true if a language with meaningful indentation could not parse the place. Either a line is deeper than one that opens nothing, or
 * no line is deeper than one that opens a block.
 */
function breaksBlocks({ text, start, end }: FoundPlace, lines: readonly string[], lead: string): boolean {
  const rest = text.slice(end).split('\n');
  const next = rest.slice(1).find((line) => isFilled(line) && !/^\s*#/.test(line));
  const above = text.slice(0, start).split('\n').slice(0, -1).findLast(isFilled);
  const all = [...`${lead}${lines.join('\n')}${rest[0] ?? ''}`.split('\n'), next ?? ''];
  const filled = [above ?? '', ...all].filter((line) => isFilled(line) && !/^\s*#/.test(line));
  let open = 0;
  return filled.some((line, index) => {
    const before = filled[index - 1];
    open += bracketsIn(before ?? '');
    if (open > 0) return false;
    if (before === undefined || (index === 1 && above !== undefined)) return false;
    const opens = /:\s*(?:#.*)?$/.test(before);
    if (opens && line !== next) return depthOf(line) <= depthOf(before) && !/^\s*-\s/.test(line);
    return !opens && depthOf(line) > depthOf(before) && !/[,([{\\=+*/|&-]\s*$/.test(before);
  });
}

/** Counts the brackets that a line opens, less those that it closes. */
function bracketsIn(line: string): number {
  return (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
}

function isFilled(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '';
}

function depthOf(line: string | undefined): number {
  return indentationOf(line ?? '').length;
}
