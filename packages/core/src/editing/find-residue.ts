import type { Omission } from './edit-plan.js';
import { lineNumberIn, readNumbered, stripLineNumbers, type NumberedLine } from './line-numbers.js';
import { likenessOf } from './nearest-window.js';
import { flatLines, hasLine } from './text-lines.js';

/**
 * Finds text that is there only because of how the new text was copied or sent: line numbers of a listing, signs of the call. Text that the
 * file also has is ignored.
 */
export function findResidue(newText: string, oldText: string, fileText: string): Omission | undefined {
  const known = [oldText, fileText];
  return numbersIn(newText, known) ?? numberIn(newText, known) ?? callTextIn(newText, known) ?? fenceIn(newText, known);
}

/** Finds line numbers of a listing before every line, or before some consecutive lines. */
function numbersIn(newText: string, known: readonly string[]): Omission | undefined {
  const lines = flatLines(newText);
  const whole = stripLineNumbers(newText);
  const plain = whole === undefined ? numberedRun(lines) : { line: 1, lines: flatLines(whole.text) };
  if (plain === undefined) return undefined;
  const first = (lines[plain.line - 1] ?? '').trim();
  if (known.some((text) => hasLine(text, first))) return undefined;
  // Data may begin with numbers too. A listing shows lines of the file, or has the arrow of the read tool.
  const arrow =
    /^ *\d+→/.test(lines[plain.line - 1] ?? '') && plain.lines.filter((line) => line.trim() !== '').length > 1;
  const listed = plain.lines.some((line) => line.trim().length > 2 && known.some((text) => hasLine(text, line.trim())));
  if (!arrow && !listed) return undefined;
  const detail = 'The new text has the line numbers of a listing before its lines; send the lines without them.';
  const send = whole === undefined ? {} : { send: whole.text };
  return { reason: 'line-numbers', detail, line: plain.line, ...send };
}

/** Finds two or more lines with consecutive numbers and the arrow of the read tool. */
function numberedRun(lines: readonly string[]): { line: number; lines: readonly string[] } | undefined {
  const numberOf = (line: string | undefined): number => Number(/^ *(\d{1,9})→/.exec(line ?? '')?.[1] ?? Number.NaN);
  const index = lines.findIndex((line, at) => numberOf(line) + 1 === numberOf(lines[at + 1]));
  if (index === -1) return undefined;
  const run = lines.slice(index, index + 2).map((line) => line.replace(/^ *\d+→/, ''));
  return { line: index + 1, lines: run };
}

/** Finds a number before a line that resembles the file's line with that number. */
function numberIn(newText: string, known: readonly string[]): Omission | undefined {
  if (!/^ *\d/m.test(newText)) return undefined;
  const lines = flatLines(newText);
  const numbered = lines.flatMap((line, index) => readNumbered(line).map((found) => ({ index, ...found })));
  if (numbered.length === 0) return undefined;
  const there = flatLines(known.at(-1) ?? '');
  const found = numbered.find((one) => isCopied(one, there) && !known.some((text) => hasNumbers(text, one)));
  if (found === undefined) return undefined;
  const { index, number, separator } = found;
  const plain = new Map(
    numbered.filter((one) => one.separator === separator && isCopied(one, there)).map((one) => [one.index, one.rest]),
  );
  const send = lines.map((line, at) => plain.get(at) ?? line).join('\n');
  const detail = `The new text has the line number ${number} of a listing before a line; send it without the number.`;
  return { reason: 'line-numbers', detail, line: index + 1, send };
}

function isCopied({ number, rest, separator }: NumberedLine, there: readonly string[]): boolean {
  if (number === 0 || number > there.length) return false;
  if (separator === 'arrow' && /^(?:\t| {2})/.test(rest)) return true;
  const [one, other] = [rest.trim(), there[number - 1]?.trim() ?? ''].map((text) => text.slice(0, MAX_COMPARED));
  return one !== undefined && one.length > 2 && likenessOf(one, other ?? '') >= MIN_LIKENESS;
}

const MAX_COMPARED = 300;
const MIN_LIKENESS = 0.6;

function hasNumbers(text: string, { separator }: NumberedLine): boolean {
  return lineNumberIn(text, separator) !== undefined;
}

/** Tags that end an argument of a call, or an answer; a line of a file never has them unless the file has similar ones. */
const CALL_TAG =
  /^<\/?(?:old_str(?:ing)?|new_str(?:ing)?|parameter|invoke|function_calls?|tool_(?:calls?|use)|file_content|arg_value)>/i;
