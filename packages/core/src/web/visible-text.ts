import { cleanText } from '../util/clean-text.js';

/** Signs that are nowhere seen and in no script needed: marks of direction and of width, fillers, soft hyphens. */
const UNSEEN =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/gu;
/** Joiners, which some scripts and emoji need: between two of their letters, and one at a time. */
const STRAY_JOINERS =
  /(?<!\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200c|\u200d)+|(?:\u200c|\u200d){2,}|(?<=\p{Script=Latin})(?:\u200c|\u200d)+/gu;
/** One selects how the sign before it looks; more of them say something that nobody sees. */
const STRAY_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu;
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** A text from outside without what a person would not see of it: control characters, letters without width, marks of direction. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return cleanText(text).text.replaceAll(UNSEEN, '').replaceAll(STRAY_SELECTORS, '').replaceAll(STRAY_JOINERS, '');
}
