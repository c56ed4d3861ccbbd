import { webFailure } from '../web-failure.js';

/** As much of a document as is used here; the compiler knows no browser. */
export interface PageNode {
  readonly nodeType: number;
  readonly childNodes: Iterable<PageNode>;
  textContent: string | null;
  remove(): void;
}

export interface PageElement extends PageNode {
  readonly tagName: string;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  closest(selector: string): PageElement | null;
  readonly parentElement: PageElement | null;
}

export interface PageDocument extends PageElement {
  readonly body: PageElement;
}

export const ELEMENT_NODE = 1;
export const TEXT_NODE = 3;
const COMMENT_NODE = 8;

/** @throws Failure `read_content_failure` */
export async function parsePage(html: string): Promise<PageDocument> {
  if (depthOf(html) > DEEPEST) throw tooDeep();
  const { parseHTML } = await import('linkedom');
  return guarded(() => {
    const parsed: unknown = parseHTML(withFrame(html));
    const { document } = parsed as { readonly document: PageDocument };
    if (isTooDeep(document)) throw tooDeep();
    return document;
  });
}

/** The parser adds neither root nor body where a page leaves them out. */
function withFrame(html: string): string {
  const hasRoot = /<html[\s>]/i.test(html);
  if (/<(?:body|frameset)[\s>]/i.test(html)) return hasRoot ? html : `<html>${html}</html>`;
  const bare = html.replaceAll(/<!doctype[^>]{0,400}>|<\/?(?:html|head)(?:\s[^>]{0,400})?>/gi, '');
  return `<html><head></head><body>${bare}</body></html>`;
}

/** Markup may be nested deeper than any reader of it goes. @throws Failure `read_content_failure` */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw tooDeep(thrown);
  }
}

function tooDeep(cause?: unknown): Error {
  const what =
    'The page cannot be read as HTML: its elements are nested too deeply. The format "raw" gives it as it is.';
  return webFailure('read_content_failure', what, { cause });
}

/** No page that somebody wrote is nested half as deeply; the time that readers take grows with it. */
const DEEPEST = 600;
/** What needs no end tag, or has none: it does not say how deep a page is. */
const UNCOUNTED = new Set(
  'area base br col embed hr img input link meta param source track wbr p li td th tr tbody thead tfoot dt dd option optgroup colgroup path circle rect line polygon polyline ellipse use stop image html head body'.split(
    ' ',
  ),
);

function isTooDeep(document: PageDocument): boolean {
  const open = [{ node: document as PageNode, depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const depth = at.depth + 1;
    if (depth > DEEPEST) return true;
    for (const node of at.node.childNodes) if (node.nodeType === ELEMENT_NODE) open.push({ node, depth });
  }
  return false;
}

/** About how deeply elements stand within each other, without reading the page. */
export function depthOf(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (UNCOUNTED.has(name.toLowerCase())) continue;
    depth = Math.max(0, depth + (slash === '' ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Every comment below, in the order of the page. */
export function commentsIn(root: PageNode): PageNode[] {
  return [...nodesBelow(root)].filter(({ nodeType }) => nodeType === COMMENT_NODE);
}

/** All below, in the order of the page; without recursion, whatever the depth. */
export function* nodesBelow(root: PageNode): Generator<PageNode> {
  const open = [...root.childNodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if (node.nodeType === ELEMENT_NODE) open.push(...[...node.childNodes].reverse());
  }
}
