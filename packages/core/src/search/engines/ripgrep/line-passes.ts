import { isUnnamable } from '../../../files/escaped-bytes.js';
import { Failure } from '../../../util/failure.js';
import { isForDefaultEngine, placeForPcre2 } from '../javascript/javascript-pattern.js';
import { namesReturn } from '../named-line-ends.js';
import { hasLineStart } from '../plain-sets.js';
import { expressionOf, type SearchPattern } from '../search-pattern.js';
import { pathReader } from './count-reader.js';
import { baseFlags, fromArgument, lineEndFor, STANDARD_INPUT, toArgument, type LineEnd } from './ripgrep-arguments.js';
import type { TargetRuns } from './target-runs.js';

/** A search over some of the targets. */
export interface Pass {
  readonly targets: readonly string[];
  readonly lineEnd: LineEnd;
  readonly expression: string;
  /** The same as it was written, for what is wrong with it. */
  readonly written: string;
  /** Files in its folders that are another pass's: what is told of them does not count. */
  readonly skipped: ReadonlySet<string>;
  /** It is for some lines of its files only; another one is for the others. */
  readonly isPart: boolean;
}

/** ripgrep's default engine takes what is shorter, its repetitions written out. */
const SURELY_SMALL = 1_000;

/** For lines that ripgrep hands to PCRE2 with their line feed, or with their carriage return: nothing is found in them. */
const without = (rest: string, expression: string): string => `\\A[^\\n]*${rest}(*COMMIT)(*F)|${expression}`;

/**
 * In a text with CRLF, PCRE2 looks for no match that begins at the second half of a line's end, as one of `(?!b)\sfoo` may, unless the
 * pattern names a line feed; what is added here matches nothing. It would take that place for the start of a line, too, so a pattern with `^`
 * is left alone, and one that is wrong too.
 */
function withFeed(expression: string): string {
  const isLeft = hasLineStart(expression) || placeForPcre2(expression) !== undefined;
  return isLeft ? expression : `${expression}\\n{0}`;
}

/**
 * Of a line that PCRE2 searches ripgrep takes off `\r\n` and nothing else with `--crlf`, and `\n` and nothing else without it.
 * So files with both ends are searched twice, and every line loses its own. (Files whose names are not UTF-8, in a whole
 * folder, lose the `\n` only.)
 */
export async function passesOver(
  targets: readonly string[],
  { pattern, runs, isPcre2 }: { readonly pattern: SearchPattern; readonly runs: TargetRuns; readonly isPcre2: boolean },
): Promise<readonly Pass[]> {
  if (!dependsOnEnds(pattern, isPcre2)) return passesOf({ any: targets }, { pattern, isPcre2 });
  const returned = await filesWith('\\r$', targets, runs);
  const named = [...returned].map(toArgument);
  const mixed = await filesWith('(?-u)(?:^|[^\\r])$', named, runs);
  const parts = [...mixed].map(toArgument);
  const fed = targets.filter((target) => !returned.has(fromArgument(target)));
  const ended = named.filter((target) => !mixed.has(fromArgument(target)));
  // What is wrong with a pattern is told of it as it was written.
  if (fed.length + ended.length === 0) await askOfPattern(pattern, runs);
  return passesOf({ fed, ended, mixed: parts, returned }, { pattern, isPcre2 });
}

/** The same for a text at hand, the standard input. */
export function passesOverText(text: string, isPcre2: boolean, pattern: SearchPattern): readonly Pass[] {
  const targets = [STANDARD_INPUT];
  const asked = { pattern, isPcre2 };
  if (!dependsOnEnds(pattern, isPcre2)) return passesOf({ any: targets }, asked);
  const isReturned = text.includes('\r\n') || text.endsWith('\r');
  if (!isReturned) return passesOf({ fed: targets }, asked);
  const isMixed = /(?<!\r)\n|[^\r\n](?![^])/.test(text);
  return passesOf(isMixed ? { mixed: targets } : { ended: targets }, asked);
}

/** Whether it matters how the lines of a file end. */
function dependsOnEnds(pattern: SearchPattern, isPcre2: boolean): boolean {
  return isPcre2 && !pattern.multiline && !namesReturn(pattern);
}

/** Targets by how their lines end. */
interface LineEnds {
  /** Where it does not matter. */
  readonly any?: readonly string[];
  /** All of them in `\n` alone. */
  readonly fed?: readonly string[];
  /** All of them in `\r\n`. */
  readonly ended?: readonly string[];
  readonly mixed?: readonly string[];
  /** Files in folders among those that are `fed`, and which are not. */
  readonly returned?: ReadonlySet<string>;
}

function passesOf(
  { any = [], fed = [], ended = [], mixed = [], returned }: LineEnds,
  { pattern, isPcre2 }: { readonly pattern: SearchPattern; readonly isPcre2: boolean },
): readonly Pass[] {
  const written = expressionOf(pattern);
  const expression = isPcre2 && pattern.multiline ? withFeed(written) : written;
  const skipped: ReadonlySet<string> = new Set();
  const whole = { expression, written, skipped, isPart: false };
  const passes: readonly Pass[] = [
    { ...whole, targets: any, lineEnd: lineEndFor(pattern) },
    { ...whole, targets: fed, lineEnd: '\n', skipped: returned ?? skipped },
    { ...whole, targets: ended, lineEnd: '\r\n' },
    { ...whole, targets: mixed, lineEnd: '\n', expression: without('\\r\\z', expression), isPart: true },
    { ...whole, targets: mixed, lineEnd: '\r\n', expression: without('\\n', expression), isPart: true },
  ];
  return passes.filter((pass) => pass.targets.length > 0);
}

/** Files with a line for which the expression matches; those that cannot be read are told by whoever searches them. */
async function filesWith(
  expression: string,
  targets: readonly string[],
  runs: TargetRuns,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const ignored = (): void => undefined;
  await runs.run({
    flags: [...baseFlags(ANY_LINES, '\n'), '--files-with-matches', '--null'],
    expression,
    targets: runs.thoseThere(targets, ignored),
    read: pathReader((path) => void (isUnnamable(path) || found.add(path))),
    failed: ignored,
  });
  return found;
}

const ANY_LINES: SearchPattern = { pattern: '', caseSensitive: true, fixedStrings: false, multiline: false };

/** Whether PCRE2 searches for it. ripgrep is asked where that is not plain to see. */
export async function isForPcre2(pattern: SearchPattern, runs: TargetRuns): Promise<boolean> {
  if (pattern.fixedStrings) return false;
  const isKnown = isForDefaultEngine(pattern);
  if (isKnown === false) return true;
  if (isKnown === true && sizeOf(pattern.pattern) < SURELY_SMALL) return false;
  try {
    await askOfPattern(pattern, runs, ['--engine=default']);
    return false;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'invalid_pattern') return true;
    throw thrown;
  }
}

/** @throws Failure `invalid_pattern` */
export async function askOfPattern(
  pattern: SearchPattern,
  runs: TargetRuns,
  flags: readonly string[] = [],
): Promise<void> {
  const nothing = (): void => undefined;
  await runs.run({
    flags: [...baseFlags(pattern), ...flags, '--quiet'],
    expression: expressionOf(pattern),
    // The standard input, which is empty.
    targets: [STANDARD_INPUT],
    read: nothing,
    failed: nothing,
  });
}

function sizeOf(pattern: string): number {
  let size = pattern.length;
  for (const [, least, most] of pattern.matchAll(/\{\s*(\d+)(?:\s*,\s*(\d+))?/g))
    size *= Math.max(1, Number(most ?? least));
  return size;
}
