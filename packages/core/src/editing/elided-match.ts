import { findMatches, type MatchRequest } from './match-text.js';
import { readOmission } from './omission-line.js';
import { flatLines } from './text-lines.js';
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
}

function splitAtElisions(text: string): Split {
  const elisions: string[] = [];
  const parts: string[][] = [[]];
  for (const line of flatLines(text)) {
    if (readOmission(line) === undefined) {
      parts.at(-1)?.push(line);
      continue;
    }
    elisions.push(line.trim());
    parts.push([]);
  }
  return { elisions, parts };
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
