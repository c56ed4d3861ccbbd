/** A path that is looked at. */
export interface ScoredPath {
  readonly path: string;
  /** In lower case, as long as the path. */
  readonly folded: string;
  /** Where its last name begins. */
  readonly name: number;
  /** See `pathCost`. */
  readonly cost: number;
}

/** What is looked for. */
export interface PathQuery {
  readonly text: string;
  readonly folded: string;
  /** With a capital letter in it, case is worth something. */
  readonly hasCapital: boolean;
}

export function pathQuery(text: string): PathQuery {
  const lower = text.toLowerCase();
  const folded = lower.length === text.length ? lower : text;
  return { text, folded, hasCapital: folded !== text };
}

/** Worse than every path that fits. */
export const NO_MATCH = -1;

const IN_NAME = 4_000;
const IN_PATH = 2_500;
const SCATTERED = 1_000;
const AT_START = 800;
const AT_WORD = 400;
const WHOLE = 600;
const SAME_CASE = 60;
const BELOW = 1_200;
/** Cost of each character of the path, and of each folder on its way. */
const LENGTH = 2;
const DEPTH = 12;

/**
 * How well a path fits, the more the better; `NO_MATCH` where the letters are not in it in that order. What stands together in
 * the last name is best, then what stands together elsewhere, then letters that begin words. Pure.
 */
export function scorePath(query: PathQuery, { path, folded, name, cost }: ScoredPath): number {
  const { folded: wanted, text } = query;
  const inName = wanted.length > path.length ? -1 : folded.indexOf(wanted, name);
  const at = inName === -1 ? folded.indexOf(wanted) : inName;
  if (at === -1) {
    const score = scoreScattered(wanted, path, folded, name);
    return score === NO_MATCH ? NO_MATCH : Math.max(0, SCATTERED + score - cost);
  }
  let score = inName === -1 ? IN_PATH : IN_NAME;
  if (inName === name || at === 0) score += AT_START;
  else if (isWordStart(path, at)) score += AT_WORD;
  if (inName === name && endsName(path, at + wanted.length)) score += WHOLE;
  // What begins so is below the folder that was typed.
  if (at === 0 && wanted.includes('/')) score += BELOW;
  if (query.hasCapital && path.startsWith(text, at)) score += SAME_CASE;
  return Math.max(0, score - cost);
}

/** From the end on, so that the last name is preferred. */
function scoreScattered(wanted: string, path: string, folded: string, name: number): number {
  let at = folded.length - 1;
  let [inName, starts, joined] = [0, 0, 0];
  let before = -2;
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const code = wanted.charCodeAt(index);
    while (at >= 0 && folded.charCodeAt(at) !== code) at -= 1;
    if (at < 0) return NO_MATCH;
    if (at >= name) inName += 1;
    if (before === at + 1) joined += 1;
    if (isWordStart(path, at)) starts += 1;
    before = at;
    at -= 1;
  }
  return Math.round((200 * inName + 500 * starts + 900 * joined) / wanted.length);
}

function isWordStart(path: string, at: number): boolean {
  if (at === 0) return true;
  const before = path.charCodeAt(at - 1);
  const code = path.charCodeAt(at);
  // Behind a sign, or a capital behind a small letter.
  if (before === 0x2f || before === 0x2e || before === 0x2d || before === 0x5f || before === 0x20) return true;
  return code >= 0x41 && code <= 0x5a && before >= 0x61 && before <= 0x7a;
}

/** The end of the path, of a folder's name, or of a name without its ending. */
function endsName(path: string, at: number): boolean {
  return at === path.length || path.charCodeAt(at) === 0x2e || (at === path.length - 1 && path.charCodeAt(at) === 0x2f);
}

/** What a path is worse for being long and deep. */
export function pathCost(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1 && at < path.length - 1; at = path.indexOf('/', at + 1)) depth += 1;
  return LENGTH * path.length + DEPTH * depth;
}
