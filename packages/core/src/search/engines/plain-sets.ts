const CLASS = /\\(?:[dDwWsShH]|[pP](?:\{[^{}]*\}|[A-Za-z]))|\[:\^?[a-z]+:\]/y;

/** Sets within sets; no engine takes more. */
const MAX_NESTED = 250;

/** A piece of a regular expression that cannot be cut: a set, an escape, a quotation (`\Q…\E`) or a code unit. */
interface PatternPiece {
  readonly kind: 'set' | 'quotation' | 'other';
  readonly start: number;
  /** The place behind it. */
  readonly end: number;
  /** See `withPlainSets`. */
  readonly plain: string;
}

/** All of them in their order. Behind a set that is never closed, brackets open none. */
export function* piecesOf(pattern: string): Generator<PatternPiece, void, undefined> {
  let isOpen = false;
  for (let start = 0; start < pattern.length;) {
    const set: PlainSet | undefined = isOpen ? undefined : setAt(pattern, start);
    isOpen ||= set === undefined && pattern[start] === '[';
    const piece: PatternPiece = set === undefined ? otherAt(pattern, start) : { kind: 'set', start, ...set };
    yield piece;
    start = piece.end;
  }
}

/** Only PCRE2 has quotations. */
export function hasQuotation(pattern: string): boolean {
  return pattern.includes('\\Q') && Array.from(piecesOf(pattern)).some(({ kind }) => kind === 'quotation');
}

/** Whether there is a `^` that opens no set. */
export function hasLineStart(pattern: string): boolean {
  return Array.from(piecesOf(pattern)).some(({ start, kind }) => kind === 'other' && pattern[start] === '^');
}

function otherAt(pattern: string, start: number): PatternPiece {
  const isEscape = pattern[start] === '\\';
  if (!isEscape || pattern[start + 1] !== 'Q') {
    const end = start + (isEscape ? 2 : 1);
    return { kind: 'other', start, end, plain: pattern.slice(start, end) };
  }
  const close = pattern.indexOf('\\E', start);
  const end = close === -1 ? pattern.length : close + 2;
  // ripgrep puts a bracket behind the pattern, which would be quoted too.
  return { kind: 'quotation', start, end, plain: `${pattern.slice(start, end)}${close === -1 ? '\\E' : ''}` };
}

/**
 * The same regular expression with escapes in its sets where ripgrep's own syntax wants one and most others do not: a
 * hyphen beside a class (`[\w-.]`), and an opening bracket that is never closed (`[[]`). A quotation has its end.
 */
export function withPlainSets(pattern: string): string {
  return Array.from(piecesOf(pattern), ({ plain }) => plain).join('');
}

export interface PlainSet {
  /** With those escapes. */
  readonly plain: string;
  /** The place behind it. */
  readonly end: number;
}

/** The set (`[…]`) that begins there; undefined where none does, or it is never closed. */
export function setAt(pattern: string, at: number): PlainSet | undefined {
  if (pattern[at] !== '[') return undefined;
  return readSet(pattern, at, MAX_NESTED) ?? readSet(pattern, at, 0);
}

/** `levels`: of sets that may stand within it. */
function readSet(pattern: string, start: number, levels: number): PlainSet | undefined {
  const opening = /\[\^?\]?/y;
  opening.lastIndex = start;
  let plain = opening.exec(pattern)?.[0] ?? '[';
  const hasSets = levels > 0;
  let isBehindClass = false;
  for (let at = start + plain.length; at < pattern.length;) {
    const character = pattern.charAt(at);
    if (character === ']') return { plain: `${plain}]`, end: at + 1 };
    const item = classAt(pattern, at) ?? '';
    const opensSet = hasSets && character === '[' && item === '';
    const inner = opensSet && levels > 1 ? readSet(pattern, at, levels - 1) : undefined;
    if (opensSet && inner === undefined) return undefined;
    const end = inner?.end ?? at + (item.length || lengthOf(pattern, at));
    const text = pattern.slice(at, end);
    const isLiteral =
      (text === '-' && pattern[end] !== ']' && (isBehindClass || classAt(pattern, end)?.startsWith('\\') === true)) ||
      (!hasSets && /^[[&~]$/.test(text));
    plain += inner?.plain ?? (isLiteral ? `\\${text}` : text);
    isBehindClass = item.startsWith('\\');
    at = end;
  }
  return undefined;
}

function classAt(pattern: string, at: number): string | undefined {
  CLASS.lastIndex = at;
  return CLASS.exec(pattern)?.[0];
}

/** Of what stands for one character, or takes one set from another. */
function lengthOf(pattern: string, at: number): number {
  return pattern[at] === '\\' || pattern.startsWith('--', at) ? 2 : 1;
}
