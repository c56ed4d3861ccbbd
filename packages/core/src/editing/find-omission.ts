import { alignLines } from './align-lines.js';
import type { Omission } from './edit-plan.js';
import { findResidue, hasBraces } from './find-residue.js';
import { isComment, readOmission, readPlaceholder, type OmissionLine } from './omission-line.js';
import { flatLines, hasLine } from './text-lines.js';
import { hunksOf } from './write-match.js';

const MAX_QUOTED = 80;

/**
 * Finds text that the new text would bring into the file by mistake: a placeholder for lines that would be lost, line numbers of a listing,
 * or signs of the call. Lines that are already in the old text are ignored.
 * `oldText`: the text that is replaced, empty if there is none. `fileText`: the file as it is.
 */
export function findOmission(newText: string, oldText: string, fileText = ''): Omission | undefined {
  return placeholderIn(flatLines(newText), oldText, fileText) ?? findResidue(newText, oldText, fileText);
}

function placeholderIn(lines: readonly string[], oldText: string, fileText: string): Omission | undefined {
  let text: NewText | undefined;
  const seen = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const omission = readPlaceholder(line);
    if (omission === undefined) continue;
    text ??= { lines, fileText, change: changeOf(lines, oldText), examples: examplesIn(lines, oldText, fileText) };
    const said = line.trim();
    const count = (seen.get(said) ?? 0) + 1;
    seen.set(said, count);
    if (count <= (text.change.oldLines.get(said) ?? 0)) continue;
    const lost = lossAt(text.change, index);
    if (!isPlaceholder(text, { ...omission, index }, lost)) continue;
    const quoted = said.length > MAX_QUOTED ? `${said.slice(0, MAX_QUOTED)}…` : said;
    const choice = lost.lines === 0 ? '' : ', or leave it out if the lines it stands for are to go';
    return {
      reason: 'omission',
      detail: `The new text has a placeholder for code that is left out (\`${quoted}\`); write out the real lines${choice}.`,
      line: index + 1,
    };
  }
  return undefined;
}

interface NewText {
  readonly lines: readonly string[];
  readonly fileText: string;
  readonly change: Change;
  /** True for each line of the new text within a code fence of a document. */
  readonly examples: readonly boolean[];
}

interface PlacedLine extends OmissionLine {
  readonly index: number;
}

/** Returns true if a line stands for lines that would be lost. The vaguer its words, the more lines must be lost. */
function isPlaceholder(text: NewText, line: PlacedLine, { lines, code, net }: Loss): boolean {
  const said = text.lines[line.index]?.trim() ?? '';
  switch (line.kind) {
    case 'words':
      return net > 0 || !(text.examples[line.index] === true || hasLine(text.fileText, said));
    case 'dots':
      return lines > 0 && net > toleratedLoss(text, line);
    case 'state':
      return code > 0 && (net > 0 || !isHead(text, line));
    case 'weak':
      return code > 0 && net > 0;
    case 'hint':
      return code > 0 && net > SHORT_BODY && !isHead(text, line);
    default:
      return line.kind satisfies never;
  }
}

/** The lines that an edit removes and adds. */
interface Change {
  /** The count of each line in the old text, trimmed and without empty lines. */
  readonly oldLines: ReadonlyMap<string, number>;
  readonly lost: readonly string[];
  readonly gained: number;
  /** For each line of the new text, the number of lines by which its part gets shorter. */
  readonly shrinkage: () => ReadonlyMap<number, number>;
}

interface Loss {
  /** Lines of the old text that have words and are nowhere in the new one. */
  readonly lines: number;
  /** The lost lines that are not comments. */
  readonly code: number;
  /** The surplus of removed lines over added ones, in the whole edit or in the part around the line. */
  readonly net: number;
}

