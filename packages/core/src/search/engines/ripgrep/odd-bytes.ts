/**
 * Without `--crlf`, matches within every line that holds a NUL byte, is not UTF-8 or turns to Japanese by an escape sequence
 * (`ISO_2022_JP`), and in no other (RFC 3629, section 4): a damaged text shows itself within five bytes. `$` stands where a class would have to match a line break,
 * which ripgrep takes out of classes.
 */
export const ODD_BYTES = oddBytes();

function oddBytes(): string {
  const next = '[\\x80-\\xBF]';
  /** Any byte but one that goes on with a character, or the end of the line. */
  const noNext = '(?:[^\\x80-\\xBF]|$)';
  const notIn = (range: string): string => `(?:[^${range}]|$)`;
  const two = `[\\xC2-\\xDF](?:${noNext}|${next}${next})`;
  const three = `[\\xE0-\\xEF](?:${noNext}|${next}(?:${noNext}|${next}${next}))`;
  const four = `[\\xF0-\\xF4](?:${noNext}|${next}(?:${noNext}|${next}(?:${noNext}|${next}${next})))`;
  const wrongSecond = [
    `\\xE0${notIn('\\xA0-\\xBF')}`,
    `\\xED${notIn('\\x80-\\x9F')}`,
    `\\xF0${notIn('\\x90-\\xBF')}`,
    `\\xF4${notIn('\\x80-\\x8F')}`,
  ];
  const never = '[\\x00\\xC0\\xC1\\xF5-\\xFF]';
  const stray = `(?:^|[\\x01-\\x7F])${next}`;
  const japanese = '\\x1B\\$[@B]';
  return `(?s-iu:${[never, two, three, four, ...wrongSecond, stray, japanese].join('|')})`;
}
