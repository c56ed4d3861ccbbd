/** Twentieths of a token by kind of character. Some families spend a token on each digit and on each ideograph. */
const LETTER = 5;
const SPACE = 3;
const DIGIT = 16;
const LINE_END = 10;
const PUNCTUATION = 11;
/** Letters with accents, Greek, Cyrillic, Arabic and the like. */
const OTHER_SCRIPT = 12;
const EAST_ASIAN = 22;
/** Half of a character beyond the basic plane, an emoji for one. */
const SURROGATE = 26;
const UNITS_PER_TOKEN = 20;
/** Of one UTF-16 unit; each text is rounded up by less than one more. */
export const MOST_TOKENS = SURROGATE / UNITS_PER_TOKEN;

/**
 * About how many tokens a text takes, in linear time and without a tokenizer, meant to err on the high side.
 * Sums hold: the estimate of two texts joined is never above the sum of theirs.
 */
export function estimateTokens(text: string): number {
  let units = 0;
  for (let index = 0; index < text.length; index += 1) units += tokenUnits(text.charCodeAt(index));
  return Math.ceil(units / UNITS_PER_TOKEN);
}

/** The share of one UTF-16 unit, in `1 / tokensToUnits(1)` tokens. */
export function tokenUnits(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return LETTER;
  if (unit === 0x20) return SPACE;
  if (unit >= 0x41 && unit <= 0x5a) return LETTER;
  if (unit >= 0x30 && unit <= 0x39) return DIGIT;
  if (unit < 0x80) return unit < 0x20 ? LINE_END : PUNCTUATION;
  if (unit < 0x1100) return OTHER_SCRIPT;
  return unit >= 0xd800 && unit <= 0xdfff ? SURROGATE : EAST_ASIAN;
}

export function tokensToUnits(tokens: number): number {
  return tokens * UNITS_PER_TOKEN;
}
