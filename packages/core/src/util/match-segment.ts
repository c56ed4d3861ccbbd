const SLASH = 0x2f;
/** Any run of characters, also none. */
const STAR = Symbol('*');

/** Text that must stand there, a star, or a test of one character (code point). */
type SegmentToken = string | typeof STAR | CharacterTest;

type CharacterTest = (character: string) => boolean;

/** `ascii`: of ASCII's letters only; a capital that is escaped, or alone in a set, then stands for nothing, as git has it. */
export type IgnoreCase = boolean | 'ascii';

/** The part of a glob between two slashes. Made by `parseGlob` only. */
export interface Segment {
  readonly tokens: readonly SegmentToken[];
  readonly ignoreCase: IgnoreCase;
  /** Two stars or more and nothing else: many globs let it stand for any number of names. */
  readonly isGlobstar: boolean;
}

export interface GlobDialect {
  readonly ignoreCase?: IgnoreCase;
  /**
   * What an open `[` and a backslash at the end are: themselves, or reason for the glob to match nothing.
   * A range that runs backwards, or a slash, makes its set plain text; or the range holds its first character and the slash nothing, as git has it.
   * Classes such as `[:alpha:]` hold what they hold in bash with UTF-8; or ASCII alone, as git has it.
   */
  readonly malformed: 'literal' | 'nothing';
}

/**
 * Reads `*`, `?`, `[a-z]`, `[!a]`, `[[:alpha:]]` and `\x`, split at the slashes outside sets. Nothing else has a
 * meaning. Undefined for a glob that matches nothing.
 */
export function parseGlob(glob: string, dialect: GlobDialect): Segment[] | undefined {
  const characters = Array.from(glob);
  const segments: Segment[] = [];
  const { ignoreCase = false } = dialect;
  let tokens: SegmentToken[] = [];
  let stars = 0;
  const close = (): void => {
    const isGlobstar = stars > 1 && tokens.length === 1;
    segments.push({ tokens, ignoreCase, isGlobstar });
    tokens = [];
    stars = 0;
  };
  for (let index = 0; index < characters.length;) {
    const character = characters[index] ?? '';
    const next = characters[index + 1];
    const set = character === '[' ? readSet(characters, index, dialect) : undefined;
    const isCut = character === '\\' && next === undefined;
    if ((isCut || (character === '[' && set === undefined)) && dialect.malformed === 'nothing') return undefined;
    index += character === '\\' && !isCut ? 2 : 1;
    if (character === '/' || (character === '\\' && next === '/')) close();
    else if (character === '*') {
      stars += 1;
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (character === '?') tokens.push(isAnything);
    else if (set === undefined)
      addText(tokens, character === '\\' && !isCut ? escaped(next, ignoreCase) : fold(character, ignoreCase));
    else {
      tokens.push(set.test);
      index = set.next;
    }
  }
  close();
  return segments;
}

function escaped(character = '', ignoreCase: IgnoreCase): string {
  return ignoreCase === 'ascii' ? character : fold(character, ignoreCase);
}

function isAnything(): boolean {
  return true;
}

function addText(tokens: SegmentToken[], text: string): void {
  const last = tokens.at(-1);
  if (typeof last === 'string') tokens[tokens.length - 1] = last + text;
  else tokens.push(text);
}

/** A judge of single names in time O(name × glob): only the last star is ever tried again. */
export function segmentMatcher(segment: Segment): (name: string) => boolean {
  const { tokens, ignoreCase } = segment;
  const [first = ''] = tokens;
  if (tokens.length <= 1 && typeof first === 'string') return (name) => fold(name, ignoreCase) === first;
  return (name) => matchTokens(tokens, fold(name, ignoreCase));
}

function matchTokens(tokens: readonly SegmentToken[], name: string): boolean {
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  for (;;) {
    const current = tokens[token];
    if (current === STAR) {
      if (token === tokens.length - 1) return true;
      starToken = token;
      starAt = at;
      token += 1;
      continue;
    }
    if (current === undefined && at === name.length) return true;
    const end = current === undefined ? -1 : endOf(current, name, at);
    if (end !== -1) {
      at = end;
      token += 1;
      continue;
    }
    // A shorter stretch for an earlier star cannot help: what stood between the two was found as early as can be.
    if (starToken === -1 || starAt >= name.length) return false;
    starAt += characterAt(name, starAt).length;
    at = starAt;
    token = starToken + 1;
  }
}

/** Where what one token (no star) stands for ends; -1 when it does not stand there. */
function endOf(token: string | CharacterTest, name: string, at: number): number {
  if (typeof token === 'string') return name.startsWith(token, at) ? at + token.length : -1;
  const character = characterAt(name, at);
  return character !== '' && token(character) ? at + character.length : -1;
}

/**
 * All the places in `name` where the segment may end when it starts at one of `starts`: for patterns that go on
 * with more than a segment can say. `name` comes from `foldName`.
 */
export function segmentEnds({ tokens }: Segment, name: string, starts: ReadonlySet<number>): Set<number> {
  let places = new Set(starts);
  for (const token of tokens) {
    const after = new Set<number>();
    if (token === STAR && places.size > 0) for (let at = Math.min(...places); at <= name.length; at++) after.add(at);
    if (token !== STAR) {
      for (const at of places) {
        const end = endOf(token, name, at);
        if (end !== -1) after.add(end);
      }
    }
    places = after;
  }
  return places;
}

function characterAt(text: string, index: number): string {
  const point = text.codePointAt(index);
  return point === undefined ? '' : String.fromCodePoint(point);
}

/** A text in the case in which it is compared. Every character stays one character. */
export function foldName(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, (character) => {
    // Upper case first: `ſ` and `K` have the upper case of an ordinary letter.
    const folded = character.toUpperCase().toLowerCase();
    return characterAt(folded, 0) === folded ? folded : character;
  }).join('');
}

