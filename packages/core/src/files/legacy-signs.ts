/** Words of letters, and single characters beyond ASCII that are none: a sign before or after a word is one. */
export const TOKEN = /[ªºµ](?=\P{L}|[a-zA-Z])|\p{L}+?(?=[ªºµ](?:\P{L}|$))|\p{L}+|[^\0-\x7f]/gu;
const LETTER = /\p{L}/u;
const DIGIT = /[0-9]/;
/** The lines and blocks that frames are drawn with on a text screen, and runs of them that belong together. */
const BOX = /[\u2500-\u259f]/u;
const FRAME =
  /(?<![^\0-\x7f\u00a0])(?:[┌├└]?─+(?:[┬┴┼]─+)*[┐┤┘]?|[╔╠╚]?═+(?:[╦╩╬]═+)*[╗╣╝]?|│+|║+|[░▒▓]+|[█▄▀]+[░▒▓]*)(?![^\0-\x7f\u00a0])/gu;

/** Letters to Unicode, but signs in the texts in question. */
const SIGNS = 'ªºµ';
const PUNCTUATION = '“”„‘’‚«»‹›–—…¿¡·\u00a0\u00ad';
const USUAL_SIGNS = '•©®™€£¥¢°§¶²³½¼¾№¹±×÷†';
/** These stand between letters too. */
const INNER_SIGNS = '’·–—…\u00a0\u00ad';
const NEVER_AFTER_LETTER = '„‚¿¡±½¼¾•§€£';
const NEVER_BEFORE_LETTER = '¹²³½¼¾€™¶';
const BEFORE_OR_AFTER_NUMBER = '¥¢';
/** These say something about what stands directly before them. */
const RAISED = '¹²³ªº';

/** What a sign counts for in a place where it hardly ever stands. */
const STRANGE = 0.2;

export function isSign(token: string): boolean {
  return !LETTER.test(token) || SIGNS.includes(token);
}

/** 1 for a sign in a place where it makes sense. */
export function signShare(text: string, sign: string, index: number): number {
  const [before, after] = [text[index - 1] ?? '', text[index + 1] ?? ''];
  if (LETTER.test(before) && LETTER.test(after)) return INNER_SIGNS.includes(sign) ? 1 : 0;
  if (isStrange(sign, before, text.slice(index + 1, index + 4))) return STRANGE;
  if (PUNCTUATION.includes(sign)) return 1;
  if (/[\p{C}\ufffd]/u.test(sign)) return 0;
  const touches = isBeyondAscii(before) || isBeyondAscii(after);
  return touches ? STRANGE : SIGNS.includes(sign) || USUAL_SIGNS.includes(sign) ? 1 : 0.5;
}

/** How many characters are parts of frames. */
export function frameLength(text: string): number {
  let length = 0;
  for (const [frame] of text.matchAll(FRAME)) length += frame.length;
  return length;
}

export function isBox(sign: string): boolean {
  return BOX.test(sign);
}

function isStrange(sign: string, before: string, next: string): boolean {
  const after = next.charAt(0);
  if (LETTER.test(before) && NEVER_AFTER_LETTER.includes(sign)) return true;
  if (sign === 'µ' && /^\p{L}{3}/u.test(next)) return true;
  if (BEFORE_OR_AFTER_NUMBER.includes(sign)) return !/[\d\s]/.test(before + after);
  if (RAISED.includes(sign) && !LETTER.test(before) && !DIGIT.test(before) && !/[CF]/.test(after)) return true;
  return LETTER.test(after) && NEVER_BEFORE_LETTER.includes(sign);
}

function isBeyondAscii(character: string): boolean {
  return character > '\x7f';
}
