import type { EastAsianReading, LatinReading, LegacyReading, OtherReading, ThaiReading } from './legacy-scripts.js';
import { frameLength, isBox, isSign, signShare, TOKEN } from './legacy-signs.js';

const BEYOND_ASCII = /[^\0-\x7f]/gu;
const EAST_ASIAN_SIGNS = /[\u3000-\u303f\uff01-\uff60“”‘’…—·×]/u;
const FULL_WIDTH_LETTER = /[\uff10-\uff5a]/u;

/** What any letter of the group of languages counts for; the rest is for being of the right language. */
const ANY_LANGUAGE = 0.35;
const RARE_IN_THAI = 0.3;
const RARE_IDEOGRAPH = 0.45;
const CAPITALS = 0.7;
const LIST_OF_LETTERS = 0.55;
/** What the letters of a word count for that no language would build so. */
const ODD_WORD = 0.3;
/** No word has more letters. */
const LONGEST_WORD = 40;
/** The bytes of half-width katakana are letters, or lines, almost everywhere else. */
const HALF_WIDTH = 0.8;
const RARE_HALF_WIDTH = 0.65;

/** How much sense the characters beyond ASCII of a text make as what the reading says they are: 0 to 1. */
export function likelihood(text: string, reading: LegacyReading): number {
  if (reading.kind === 'latin') return latin(text, reading);
  if (reading.kind === 'other-alphabet') return otherAlphabet(text, reading);
  return reading.kind === 'thai' ? thai(text, reading) : eastAsian(text, reading);
}

/** Counts letters that any of the languages has, and more so those of the one language that has most of them. */
function latin(text: string, { alphabets, misplaced, hasBoxes = false }: LatinReading): number {
  let total = 0;
  let good = hasBoxes ? frameLength(text) : 0;
  const letters: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const beyond = token.match(BEYOND_ASCII);
    if (beyond === null) continue;
    total += beyond.length;
    if (isSign(token)) good += hasBoxes && isBox(token) ? 0 : signShare(text, token, index);
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
  if (/(.)\1\1/u.test(word)) return false;
  return alphabets.some((alphabet) => letters.every((letter) => alphabet.includes(letter)));
}

function otherAlphabet(text: string, { letters, odd, hasBoxes = false }: OtherReading): number {
  let total = 0;
  let found = 0;
  let good = hasBoxes ? frameLength(text) : 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const beyond = token.match(BEYOND_ASCII);
    if (beyond === null) continue;
    total += beyond.length;
    if (isSign(token)) {
      good += hasBoxes && isBox(token) ? 0 : signShare(text, token, index);
      continue;
    }
    // No word mixes two alphabets, or small letters and capitals but for the first.
    if (beyond.length < token.length || /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(token)) continue;
    const capitals = /^\p{Lu}{2,}$/u.test(token) ? CAPITALS : 1;
    const isOdd = token.length > LONGEST_WORD || odd.test(token.toLowerCase());
    const weight = isOdd ? ODD_WORD : capitals;
    for (const letter of beyond) {
      const share = letters.get(letter);
      if (share === undefined) continue;
      found += 1;
      good += weight * share;
    }
  }
  // Signs alone say nothing of an alphabet.
  return found === 0 ? 0 : good / total;
}

/** Its words are not set apart, but what a syllable is made of stands in a strict order. */
function thai(text: string, { syllables, common }: ThaiReading): number {
  const total = text.match(BEYOND_ASCII)?.length ?? 0;
  let good = 0;
  for (const { 0: run, index } of text.matchAll(/[^\0-\x7f]+/gu)) {
    const isMixed = /[a-z]/i.test(text[index - 1] ?? '') || /[a-z]/i.test(text[index + run.length] ?? '');
    if (isMixed || run.length < 2 || !syllables.test(run)) continue;
    for (const letter of run) good += common.includes(letter) ? 1 : RARE_IN_THAI;
  }
  return total === 0 ? 0 : good / total;
}

function eastAsian(text: string, { usual, common, halfWidth }: EastAsianReading): number {
  let total = 0;
  let good = 0;
  for (const { 0: character, index } of text.matchAll(BEYOND_ASCII)) {
    total += 1;
    const [before, after] = [text[index - 1] ?? '', text[index + character.length] ?? ''];
    // Between two small letters it is one with an accent that was taken together with what follows.
    if (/[a-z]/i.test(before) && /[a-z]/.test(after)) continue;
    if (character === '\ufffd') good -= 1;
    else if (FULL_WIDTH_LETTER.test(character)) good += /[a-z]/i.test(before + after) ? 0 : 1;
    else if (EAST_ASIAN_SIGNS.test(character)) good += /[a-z]/i.test(before) && after <= '\x7f' ? 0.5 : 1;
    else if (isHalfWidth(character)) continue;
    else if (common.includes(character) || isKana(character, usual)) good += 1;
    else if (usual.test(character)) good += RARE_IDEOGRAPH;
  }
  if (halfWidth !== undefined) good += halfWidthShare(text, halfWidth);
  return total === 0 ? 0 : good / total;
}

function halfWidthShare(text: string, word: RegExp): number {
  let good = 0;
  for (const [run] of text.matchAll(/[\uff61-\uff9f]+/gu)) {
    if (word.test(run)) good += run.length * (/[ｧ-ｰﾞﾟ]/.test(run) ? HALF_WIDTH : RARE_HALF_WIDTH);
  }
  return good;
}

function isHalfWidth(character: string): boolean {
  return character >= '\uff61' && character <= '\uff9f';
}

function isKana(character: string, usual: RegExp): boolean {
  return usual.test(character) && /[\u3040-\u30ff]/u.test(character);
}