/** The same for `ascii`. */
export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

function fold(text: string, ignoreCase: IgnoreCase): string {
  if (ignoreCase === 'ascii') return foldAscii(text);
  return ignoreCase ? foldName(text) : text;
}

const POSIX_SETS: Readonly<Record<string, RegExp>> = {
  alnum: /^[a-zA-Z0-9]$/,
  alpha: /^[a-zA-Z]$/,
  blank: /^[ \t]$/,
  cntrl: /^[\0-\x1f\x7f]$/,
  digit: /^[0-9]$/,
  graph: /^[\x21-\x7e]$/,
  lower: /^[a-z]$/,
  print: /^[\x20-\x7e]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9a-fA-F]$/,
};

/** As the C library has them for UTF-8, and two more that bash knows. */
const UNICODE_SETS: typeof POSIX_SETS = {
  ...POSIX_SETS,
  alnum: /^[\p{Alphabetic}\p{Nd}]$/u,
  alpha: /^(?![0-9])[\p{Alphabetic}\p{Nd}]$/u,
  ascii: /^[\0-\x7f]$/,
  blank: /^(?![\xa0\u2007\u202f])[\t\p{Zs}]$/u,
  cntrl: /^[\p{Cc}\p{Zl}\p{Zp}]$/u,
  graph: /^(?:[^\p{Z}\p{C}]|[\xa0\u2007\u202f\p{Cf}\p{Co}])$/u,
  lower: /^[\p{Lowercase}\u01c5\u01c8\u01cb\u01f2]$/u,
  print: /^[^\p{Zl}\p{Zp}\p{Cc}\p{Cn}\p{Cs}]$/u,
  punct: /^(?:[^\p{Z}\p{C}\p{Alphabetic}\p{Nd}]|[\xa0\u2007\u202f\p{Cf}\p{Co}])$/u,
  space: /^(?![\xa0\u2007\u202f])[\t-\r\p{Z}]$/u,
  upper: /^[\p{Uppercase}\p{Lt}]$/u,
  word: /^[\p{Alphabetic}\p{Nd}_]$/u,
};

/** A set from its `[` on; undefined when it is malformed. */
function readSet(
  characters: readonly string[],
  start: number,
  { ignoreCase, malformed }: GlobDialect,
): { test: CharacterTest; next: number } | undefined {
  // Where none ends, looking for the end of each would take the square of the glob's length.
  if (!characters.includes(']', start + 1)) return undefined;
  let index = start + 1;
  const negated = characters[index] === '!' || characters[index] === '^';
  if (negated) index += 1;
  const parts: CharacterTest[] = [];
  const inCase = (test: CharacterTest): CharacterTest =>
    ignoreCase === 'ascii' ? (one) => test(one) || (/[a-z]/.test(one) && test(one.toUpperCase())) : test;
  for (let first = true; characters[index] !== ']' || first; first = false) {
    const posix = readPosix(characters, index, malformed === 'literal' ? UNICODE_SETS : POSIX_SETS);
    if (posix !== undefined) {
      parts.push(inCase((character) => posix.set.test(character)));
      index = posix.next;
      continue;
    }
    const low = readSetCharacter(characters, index);
    if (low === undefined) return undefined;
    index = low.next;
    const isRange = characters[index] === '-' && characters[index + 1] !== ']';
    const high = isRange ? readSetCharacter(characters, index + 1) : low;
    if (high === undefined) return undefined;
    index = high.next;
    if (malformed === 'literal' && (high.point < low.point || low.point === SLASH || high.point === SLASH))
      return undefined;
    const isIn = (character: string): boolean => {
      const point = character.codePointAt(0) ?? -1;
      return point === low.point || (point >= low.point && point <= high.point);
    };
    parts.push(isRange ? inCase(isIn) : isIn);
  }
  const holds = (character: string): boolean => parts.some((part) => part(character));
  const test = ignoreCase === true ? (one: string): boolean => spellings(one).some(holds) : holds;
  // A slash is never in a set: it would let one name reach into the next.
  return { test: (character) => character !== '/' && test(character) !== negated, next: index + 1 };
}

function spellings(character: string): string[] {
  return [character, character.toLowerCase(), character.toUpperCase()];
}

function readSetCharacter(characters: readonly string[], index: number): { point: number; next: number } | undefined {
  const isEscape = characters[index] === '\\';
  const point = characters[isEscape ? index + 1 : index]?.codePointAt(0);
  return point === undefined ? undefined : { point, next: index + (isEscape ? 2 : 1) };
}

function readPosix(
  characters: readonly string[],
  start: number,
  sets: typeof POSIX_SETS,
): { set: RegExp; next: number } | undefined {
  if (characters[start] !== '[' || characters[start + 1] !== ':') return undefined;
  const [, name = ''] = /^(\w+):\]/.exec(characters.slice(start + 2, start + 12).join('')) ?? [];
  const set = sets[name];
  return set === undefined ? undefined : { set, next: start + 2 + name.length + 2 };
}
