import { ELEMENT_NODE, TEXT_NODE, type PageElement, type PageNode } from './page-dom.js';

const BLOCKS =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BODY|DD|DETAILS|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|PRE|SECTION|SUMMARY|TABLE|TBODY|TFOOT|THEAD|TR|UL)$/;
const PARAGRAPHS = /^(?:BLOCKQUOTE|H[1-6]|OL|P|PRE|TABLE|UL)$/;

type Step = { readonly enter: PageNode; readonly isPre: boolean } | { readonly put: string };

/** The words of an element, a line for each block, cells parted by tabs. Without recursion, whatever the depth. */
export function plainTextOf(root: PageElement): string {
  const parts: string[] = [];
  const open: Step[] = [{ enter: root, isPre: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if ('put' in step) {
      parts.push(step.put);
      continue;
    }
    const { enter: node, isPre } = step;
    if (node.nodeType === TEXT_NODE) {
      const text = node.textContent ?? '';
      parts.push(isPre ? text : folded(text, parts.at(-1) ?? ''));
    }
    if (node.nodeType !== ELEMENT_NODE) continue;
    const name = (node as PageElement).tagName.toUpperCase();
    const edge = PARAGRAPHS.test(name) ? '\n\n' : BLOCKS.test(name) || name === 'BR' ? '\n' : '';
    parts.push(edge);
    if (name === 'BR') continue;
    open.push({ put: /^T[DH]$/.test(name) ? '\t' : edge });
    const inner = isPre || name === 'PRE';
    open.push(...[...node.childNodes].reverse().map((child) => ({ enter: child, isPre: inner })));
  }
  return parts
    .join('')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function folded(text: string, before: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return before.endsWith('\n') ? line.trimStart() : line;
}
