/** A text with YAML between lines of `---` at its top, or without. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What follows. */
  readonly body: string;
}

/**
 * Reads the fields at the top of a Markdown file. Nothing of it is evaluated.
 * @throws Error of the YAML parser, where it is none and no list of `name: text` either
 */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const { head, body } = splitFrontMatter(text.replace(/^\uFEFF/, ''));
  return { fields: head === undefined ? {} : await yamlOf(head), body };
}

/** Only lines of `---` alone count, the first at the very top. Pure. */
export function splitFrontMatter(text: string): { readonly head?: string; readonly body: string } {
  const found = /^---[ \t]*\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/.exec(text);
  return found === null ? { body: text } : { head: found[1] ?? '', body: text.slice(found[0].length) };
}

async function yamlOf(head: string): Promise<Readonly<Record<string, unknown>>> {
  // Its bundle has no names of its own.
  const { default: yaml } = await import('yaml');
  const document = yaml.parseDocument(head, { prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  const plain = error === undefined ? undefined : plainLines(head);
  if (error !== undefined && plain === undefined) throw error;
  // A few references to what was said before are enough for anybody; thousands are an attack.
  const value: unknown = plain ?? document.toJS({ maxAliasCount: 10 });
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** `argument-hint: [file] [why]` is what people write, and no YAML: then each line is a name and a text. */
function plainLines(head: string): Readonly<Record<string, string>> | undefined {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => /^([\w-]+):[ \t]+(.*\S)[ \t]*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
