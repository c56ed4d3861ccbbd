/** What a line of Markdown begins, where it does not belong to something else (CommonMark 0.31, section 4 and 5). */
export type Beginning =
  | { readonly kind: 'fence'; readonly fence: string; readonly indent: number; readonly language: string }
  | { readonly kind: 'heading' }
  /** A thematic break that cannot underline a heading. */
  | { readonly kind: 'rule' }
  /** Below a paragraph it makes a heading of it; elsewhere `---` is a thematic break. */
  | { readonly kind: 'underline' }
  | { readonly kind: 'list'; readonly mark: ListMark }
  | { readonly kind: 'quote' }
  | { readonly kind: 'plain' };

export interface ListMark {
  /** `-`, `+`, `*`, `.` or `)`: another one begins another list. */
  readonly sign: string;
  /** Of a numbered one. */
  readonly number?: number;
  readonly isEmpty: boolean;
}

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const LIST = /^ {0,3}(?:([-+*])|(\d{1,9})([.)]))(?:[ \t]+(.*))?$/;
const QUOTE = /^ {0,3}>/;

export function beginningOf(line: string): Beginning {
  const fence = FENCE.exec(line);
  if (fence !== null)
    return { kind: 'fence', fence: fence[2] ?? '', indent: (fence[1] ?? '').length, language: (fence[3] ?? '').trim() };
  if (HEADING.test(line)) return { kind: 'heading' };
  if (UNDERLINE.test(line)) return { kind: 'underline' };
  if (RULE.test(line)) return { kind: 'rule' };
  const list = LIST.exec(line);
  if (list !== null) {
    const [, bullet, number, delimiter, rest = ''] = list;
    const mark = { sign: bullet ?? delimiter ?? '', isEmpty: rest.trim() === '' };
    return { kind: 'list', mark: number === undefined ? mark : { ...mark, number: Number(number) } };
  }
  return { kind: QUOTE.test(line) ? 'quote' : 'plain' };
}

export function closesFence(line: string, fence: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found !== undefined && found.startsWith(fence);
}

export function isListLine(mark: ListMark, other: ListMark | undefined): boolean {
  return mark.sign === other?.sign;
}
