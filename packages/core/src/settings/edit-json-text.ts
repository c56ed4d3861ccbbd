import type * as Jsonc from 'jsonc-parser';

export type JsoncEditor = Pick<typeof Jsonc, 'parseTree' | 'createScanner'>;

type Path = readonly string[];

/** What `editJson` could not do: a clause about the text. */
export interface EditProblem {
  readonly problem: string;
}

/** How the text is laid out. */
interface Layout {
  readonly text: string;
  readonly eol: string;
  /** One step to the right. */
  readonly unit: string;
  readonly parser: JsoncEditor;
}

// Of jsonc-parser's SyntaxKind, which is an enum of constants and not there at run time.
const COMMA = 5;
const COMMENT_LINE = 12;
const COMMENT_BLOCK = 13;
const LINE_BREAK = 14;
const TRIVIA = 15;

/**
 * The text of a JSON object, comments and trailing commas allowed, with one value set, or removed where it is undefined. Not
 * a character of the rest changes, but a comma that is needed or left over. Pure.
 */
export function editJson(written: string, at: Path, value: unknown, parser: JsoncEditor): string | EditProblem {
  const [mark, body] = written.startsWith('\uFEFF') ? ['\uFEFF', written.slice(1)] : ['', written];
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const errors: Jsonc.ParseError[] = [];
  const found = parser.parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0 || (found !== undefined && found.type !== 'object')) return { problem: 'is not a JSON object' };
  const text = found === undefined ? `${body}${body === '' || /[\r\n]$/.test(body) ? '' : eol}{}${eol}` : body;
  const root = found ?? parser.parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return { problem: 'is not a JSON object' };
  const layout: Layout = { text, eol, unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', parser };
  const edited = editObject(layout, root, at, value);
  return typeof edited === 'string' ? mark + edited : edited;
}

function editObject(layout: Layout, object: Jsonc.Node, at: Path, value: unknown): string | EditProblem {
  const [name = '', ...rest] = at;
  // Of several with one name the last counts.
  const property = object.children?.findLast((each) => each.children?.[0]?.value === name);
  const held = property?.children?.[1];
  if (property === undefined || held === undefined) {
    if (value === undefined) return layout.text;
    const whole = rest.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value);
    return insert(layout, object, name, whole);
  }
  if (rest.length > 0) {
    if (held.type !== 'object') return { problem: `holds something other than an object at "${name}"` };
    return editObject(layout, held, rest, value);
  }
  if (value === undefined) return remove(layout, object, property);
  const isSpread = /[\r\n]/.test(layout.text.slice(held.offset, held.offset + held.length)) || held.type !== 'object';
  const shown = isSpread ? spread(layout, value, indentAt(layout, property.offset)) : JSON.stringify(value);
  return replace(layout.text, held.offset, held.length, shown);
}

function insert(layout: Layout, object: Jsonc.Node, name: string, value: unknown): string {
  const { text, eol, unit } = layout;
  const last = object.children?.at(-1);
  const base = indentAt(layout, object.offset);
  if (last === undefined) {
    const end = object.offset + object.length - 1;
    const inner = text.slice(object.offset + 1, end);
    const member = `${JSON.stringify(name)}: ${spread(layout, value, base + unit)}`;
    return replace(
      text,
      end - (/[ \t]*$/.exec(inner)?.[0].length ?? 0),
      /[ \t]*$/.exec(inner)?.[0].length ?? 0,
      `${/[\r\n][ \t]*$/.test(inner) ? '' : eol}${base}${unit}${member}${eol}${base}`,
    );
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(layout, lastEnd);
  const breakAt = lineBreakAfter(layout, comma === undefined ? lastEnd : comma + 1);
  const trailing = comma === undefined ? '' : ',';
  const indent = startsItsLine(layout, last.offset) ? indentAt(layout, last.offset) : base + unit;
  const member =
    breakAt === undefined
      ? ` ${JSON.stringify(name)}: ${JSON.stringify(value)}${trailing}`
      : `${eol}${indent}${JSON.stringify(name)}: ${spread(layout, value, indent)}${trailing}`;
  const place = breakAt ?? (comma === undefined ? lastEnd : comma + 1);
  const inserted = replace(text, place, 0, member);
  return comma === undefined ? replace(inserted, lastEnd, 0, ',') : inserted;
}

function remove(layout: Layout, object: Jsonc.Node, property: Jsonc.Node): string {
  const { text } = layout;
  const comma = commaAfter(layout, property.offset + property.length);
  const members = object.children ?? [];
  const before = members[members.indexOf(property) - 1];
  const ownEnd = comma === undefined ? property.offset + property.length : comma + 1;
  // Whole lines where nothing else stands on them; a comment behind it is about it.
  const breakAt = startsItsLine(layout, property.offset) ? lineBreakAfter(layout, ownEnd) : undefined;
  const start = breakAt === undefined ? property.offset : lineStart(text, property.offset);
  const spaces = breakAt === undefined ? (/^[ \t]*/.exec(text.slice(ownEnd))?.[0].length ?? 0) : 0;
  const stop = breakAt === undefined ? ownEnd + spaces : breakAt + (text.startsWith('\r\n', breakAt) ? 2 : 1);
  const removed = replace(text, start, stop - start, '');
  if (members.length === 1) {
    const end = object.offset + object.length - 1 - (stop - start);
    return replace(
      removed,
      object.offset + 1,
      removed.slice(object.offset + 1, end).trim() === '' ? end - object.offset - 1 : 0,
      '',
    );
  }
  if (comma !== undefined || before === undefined) return removed;
  const left = commaAfter(layout, before.offset + before.length);
  return left === undefined ? removed : replace(removed, left, 1, '');
}

/** The value over several lines, the first of which begins somewhere in a line that is indented so. */
function spread({ unit, eol }: Layout, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

function commaAfter(layout: Layout, offset: number): number | undefined {
  const next = tokensAfter(layout, offset).find(({ kind }) => kind < COMMENT_LINE || kind > TRIVIA);
  return next?.kind === COMMA ? next.offset : undefined;
}

/** Where the line ends, if nothing but spaces and comments come before. */
function lineBreakAfter(layout: Layout, offset: number): number | undefined {
  const next = tokensAfter(layout, offset).find(({ kind }) => ![COMMENT_LINE, COMMENT_BLOCK, TRIVIA].includes(kind));
  return next?.kind === LINE_BREAK ? next.offset : undefined;
}

function tokensAfter({ text, parser }: Layout, offset: number): { readonly kind: number; readonly offset: number }[] {
  const scanner = parser.createScanner(text, false);
  scanner.setPosition(offset);
  const tokens: { kind: number; offset: number }[] = [];
  for (;;) {
    const kind: number = scanner.scan();
    tokens.push({ kind, offset: scanner.getTokenOffset() });
    if (kind < COMMENT_LINE || kind > TRIVIA) return tokens;
  }
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function indentAt({ text }: Layout, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function startsItsLine({ text }: Layout, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

function replace(text: string, offset: number, length: number, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}