function changeOf(lines: readonly string[], oldText: string): Change {
  const old = flatLines(oldText)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const come = [...lines.entries()].flatMap(([index, line]) => {
    const said = line.trim();
    // A line that also holds code counts as a line.
    const isOmission = readOmission(said) !== undefined || readPlaceholder(said)?.comment === true;
    return isOmission || HAS_WORDS.test(said) ? [{ index, said, isOmission }] : [];
  });
  const oldLines = countOf(old);
  const withWords = old.filter((line) => HAS_WORDS.test(line));
  const fresh = come.filter(({ isOmission }) => !isOmission).map(({ said }) => said);
  const lost = surplusOf(withWords, countOf(fresh));
  let shrinkage: ReadonlyMap<number, number> | undefined;
  return {
    oldLines,
    lost,
    gained: surplusOf(fresh, countOf(withWords)).length,
    shrinkage: () => (shrinkage ??= shrinkageOf(withWords, come)),
  };
}

/** Lines of brackets alone are everywhere, so their loss means nothing. */
const HAS_WORDS = /[\p{L}\p{N}]/u;

function countOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Returns the lines that occur more often here than there. */
function surplusOf(lines: readonly string[], there: Map<string, number>): string[] {
  return lines.filter((line) => {
    const left = there.get(line) ?? 0;
    there.set(line, left - 1);
    return left <= 0;
  });
}

function shrinkageOf(
  old: readonly string[],
  come: readonly { readonly index: number; readonly said: string; readonly isOmission: boolean }[],
): Map<number, number> {
  const kept = alignLines(
    old,
    come.map(({ said }) => said),
  );
  const shrinkage = new Map<number, number>();
  for (const { oldFrom, oldTo, newFrom, newTo } of hunksOf(kept, old.length)) {
    const part = come.slice(newFrom, newTo);
    const by = oldTo - oldFrom - part.filter(({ isOmission }) => !isOmission).length;
    for (const { index } of part) shrinkage.set(index, by);
  }
  return shrinkage;
}

function lossAt({ lost, gained, shrinkage }: Change, index: number): Loss {
  const lines = lost.length;
  if (lines === 0) return { lines, code: 0, net: 0 };
  // Lines that only move are not lost.
  const near = Math.min(lines, shrinkage().get(index) ?? 0);
  return { lines, code: lost.filter((line) => !isComment(line)).length, net: Math.max(lines - gained, near) };
}

function examplesIn(lines: readonly string[], oldText: string, fileText: string): boolean[] {
  const at = oldText === '' ? -1 : fileText.indexOf(oldText);
  let isExample = false;
  const next = (line: string): boolean => (isExample = FENCE.test(line) ? !isExample : isExample);
  if (at > 0) for (const line of fileText.slice(0, at).split('\n')) next(line);
  return lines.map(next);
}

/** Returns true if a new line follows at once, so that the comment may be about it. */
function isHead({ lines, change }: NewText, { index }: PlacedLine): boolean {
  const below = lines[index + 1]?.trim() ?? '';
  return HAS_WORDS.test(below) && readPlaceholder(below) === undefined && !change.oldLines.has(below);
}

/**
 * Returns how many lines an edit may lose if its dots may be meant literally. They may be in a document's example. Bare dots may also be a
 * Python body, parameters, or dots in a language without braces.
 */
function toleratedLoss({ lines, fileText, examples }: NewText, { index, comment }: PlacedLine): number {
  if (examples[index] === true) return SHORT_BODY;
  const trimmed = lines.map((line) => line.trim());
  if (comment || trimmed[index] === '…') return -Infinity;
  const above = trimmed.slice(0, index).findLast((line) => line !== '') ?? '';
  const below = trimmed.slice(index + 1).find((line) => line !== '') ?? '';
  // Unnamed parameters in C.
  if (/[,(]$/.test(above) && below.startsWith(')')) return SHORT_BODY;
  if (/[,[{]$/.test(above)) return -Infinity;
  // The body of Python; in a language with braces the colon may end a label.
  if (above.endsWith(':')) return hasBraces(fileText) && LABEL.test(above) ? -Infinity : SHORT_BODY;
  return hasBraces(fileText) ? -Infinity : 0;
}

const SHORT_BODY = 2;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const LABEL = /^(?:case\b.*|default *|\w+ *):$/;
