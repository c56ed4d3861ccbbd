import type { EastAsianReading, LatinReading, LegacyReading, OtherReading } from './legacy-scripts.js';

/** Words of letters, and single characters beyond ASCII that are none: a sign before or after a word is one. */
const TOKEN = /[ªºµ](?=\P{L}|[a-zA-Z])|\p{L}+?(?=[ªºµ](?:\P{L}|$))|\p{L}+|[^\0-\x7f]/gu;
const BEYOND_ASCII = /[^\0-\x7f]/gu;
const LETTER = /\p{L}/u;

/** Letters to Unicode, but signs in the texts in question. */
const SIGNS = 'ªºµ';
const PUNCTUATION = '“”„‘’‚«»‹›–—…¿¡·\u00a0\u00ad';
const USUAL_SIGNS = '•©®™€£°§²³½¼¾№±¹†×';
/** These stand between letters too. */
const INNER_SIGNS = '’·–—…\u00a0\u00ad';
const EAST_ASIAN_SIGNS = /[\u3000-\u303f\uff01-\uff60“”‘’…—·×]/u;
const HALF_WIDTH_KANA = /[\uff61-\uff9f]/u;

/** What any letter of the group of languages counts for; the rest is for being of the right language. */
const ANY_LANGUAGE = 0.35;
const RARE_LETTER = 0.6;
const RARE_IDEOGRAPH = 0.45;
const CAPITALS = 0.7;
const LIST_OF_LETTERS = 0.55;

/** How much sense the characters beyond ASCII of a text make as what the reading says they are: 0 to 1. */
export function likelihood(text: string, reading: LegacyReading): number {
  if (reading.kind === 'latin') return latin(text, reading);
  return reading.kind === 'east-asian' ? eastAsian(text, reading) : otherAlphabet(text, reading);
}

/** Counts letters that any of the languages has, and more so those of the one language that has most of them. */
function latin(text: string, { alphabets, misplaced }: LatinReading): number {
  let total = 0;
  let good = 0;
  const letters: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const beyond = token.match(BEYOND_ASCII);
    if (beyond === null) continue;
    total += beyond.length;
    if (!LETTER.test(token) || SIGNS.includes(token)) good += signShare(text, token, index);
    else if (looksLatin(token)) letters.push(...lettersBeyondAscii(misplaced ? token.replace(misplaced, '') : token));
    else if (isListOfLetters(token, alphabets)) good += LIST_OF_LETTERS * beyond.length;
  }
  if (total === 0) return 0;
  const counts = alphabets.map((alphabet) => letters.filter((letter) => alphabet.includes(letter)).length);
  const any = letters.filter((letter) => alphabets.some((alphabet) => alphabet.includes(letter))).length;
  return (good + ANY_LANGUAGE * any + (1 - ANY_LANGUAGE) * Math.max(...counts)) / total;
}

function lettersBeyondAscii(word: string): string[] {
  return (word.match(BEYOND_ASCII) ?? []).map((letter) => letter.toLowerCase());
}

/** Few letters with accents touch, and capitals do not follow small letters where one of the two is accented. */
function looksLatin(word: string): boolean {
  return !/[^\0-\x7f]{4}|^[^\0-\x7f]{2,}$/u.test(word) && !/\p{Ll}(?![A-Z])\p{Lu}|(?![a-z])\p{Ll}\p{Lu}/u.test(word);
}

/** Such as "äöüß" in a program. */
function isListOfLetters(word: string, alphabets: readonly string[]): boolean {
  const letters = Array.from(word.toLowerCase());
  return alphabets.some((alphabet) => letters.every((letter) => alphabet.includes(letter)));
}

function otherAlphabet(text: string, { letters, common }: OtherReading): number {
  let total = 0;
  let good = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const beyond = token.match(BEYOND_ASCII);
    if (beyond === null) continue;
    total += beyond.length;
    if (!LETTER.test(token) || SIGNS.includes(token)) good += signShare(text, token, index);
    // No word mixes two alphabets.
    if (beyond.length < token.length || /\p{Ll}\p{Lu}/u.test(token)) continue;
    const weight = /^\p{Lu}{2,}$/u.test(token) ? CAPITALS : 1;
    for (const letter of beyond) {
      if (letters.test(letter)) good += weight * (common.includes(letter.toLowerCase()) ? 1 : RARE_LETTER);
    }
  }
  return total === 0 ? 0 : good / total;
}

/** 1 for a sign in a place where it makes sense. */
function signShare(text: string, sign: string, index: number): number {
  const [before, after] = [text[index - 1] ?? '', text[index + 1] ?? ''];
  if (LETTER.test(before) && LETTER.test(after)) return INNER_SIGNS.includes(sign) ? 1 : 0;
  if (PUNCTUATION.includes(sign)) return 1;
  if (/[\p{C}\ufffd]/u.test(sign)) return 0;
  const touches = isBeyondAscii(before) || isBeyondAscii(after);
  return touches ? 0.2 : SIGNS.includes(sign) || USUAL_SIGNS.includes(sign) ? 1 : 0.5;
}

function isBeyondAscii(character: string): boolean {
  return character > '\x7f';
}

function eastAsian(text: string, { usual, common }: EastAsianReading): number {
  let total = 0;
  let good = 0;
  for (const { 0: character, index } of text.matchAll(BEYOND_ASCII)) {
    total += 1;
    // Between two small letters it is one with an accent that was taken together with what follows.
    if (/[a-z]/.test(text[index - 1] ?? '') && /[a-z]/.test(text[index + character.length] ?? '')) continue;
    if (character === '\ufffd') good -= 1;
    else if (EAST_ASIAN_SIGNS.test(character)) good += 1;
    else if (HALF_WIDTH_KANA.test(character)) good += usual.test(character) ? RARE_IDEOGRAPH : 0;
    else if (common.includes(character) || isKana(character, usual)) good += 1;
    else if (usual.test(character)) good += RARE_IDEOGRAPH;
  }
  return total === 0 ? 0 : good / total;
}

function isKana(character: string, usual: RegExp): boolean {
  return usual.test(character) && /[\u3040-\u30ff]/u.test(character);
}
