/** What comes next in an address that is made from a template (RFC 6570, expressions of one name). */
export type TemplatePlace =
  /** Text of the template that is still to come before a name. */
  | { readonly kind: 'text'; readonly done: string }
  /** The value of a name. */
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly typed: string;
      /** Values of the names before. */
      readonly before: Readonly<Record<string, string>>;
      /** The address with a value in the name's place, and the text behind it. */
      readonly complete: (value: string) => string;
      readonly isLast: boolean;
    };

interface Part {
  readonly text: string;
  /** Undefined: the text stands as it is. */
  readonly name?: string;
  /** Slashes and the like stay in its value. */
  readonly isRaw?: boolean;
}

/** Where in a template an address that is being typed has come to; undefined where it does not fit. Pure. */
export function placeInTemplate(template: string, typed: string): TemplatePlace | undefined {
  const parts = partsOf(template);
  const before: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const rest = typed.slice(at);
    if (part.name === undefined) {
      if (rest.length < part.text.length || rest === '') {
        return part.text.startsWith(rest) ? { kind: 'text', done: typed.slice(0, at) + part.text } : undefined;
      }
      if (!rest.startsWith(part.text)) return undefined;
      at += part.text.length;
      continue;
    }
    const behind = parts[index + 1]?.text ?? '';
    const end = behind === '' ? -1 : rest.indexOf(behind);
    if (end === -1) {
      const start = typed.slice(0, at);
      return {
        kind: 'value',
        name: part.name,
        typed: decoded(rest),
        before,
        complete: (value) => start + (part.isRaw === true ? encodeURI(value) : encodeURIComponent(value)) + behind,
        isLast: index + 2 >= parts.length,
      };
    }
    before[part.name] = decoded(rest.slice(0, end));
    at += end;
  }
  return undefined;
}

function partsOf(template: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const found of template.matchAll(/\{([+#]?)([\w.%-]+)\*?\}/g)) {
    const [whole, operator = '', name = ''] = found;
    if (found.index > at) parts.push({ text: template.slice(at, found.index) });
    parts.push({ text: '', name, isRaw: operator === '+' });
    at = found.index + whole.length;
  }
  if (at < template.length) parts.push({ text: template.slice(at) });
  return parts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
