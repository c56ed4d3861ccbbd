import { readSourceFiles } from '../source-files.js';

/** A page of the documentation, or any Markdown for which its place is given. */
export interface Page {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Something that is wrong in a page. */
export interface Finding {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** A piece of a page with the line that it begins on, 1-based. */
export interface Piece {
  readonly line: number;
  readonly text: string;
}

const FENCE = /^\s*(`{3,}|~{3,})/;

/** `README.md`, `AGENTS.md`, and all that stands below `docs` and `examples`. */
export function readPages(): Page[] {
  const below = ['docs', 'examples'].flatMap((folder) => readSourceFiles(folder, /\.md$/));
  const above = readSourceFiles('.', /^\.\/(?:README|AGENTS)\.md$/);
  return [...above.map(({ path, text }) => ({ path: path.slice(2), text })), ...below];
}

/** The lines of a page outside of code blocks, and those within. */
export function partsOf({ text }: Page): { readonly prose: readonly Piece[]; readonly code: readonly Piece[] } {
  const prose: Piece[] = [];
  const code: Piece[] = [];
  let fence: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const found = FENCE.exec(line)?.[1];
    if (fence === undefined && found !== undefined) fence = found;
    else if (fence !== undefined && found?.startsWith(fence) === true) fence = undefined;
    else (fence === undefined ? prose : code).push({ line: index + 1, text: line });
  }
  return { prose, code };
}

/** Inline code, as it is shown. */
export function inlineCode(page: Page): Piece[] {
  return partsOf(page).prose.flatMap(({ line, text }) =>
    [...text.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map((match) => ({
      line,
      text: (match[2] ?? '').trim().replaceAll('\\|', '|'),
    })),
  );
}

/** The headings of a page, as they are read. */
export function headingsOf(page: Page): string[] {
  return partsOf(page).prose.flatMap(({ text }) => {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    return heading === undefined ? [] : [heading.replaceAll('`', '')];
  });
}

/** What a link can name in a page, as GitHub makes it of headings. */
export function anchorsOf(page: Page): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = headingsOf(page).map((heading) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const before = counts.get(anchor) ?? 0;
    counts.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(anchors);
}
