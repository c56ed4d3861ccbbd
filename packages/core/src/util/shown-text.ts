/** With the `u` flag a surrogate only matches where it is no half of a pair. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Whether a text has characters that stand for what is no text: half a pair, or an escaped byte. */
export function isDamaged(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** A text as it may be shown: U+FFFD in place of each such character. Lengths stay the same. */
export function shownText(text: string): string {
  return isDamaged(text) ? text.replace(LONE_SURROGATES, '\ufffd') : text;
}
