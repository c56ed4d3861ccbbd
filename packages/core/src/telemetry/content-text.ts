import { mapTexts } from '../secrets/hide-deep.js';

const MOST_CHARACTERS = 16_000;
/** Beyond this many texts in one piece of data, what is left of them is a few characters each. */
const LEAST_CHARACTERS = 40;

/** A text as it is sent: without what nobody is to see, and not too long. */
export function contentText(text: string, hide: (text: string) => string): string {
  // Before it is cut: half a secret is not known as one.
  return cutText(hide(text), MOST_CHARACTERS);
}

/** Data as JSON, which it still is where it is too long: then its texts are cut. */
export function contentJson(value: unknown, hide: (text: string) => string): string {
  const hidden: unknown = mapTexts(value, hide);
  const whole = JSON.stringify(hidden) ?? '';
  if (whole.length <= MOST_CHARACTERS) return whole;
  let left = MOST_CHARACTERS;
  const cut = JSON.stringify(
    mapTexts(hidden, (text) => {
      const short = cutText(text, Math.max(LEAST_CHARACTERS, left));
      left -= short.length;
      return short;
    }),
  );
  // Of very many short texts, or deep data, even that is too long.
  return cut.length <= 2 * MOST_CHARACTERS ? cut : JSON.stringify(cutText(whole, MOST_CHARACTERS));
}

function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} characters more)`;
}
