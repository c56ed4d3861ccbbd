import TurndownService from 'turndown';
import { fenced } from '../../util/fenced.js';

/** HTML that was made clean before, as Markdown: with tables, fenced code and nested lists. */
export function toMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '_',
    blankReplacement: (_content, node) => blank(node),
  });
  service.addRule('preformatted', {
    // Those of `<pre><code>` have a rule of their own.
    filter: (node) => node.nodeName === 'PRE' && node.firstChild?.nodeName !== 'CODE',
    replacement: (_content, node) => `\n\n${fenced(node.textContent ?? '')}\n\n`,
  });
  service.addRule('list item', { filter: 'li', replacement: (content, node) => listItem(content, node) });
  service.addRule('struck out', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
  service.addRule('cell', { filter: ['th', 'td'], replacement: cell });
  service.addRule('row', { filter: 'tr', replacement: (content) => `\n|${content}\n` });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table', { filter: 'table', replacement: table });
  service.remove(['button', 'select', 'textarea']);
  return service
    .turndown(html)
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

type Replaced = Parameters<NonNullable<TurndownService.Rule['replacement']>>[1];

/** An empty cell is a cell. */
function blank(node: Replaced): string {
  if (node.nodeName === 'TD' || node.nodeName === 'TH') return '  |';
  return /^(?:P|DIV|SECTION|ARTICLE|UL|OL|TABLE|BLOCKQUOTE|H[1-6]|PRE)$/.test(node.nodeName) ? '\n\n' : '';
}

/** On one line, as a table has it. */
function cell(content: string): string {
  const line = content
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
  return ` ${line} |`;
}

function table(content: string): string {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.filter((line) => line.startsWith('|'));
  const around = lines.filter((line) => !line.startsWith('|')).join('\n\n');
  const columns = Math.max(0, ...rows.slice(0, 50).map((row) => row.replaceAll('\\|', '').split('|').length - 2));
  const [head = '', ...rest] = rows;
  // What has one column only is there for its looks.
  const body =
    columns < 2
      ? rows.map((row) => row.slice(1, -1).replaceAll('\\|', '|').trim()).join('\n\n')
      : [head, `|${' --- |'.repeat(columns)}`, ...rest].join('\n');
  return `\n\n${around}\n\n${body}\n\n`;
}

/** With one space behind the mark, where the library has three. */
function listItem(content: string, node: Replaced): string {
  const list = node.parentNode;
  const isOrdered = list?.nodeName === 'OL';
  const place = isOrdered ? Array.from(list.children).indexOf(node) : 0;
  const start = isOrdered ? Number(list.getAttribute('start') ?? 1) || 1 : 1;
  const mark = isOrdered ? `${start + place}. ` : '- ';
  const text = content.trim().replaceAll('\n', `\n${' '.repeat(mark.length)}`);
  return `${mark}${text}${node.nextSibling === null ? '' : '\n'}`;
}
