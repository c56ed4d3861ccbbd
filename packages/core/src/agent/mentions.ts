/** More than this is a text about something else, not a list of files. */
const MAX_MENTIONS = 50;

/**
 * Paths, folders or globs that a person named with `@` in a prompt: `@src/a.ts`, `@"with blanks.md"`, `@with\ blanks.md`.
 * The `@` must open a word, so that mail addresses do not count; a full stop or comma at the end does not either.
 * Each once, in order. Whether such a file exists is for the caller to see.
 */
export function findMentions(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(/(?<=^|[\s([{])@(?:"([^"\n]+)"|((?:\\.|[^\s\\"])+))/g)) {
    const [, quoted, bare = ''] = match;
    const path = quoted ?? bare.replace(/[.,;:!?)\]}]+$/, '').replace(/\\(.)/g, '$1');
    if (path !== '' && path !== '@') found.add(path);
    if (found.size === MAX_MENTIONS) break;
  }
  return [...found];
}

/** The first and last line, from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Splits a mention of lines, `a.ts#L10` or `a.ts#L10-20`; undefined for any other mention. Pure. */
export function withLines(mention: string): { readonly path: string; readonly lines: LineRange } | undefined {
  const [, path, from, to = from] = /^(.+)#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(mention) ?? [];
  if (path === undefined) return undefined;
  const [one, other] = [Math.max(1, Number(from)), Math.max(1, Number(to))];
  return { path, lines: { first: Math.min(one, other), last: Math.max(one, other) } };
}
