import { posix } from 'node:path';
import { anchorsOf, partsOf, type Finding, type Page, type Piece } from './pages.js';

/** What is there in the repository beside pages. Both take paths with `/`, relative to its root. */
export interface Tree {
  readonly isThere: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
}

interface Link extends Piece {
  /** Of the page or file; that of the page itself where only an anchor is given. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Links within the repository, those of pictures too. Code is no link. */
function linksOf(page: Page): Link[] {
  return partsOf(page).prose.flatMap(({ line, text }) =>
    [...text.replaceAll(/(`+).+?\1/g, 'code').matchAll(/\]\(\s*<?([^\s)>]+)>?[^)]*\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
      const [name = '', anchor] = target.split('#');
      const path = name === '' ? page.path : posix.join(posix.dirname(page.path), decodeURIComponent(name));
      return [{ line, text: target, path: path.replace(/\/$/, ''), anchor }];
    }),
  );
}

/** Links that lead nowhere, and anchors that their page does not have. */
export function brokenLinks(pages: readonly Page[], { isThere }: Tree): Finding[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  return pages.flatMap((page) =>
    linksOf(page).flatMap(({ line, text, path, anchor }) => {
      if (!isThere(path)) return [{ path: page.path, line, text: `${text} leads nowhere` }];
      if (anchor === undefined || anchors.get(path)?.has(anchor) !== false) return [];
      return [{ path: page.path, line, text: `${path} has no heading for #${anchor}` }];
    }),
  );
}

/** Pages to which no way leads from the first one. A link to a folder leads to the pages in it. */
export function unreachable(pages: readonly Page[], first: string, { isFolder }: Tree): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const seen = new Set([first]);
  for (const path of seen) {
    const page = byPath.get(path);
    if (page === undefined) continue;
    for (const link of linksOf(page))
      for (const one of isFolder(link.path) ? inFolder(pages, link.path) : [link.path]) seen.add(one);
  }
  return pages.map(({ path }) => path).filter((path) => !seen.has(path));
}

function inFolder(pages: readonly Page[], folder: string): string[] {
  return pages.map(({ path }) => path).filter((path) => posix.dirname(path) === folder);
}
