/** Characters with another case; there are some three thousand. */
function* casedCharacters(): Generator<string> {
  const cased = /\p{Changes_When_Casemapped}/u;
  for (let code = 0; code <= 0x1ffff; code++) {
    const character = String.fromCodePoint(code);
    if (cased.test(character)) yield character;
  }
}

/**
 * A set (with brackets) that matches with case what the given one matches without: for patterns in which case counts
 * only here and there, as in `foo(?i:bar)`.
 */
export function foldSet(set: string): string {
  const simple = /^\[([a-z])\]$/i.exec(set)?.[1];
  if (simple !== undefined && !/[ks]/i.test(simple)) return `[${simple.toLowerCase()}${simple.toUpperCase()}]`;
  const folded = new RegExp(`^${set}$`, 'iv');
  const members = [...casedCharacters()].filter((character) => folded.test(character)).join('');
  return `[[${set}--\\p{Changes_When_Casemapped}]${members}]`;
}

const ASCII_SET = '[\\0-\\x7f]';

/** The same where no letter of ASCII has another case beyond ASCII. */
export function foldWithin(set: string): string {
  const [plain, other] = [foldSet(`[${set}&&${ASCII_SET}]`), foldSet(`[${set}--${ASCII_SET}]`)];
  return `[[${plain}&&${ASCII_SET}][${other}--${ASCII_SET}]]`;
}

/** The same of a set of ASCII or bytes for `(?-u)`, where a letter has no other case beyond ASCII. */
export function foldAscii(set: string): string {
  const exact = new RegExp(`^${set}$`, 'v');
  const bytes = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));
  const members = bytes.filter((each) =>
    (each < '\x80' ? [each.toLowerCase(), each.toUpperCase()] : [each]).some((form) => exact.test(form)),
  );
  return `[${members.map((each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}]`;
}
