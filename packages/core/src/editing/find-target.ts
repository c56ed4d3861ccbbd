import { undoArtefacts } from './argument-artefacts.js';
import { findElided } from './elided-match.js';
import { findMatches, type Match, type MatchRequest } from './match-text.js';
import type { MatchTier, Replacement, TargetResult } from './target-result.js';
import { indexLines, type TextLines } from './text-lines.js';

export type { MatchTier, Replacement, TargetResult } from './target-result.js';

export interface TargetRequest {
  readonly text: string;
  /** Not empty. */
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

const STARTS_REPORTED = 10;

/** Where `oldText` stands in the text and what is to be written there. Everything outside the spans stays as it is. */
export function findTarget(request: TargetRequest): TargetResult {
  const { text, oldText, newText } = request;
  const [inText, inOld] = [text, oldText].map((one) => one.startsWith(BOM));
  if (inText === inOld || oldText === BOM) return findPlain(request);
  // What marks the whole file is no part of its first line.
  if (inText === true) return shifted(findPlain({ ...request, text: text.slice(1) }), 1);
  if (text.includes(oldText)) return findPlain(request);
  const meant = newText.startsWith(BOM) ? newText.slice(1) : newText;
  return findPlain({ ...request, oldText: oldText.slice(1), newText: meant });
}

const BOM = '\ufeff';

function shifted(result: TargetResult, by: number): TargetResult {
  if (result.found === 'several') return { ...result, starts: result.starts.map((start) => start + by) };
  if (result.found !== 'one-or-all') return result;
  const replacements = result.replacements.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
  return { ...result, replacements };
}

function findPlain(request: TargetRequest): TargetResult {
  const { text } = request;
  let known: TextLines | undefined;
  const lines = (): TextLines => (known ??= indexLines(text));
  const plain = findMatches({ ...request, lines });
  if (plain !== undefined) return judge({ ...request, lines }, plain.tier, plain.found);
  return findDamaged({ ...request, lines }) ?? findElided({ ...request, lines });
}

/** By what the arguments were before they were escaped once too often, or copied with line numbers. */
function findDamaged(request: MatchRequest): TargetResult | undefined {
  const { text, oldText, newText } = request;
  let best: { readonly result: TargetResult; readonly strict: boolean } | undefined;
  for (const artefact of undoArtefacts(oldText, newText)) {
    const meant: MatchRequest = { ...request, ...artefact.meant, wholeLines: artefact.wholeLines };
    const matches = findMatches(meant);
    const found = matches?.found.filter((match) => artefact.accepts(text, match.start, match.end)) ?? [];
    const strict = matches?.tier !== 'indentation' && matches?.tier !== 'look-alikes';
    if (found.length === 0 || (best !== undefined && (best.strict || !strict))) continue;
    if (artefact.sameIndentation === true && !strict) continue;
    const { tier, refusal } = artefact;
    const result: TargetResult =
      refusal === undefined ? judge(meant, tier, found) : { found: 'refused', reason: tier, ...refusal };
    best = { result, strict };
  }
  return best?.result;
}

function judge(
  { replaceAll, oldText, newText }: MatchRequest,
  tier: MatchTier,
  matches: readonly Match[],
): TargetResult {
  const overlap = matches.some(({ start }, index) => start < (matches[index - 1]?.end ?? 0));
  if (overlap || (matches.length > 1 && !replaceAll)) {
    const starts = matches.slice(0, STARTS_REPORTED).map(({ start }) => start);
    return { found: 'several', tier, count: matches.length, starts };
  }
  const replacements: Replacement[] = [];
  for (const { start, end, write, isAskew } of matches) {
    if (isAskew === true) return { found: 'refused', reason: 'indentation', detail: ASKEW, line: 2 };
    const text = write();
    if (text === undefined) return { found: 'none' };
    replacements.push({ start, end, text });
  }
  return { found: 'one-or-all', tier, replacements, oldText, newText };
}

const ASKEW =
  'old_string begins within the indentation of its line, and new lines that stand as they are sent would not fit below it; send both texts with all of their indentation.';

/** The text with the replacements in it, which are sorted and do not overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const replacement of replacements) {
    pieces.push(text.slice(at, replacement.start), replacement.text);
    at = replacement.end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** 1-based number of the line that a place lies in. */
export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
