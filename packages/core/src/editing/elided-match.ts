import { findMatches, type MatchRequest } from './match-text.js';
import { readOmission } from './omission-line.js';
import { flatLines, indentationOf } from './text-lines.js';
import type { Replacement, TargetResult } from './target-result.js';

const NONE: TargetResult = { found: 'none' };

/**
 * A target whose middle is left out by a line such as `...` or `// rest of code`. It is found when the new text
 * leaves out the same, and each part stands in the file once, in order: what lies between them stays.
 */
export function findElided(request: Omit<MatchRequest, 'wholeLines'>): TargetResult {
  const { oldText, newText, replaceAll } = request;
  const old = splitAtElisions(oldText);
  const renewed = splitAtElisions(newText);
  const same =
    old.elisions.length === renewed.elisions.length &&
    old.elisions.every((line, index) => line === renewed.elisions[index]);
  if (old.elisions.length === 0 || !same || replaceAll || movesLines(old.parts, renewed.parts)) return NONE;
  const replacements: Replacement[] = [];
  let after = 0;
  let located = 0;
  for (const [index, lines] of old.parts.entries()) {
    const newLines = [...(renewed.parts[index] ?? [])];
    const oldLines = [...lines];
    trimSharedBlanks(oldLines, newLines, index > 0, index < old.parts.length - 1);
    if (oldLines.length === 0 && newLines.length === 0) continue;
    const isLast = index === old.parts.length - 1;
    const [part, newPart] = isLast ? [oldLines, newLines].map(openText) : [oldLines, newLines].map(closedText);
    const place = locate({ ...request, oldText: part ?? '', newText: newPart ?? '' });
    if (place === undefined || place.start < after) return NONE;
    if (
      located > 0 &&
      leavesBlock(request.text, { from: after, to: place.start, isInner: old.inner[index - 1] === true })
    ) {
      return NONE;
    }
    after = place.end;
    located += 1;
    if (part !== newPart) replacements.push(place);
  }
  if (located === 0 || replacements.length === 0) return NONE;
  return { found: 'one-or-all', tier: 'elided', replacements, oldText, newText };
}

function openText(lines: readonly string[]): string {
  return lines.join('\n');
}

function closedText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

interface Split {
  /** Without white space at their ends. */
  readonly elisions: readonly string[];
  /** One more than elisions; a closing line end is an empty last line. */
  readonly parts: readonly (readonly string[])[];
  /** Of each elision, whether it is in the block of the line above it: it or the line below stands deeper. */
  readonly inner: readonly boolean[];
}

function splitAtElisions(text: string): Split {
  const elisions: string[] = [];
  const parts: string[][] = [[]];
  const inner: boolean[] = [];
  const lines = flatLines(text);
  for (const [index, line] of lines.entries()) {
    if (readOmission(line) === undefined) {
      parts.at(-1)?.push(line);
      continue;
    }
    elisions.push(line.trim());
    parts.push([]);
    const above = depthOf(lines.slice(0, index).findLast(isFilled));
    inner.push(Math.max(depthOf(line), depthOf(lines.slice(index + 1).find(isFilled))) > above);
  }
  return { elisions, parts, inner };
}

function isFilled(line: string): boolean {
  return line.trim() !== '';
}

function depthOf(line: string | undefined): number {
  return indentationOf(line ?? '').length;
}

interface Gap {
  /** Where the part above ends, past the ending of its last line. */
  readonly from: number;
  readonly to: number;
  readonly isInner: boolean;
}

/** Whether lines that are left out end the block that both parts are in: then the part below belongs to another one. */
function leavesBlock(text: string, { from, to, isInner }: Gap): boolean {
  const above = depthOf(text.slice(0, from).trimEnd().split('\n').at(-1));
  const start = text.lastIndexOf('\n', to - 1) + 1;
  const below = depthOf(text.slice(start).split('\n', 1)[0]);
  const least = isInner ? above + 1 : Math.min(above, below);
  return text
    .slice(from, Math.max(from, start))
    .split('\n')
    .some((line) => isFilled(line) && depthOf(line) < least);
}

/** Whether a line passes from one side of what is left out to another: then it is not left out at the same place. */
function movesLines(oldParts: readonly (readonly string[])[], newParts: readonly (readonly string[])[]): boolean {
  const homes = new Map<string, Set<number>>();
  for (const [index, lines] of oldParts.entries()) {
    for (const line of lines) homes.set(line.trim(), (homes.get(line.trim()) ?? new Set()).add(index));
  }
  return newParts.some((lines, index) =>
    lines.some((line) => line.trim() !== '' && homes.get(line.trim())?.has(index) === false),
  );
}

/** Blank lines beside an elision belong to what is left out, when both texts have them. */
function trimSharedBlanks(oldLines: string[], newLines: string[], atStart: boolean, atEnd: boolean): void {
  const blank = (line: string | undefined): boolean => line !== undefined && line.trim() === '';
  while (blank(oldLines[0]) && blank(newLines[0])) {
    if (!atStart) break;
    oldLines.shift();
    newLines.shift();
  }
  while (blank(oldLines.at(-1)) && blank(newLines.at(-1))) {
    if (!atEnd) break;
    oldLines.pop();
    newLines.pop();
  }
}

function locate(request: Omit<MatchRequest, 'wholeLines'>): Replacement | undefined {
  if (request.oldText.trim() === '') return undefined;
  const [match, second] = findMatches({ ...request, replaceAll: false, wholeLines: true })?.found ?? [];
  const text = match?.write();
  return match === undefined || second !== undefined || text === undefined ? undefined : { ...match, text };
}