/** Tags that files may have as well; they count only if the file has no tags. */
const COMMON_TAG =
  /^<\/?(?:content|contents|function|path|edit|arguments|input|replace|search|diff|file|code|text|s)>/i;
const TOKEN = /^(?:<\|[\w▁]{1,40}\|>|<｜[^<>]{1,40}｜>|<\/?s>|<eos>|<end_of_turn>|\[\/INST\]|\]\]>)/;
const LAST = /(?:<[^<>\s]{1,50}>|\[\/INST\]|\]\]>)\s*$/;
const FIRST = /^\s*(?:<!\[CDATA\[|<\w{1,20}>)/;

/** Finds tags and tokens of the call at the end of the text, with the matching ones at its start. */
function callTextIn(newText: string, known: readonly string[]): Omission | undefined {
  let text = newText;
  let last = '';
  for (let found = LAST.exec(text); found !== null; found = LAST.exec(text)) {
    const sign = found[0].trim();
    const rest = text.slice(0, found.index);
    if (!isOfCall(sign, [...known, rest])) break;
    [text, last] = [rest, sign];
  }
  if (last === '') return undefined;
  const opener = FIRST.exec(text)?.[0];
  if (opener !== undefined && isOpenerOf(opener.trim(), newText.slice(text.length)))
    text = text.slice(opener.length).replace(/^\n/, '');
  const send = text.trimEnd() + (newText.endsWith('\n') ? '\n' : '');
  const line = newText.trimEnd().split('\n').length;
  const detail = `The new text ends with \`${last}\`, which belongs to the call and not to the file; send it without that.`;
  return { reason: 'call-text', detail, line, send };
}

function isOpenerOf(opener: string, signs: string): boolean {
  return opener === '<![CDATA[' ? signs.includes(']]>') : signs.includes(`</${opener.slice(1)}`);
}

/** `others`: the old text, the file, and what comes before in the new text. */
function isOfCall(sign: string, others: readonly string[]): boolean {
  const rest = others.at(-1) ?? '';
  const known = others.slice(0, -1);
  if (TOKEN.test(sign)) {
    if (sign === ']]>') return /^\s*<!\[CDATA\[/.test(rest) && !known.some((text) => text.includes('CDATA['));
    const kind = /^<[|｜]/.exec(sign)?.[0] ?? sign;
    return !others.some((text) => text.includes(kind));
  }
  const name = /^<\/(\w+)>$/.exec(sign)?.[1];
  if (name === undefined) return false;
  if (known.some((text) => text.includes(`<${name}`) || text.includes(sign))) return false;
  // A tag within the new text may have its own opener; an opener around the whole text belongs to the call.
  const opener = rest.trimStart().startsWith(`<${name}>`) ? rest.trimStart().slice(name.length + 2) : rest;
  if (opener.includes(`<${name}`)) return false;
  if (CALL_TAG.test(sign)) return true;
  return COMMON_TAG.test(sign) && !known.some((text) => text.includes('</')) && opener === rest;
}

const FENCE = /^\s*(?:`{3,}|~{3,})/;

/** Finds an unpaired code fence at the end, or a fence around the whole text for a file of code. The file must have no fence. */
function fenceIn(newText: string, known: readonly string[]): Omission | undefined {
  const lines = newText.trimEnd().split('\n');
  const fences = [...lines.keys()].filter((index) => FENCE.test(lines[index] ?? ''));
  const [first, second] = fences;
  if (first === undefined || known.some((text) => text.split('\n').some((line) => FENCE.test(line)))) return undefined;
  const isLast = fences.length === 1 && first === lines.length - 1 && lines.length > 1;
  const isAround = fences.length === 2 && first === 0 && second === lines.length - 1 && hasBraces(known.at(-1) ?? '');
  if (!isLast && !isAround) return undefined;
  const end = newText.endsWith('\n') ? '\n' : '';
  const send = lines.filter((_, index) => !fences.includes(index)).join('\n') + end;
  const detail = 'The new text ends with a code fence that is no part of the file; send it without that.';
  return { reason: 'call-text', detail, line: lines.length, send };
}

const SAMPLED_CHARS = 100_000;

/** Returns true if a text is in a language with braces. */
export function hasBraces(text: string): boolean {
  const sample = text
    .slice(0, SAMPLED_CHARS)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const braced = sample.filter((line) => /[;{}]\s*$/.test(line)).length;
  return sample.length > 0 && braced * 4 >= sample.length;
}
