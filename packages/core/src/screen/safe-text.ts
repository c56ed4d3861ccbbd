/** Text from anywhere: the model, a file, a command, a server. Never printed as it is. */
export type Untrusted = string;

declare const safe: unique symbol;

/**
 * Text that a terminal shows as what it is. Only this folder makes it, and only it reaches a terminal
 * (design section 1.4): no control characters but line feed, tab, and the colours that `paint` adds.
 */
export type Safe = string & { readonly [safe]: true };

export interface SafeOptions {
  /** Keep line feeds and tabs; otherwise they are shown as `\n` and `\t`. */
  readonly multiline?: boolean;
  /** Characters (code points of the input) to show; the rest is counted, not shown. */
  readonly maxLength?: number;
}

/** Blanks in a row that are still shown as blanks: more can push text out of sight. */
const MOST_BLANKS = 40;
const MOST_EMPTY_LINES = 8;
/** Accents on one letter that some script may need. */
const MOST_MARKS = 8;

/**
 * Makes text safe by making visible, never by leaving out: control characters, escape sequences, direction
 * marks, zero-width, tag and private characters, unusual blanks, lone surrogates and variation selectors that
 * belong to no emoji become `\u{…}`; long runs of blanks and empty lines become their count. Ordinary text,
 * in any script and with emoji, stays as it is. Idempotent for text that was not cut.
 */
export function makeSafe(text: Untrusted, options: SafeOptions = {}): Safe {
  const multiline = options.multiline ?? false;
  const { kept, left } = cut(text, options.maxLength);
  const visible = collapse(show(kept, multiline), multiline);
  return trusted(left === 0 ? visible : `${visible}… [${left} more characters]`);
}

/** Text written in the source, joined with safe values: the only way to compose `Safe` text. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (Safe | number)[]): Safe {
  return trusted(literals.map((literal, index) => literal + String(values[index] ?? '')).join(''));
}

export function joinSafe(parts: readonly Safe[], separator: Safe): Safe {
  return trusted(parts.join(separator));
}

/** Cuts safe text in two at an index of its own; no character is made by cutting. */
export function sliceSafe(text: Safe, start: number, end?: number): Safe {
  return trusted(text.slice(start, end));
}

export function splitLines(text: Safe): Safe[] {
  return text.split('\n').map(trusted);
}

function trusted(text: string): Safe {
  return text as Safe;
}

function cut(text: string, maxLength: number | undefined): { kept: string; left: number } {
  if (maxLength === undefined || text.length <= maxLength) return { kept: text, left: 0 };
  let end = 0;
  for (let count = 0; count < maxLength && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  let left = 0;
  for (let at = end; at < text.length; left += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return { kept: text.slice(0, end), left };
}

/** No wider than printable ASCII: nothing to look at. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;
/** `\u3000` is the blank of Chinese and Japanese text, wide and counted with the others. */
const HIDDEN = String.raw`(?![\n\t\u0020\u3000])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
const MARKS = String.raw`\p{M}{${MOST_MARKS},}`;
/** Hidden characters that are a part of many emoji. */
const EMOJI_GLUE = /\u200d|\ufe0f|[\u{e0020}-\u{e007f}]/u;

function show(text: string, multiline: boolean): string {
  const lines = multiline ? text : text.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`);
  if (PLAIN.test(lines)) return lines;
  // The list of whole emoji costs milliseconds to load, so only text that may need it pays for it.
  const expression = EMOJI_GLUE.test(lines)
    ? new RegExp(String.raw`(${MARKS})|(\p{RGI_Emoji})|${HIDDEN}`, 'gv')
    : new RegExp(`(${MARKS})|${HIDDEN}`, 'gu');
  return lines.replaceAll(expression, (found, marks?: string, emoji?: string | number) => {
    if (marks !== undefined) return showMarks(marks);
    return typeof emoji === 'string' ? emoji : escape(found);
  });
}

function showMarks(marks: string): string {
  return Array.from(marks, (mark, index) => (index < MOST_MARKS && !isHidden(mark) ? mark : escape(mark))).join('');
}

function isHidden(char: string): boolean {
  return /\p{Default_Ignorable_Code_Point}/u.test(char);
}

function escape(char: string): string {
  if (char === '\r') return String.raw`\r`;
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function collapse(text: string, multiline: boolean): string {
  const lines = multiline
    ? text.replaceAll(/\n(?:[ \t\u3000]*\n){9,}/g, (run) => {
        const count = run.split('\n').length - 2;
        return count > MOST_EMPTY_LINES ? `\n[${count} empty lines]\n` : run;
      })
    : text;
  return lines.replaceAll(/[ \t\u3000]{41,}/g, (run) => (run.length > MOST_BLANKS ? `[${run.length} blanks]` : run));
}
