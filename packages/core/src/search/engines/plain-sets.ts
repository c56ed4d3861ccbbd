const CLASS = /\\(?:[dDwWsShH]|[pP](?:\{[^{}]*\}|[A-Za-z]))|\[:\^?[a-z]+:\]/y;

/**
 * The same regular expression with escapes in its sets where ripgrep's own syntax wants one and most others do not: a
 * hyphen beside a class (`[\w-.]`), and an opening bracket that is never closed (`[[]`).
 */
export function withPlainSets(pattern: string): string {
  let plain = '';
  for (let at = 0; at < pattern.length;) {
    const set = setAt(pattern, at);
    const end = set?.end ?? at + (pattern[at] === '\\' ? 2 : 1);
    plain += set?.plain ?? pattern.slice(at, end);
    at = end;
  }
  return plain;
}

interface PlainSet {
  readonly plain: string;
  /** The place behind it. */
  readonly end: number;
}

/** The set (`[…]`) that begins there; undefined where none does, or it is never closed. */
export function setAt(pattern: string, at: number): PlainSet | undefined {
  if (pattern[at] !== '[') return undefined;
  return readSet(pattern, at, true) ?? readSet(pattern, at, false);
}

/** `hasSets`: sets may stand within it. */
function readSet(pattern: string, start: number, hasSets: boolean): PlainSet | undefined {
  const opening = /\[\^?\]?/y;
  opening.lastIndex = start;
  let plain = opening.exec(pattern)?.[0] ?? '[';
  let isBehindClass = false;
  for (let at = start + plain.length; at < pattern.length;) {
    const character = pattern.charAt(at);
    if (character === ']') return { plain: `${plain}]`, end: at + 1 };
    const item = classAt(pattern, at) ?? '';
    const opensSet = hasSets && character === '[' && item === '';
    const inner = opensSet ? readSet(pattern, at, true) : undefined;
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
