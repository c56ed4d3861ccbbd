/** One line of an ignore file, compiled (gitignore(5)). Paths are relative to the file's folder and use `/`. */
export interface IgnorePattern {
  /** True for `!pattern`: a match takes the entry back in. */
  readonly negated: boolean;
  /** `relativePath` and its last `name`; whether a folder is meant decides on `pattern/`. */
  matches(relativePath: string, name: string, isDirectory: boolean): boolean;
}

/** The patterns of an ignore file, in the file's order. Lines that git would not understand match nothing. */
export function parseIgnoreText(text: string, ignoreCase = false): IgnorePattern[] {
  const patterns: IgnorePattern[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const pattern = parseLine(line, ignoreCase);
    if (pattern !== undefined) patterns.push(pattern);
  }
  return patterns;
}

function parseLine(line: string, ignoreCase: boolean): IgnorePattern | undefined {
  let rest = trimTrailingSpaces(line.replace(/\r$/, ''));
  if (rest === '' || rest.startsWith('#')) return undefined;
  const negated = rest.startsWith('!');
  if (negated) rest = rest.slice(1);
  const onlyDirectories = rest.endsWith('/');
  if (onlyDirectories) rest = rest.slice(0, -1);
  // A slash at the beginning or in the middle ties the pattern to the folder of its file.
  const anchored = rest.includes('/');
  if (rest.startsWith('/')) rest = rest.slice(1);
  const source = rest === '' ? undefined : globToSource(rest, anchored);
  if (source === undefined) return undefined;
  const expression = new RegExp(`^${source}$`, ignoreCase ? 'siu' : 'su');
  return {
    negated,
    matches: (relativePath, name, isDirectory) =>
      (isDirectory || !onlyDirectories) && expression.test(anchored ? relativePath : name),
  };
}

/** Spaces at the end do not count unless a backslash stands before them. */
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0;
  while (text[index - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Regular expression source for a glob in git's dialect; undefined when the glob can match nothing. */
function globToSource(glob: string, pathAware: boolean): string | undefined {
  const characters = Array.from(glob);
  let source = '';
  for (let index = 0; index < characters.length;) {
    const character = characters[index] ?? '';
    if (character === '*') {
      const stars = countStars(characters, index);
      const step = starSource(characters, index, stars, pathAware);
      source += step.source;
      index = step.next;
    } else if (character === '?') {
      source += '[^/]';
      index++;
    } else if (character === '[') {
      const set = readSet(characters, index);
      if (set === undefined) return undefined;
      source += set.source;
      index = set.next;
    } else if (character === '\\') {
      const next = characters[index + 1];
      if (next === undefined) return undefined;
      source += escapeSource(next);
      index += 2;
    } else {
      source += escapeSource(character);
      index++;
    }
  }
  return source;
}

function countStars(characters: readonly string[], from: number): number {
  let count = 0;
  while (characters[from + count] === '*') count++;
  return count;
}

/** `**` between slashes (or at an end) spans folders; every other run of stars is one `*`. */
function starSource(
  characters: readonly string[],
  index: number,
  stars: number,
  pathAware: boolean,
): { source: string; next: number } {
  const next = index + stars;
  const opens = index === 0 || characters[index - 1] === '/';
  if (pathAware && stars === 2 && opens) {
    if (characters[next] === '/') return { source: '(?:[^/]+/)*', next: next + 1 };
    if (next === characters.length) return { source: '.+', next };
  }
  return { source: '[^/]*', next };
}

const POSIX_SETS: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9a-fA-F',
};

function readSet(characters: readonly string[], start: number): { source: string; next: number } | undefined {
  let index = start + 1;
  const negated = characters[index] === '!' || characters[index] === '^';
  if (negated) index++;
  let body = '';
  for (let first = true; ; first = false) {
    const character = characters[index];
    if (character === undefined) return undefined;
    if (character === ']' && !first) break;
    const posix = character === '[' && characters[index + 1] === ':' ? readPosix(characters, index) : undefined;
    if (posix !== undefined) {
      body += posix.source;
      index = posix.next;
      continue;
    }
    const low = readSetCharacter(characters, index);
    if (low === undefined) return undefined;
    index = low.next;
    const isRange = characters[index] === '-' && characters[index + 1] !== undefined && characters[index + 1] !== ']';
    const high = isRange ? readSetCharacter(characters, index + 1) : undefined;
    if (high === undefined) {
      body += escapeSource(low.character);
    } else {
      index = high.next;
      // A range that runs backwards holds nothing.
      if (low.character <= high.character) body += `${escapeSource(low.character)}-${escapeSource(high.character)}`;
    }
  }
  const set = negated ? `[^${body}]` : body === '' ? '(?!)' : `[${body}]`;
  return { source: `(?!/)${set}`, next: index + 1 };
}

function readSetCharacter(
  characters: readonly string[],
  index: number,
): { character: string; next: number } | undefined {
  const character = characters[index];
  if (character !== '\\') return character === undefined ? undefined : { character, next: index + 1 };
  const escaped = characters[index + 1];
  return escaped === undefined ? undefined : { character: escaped, next: index + 2 };
}

function readPosix(characters: readonly string[], start: number): { source: string; next: number } | undefined {
  const end = characters.indexOf(']', start + 2);
  if (end === -1 || characters[end - 1] !== ':') return undefined;
  const source = POSIX_SETS[characters.slice(start + 2, end - 1).join('')];
  return source === undefined ? undefined : { source, next: end + 1 };
}

/** Safe inside and outside a set, with the `u` flag. */
function escapeSource(character: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(character) && character !== '-'
    ? `\\${character}`
    : character === '-'
      ? '\\x2d'
      : character;
}
