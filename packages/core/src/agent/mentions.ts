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
