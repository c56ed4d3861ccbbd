// Words for pages that are made from the sources, and what is read of pages that people wrote.

export const GENERATED = 'Made from the sources by `node scripts/generate-docs.mjs`.';

/** Text as text: what Markdown would read as markup is escaped. */
export const plain = (text) => text.replaceAll(/[\\*_<>[\]|`]/g, '\\$&');
export const cell = (text) => plain(text).replaceAll('\n', ' ');

/** `text` where `[text](address)` stood. */
const withoutLinks = (text) => text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');

/** The first heading of a page; numbers of decisions are left out. */
export function titleOf(page) {
  const [, title] = /^# (?:\d+\. )?(.+)$/m.exec(page) ?? [];
  return title === undefined ? undefined : withoutLinks(title).trim();
}

/** The first sentence of the first paragraph, without links. */
export function firstSentence(page) {
  const paragraphs = page.split(/\n{2,}/).map((text) => text.trim());
  const first = paragraphs.find((text) => /^[^#<|!`\s-]/.test(text) || text.startsWith('`'));
  if (first === undefined || first.startsWith('```')) return undefined;
  const words = withoutLinks(first.replace(/^\*\*[^*]+\*\*\s*/, '').replaceAll(/\s+/g, ' '));
  return (/^.*?[.!?](?=\s|$)/.exec(words)?.[0] ?? words).replace(/:$/, '.');
}
