/** What is between these tags is for programs. */
const PROGRAMS: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe', 'object']);
/** Behind these a line begins. */
const BREAKS =
  /^\/?(?:address|article|aside|blockquote|body|br|dd|details|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)$/;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', '\u0027'],
  ['nbsp', ' '],
]);

/** The words of a page without its tags, in one pass whatever the page is. Hidden words are among them. Pure. */
export function wordsOfMarkup(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    const { next, put } = tagAt(html, open);
    parts.push(put);
    at = next;
  }
  return parts
    .join('')
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, decoded)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Where what begins there ends, and what stands in its place. */
function tagAt(html: string, open: number): { readonly next: number; readonly put: string } {
  if (html.startsWith('<!--', open)) return { next: behind(html, '-->', open + 4), put: '' };
  // Names are short; the rest of a tag may be very long.
  const [, name = ''] = /^<(\/?[a-z][a-z0-9-]{0,20})/i.exec(html.slice(open, open + 24)) ?? [];
  if (name === '' && !/^<[!?/]/.test(html.slice(open, open + 2))) return { next: open + 1, put: '<' };
  const next = behind(html, '>', open);
  const lower = name.toLowerCase();
  if (!PROGRAMS.has(lower)) return { next, put: BREAKS.test(lower) ? '\n' : '' };
  return { next: behindEnd(html, lower, next), put: '' };
}

function behind(html: string, sign: string, from: number): number {
  const at = html.indexOf(sign, from);
  return at === -1 ? html.length : at + sign.length;
}

function behindEnd(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[^>]{0,200}>`, 'gi');
  end.lastIndex = from;
  return end.test(html) ? end.lastIndex : html.length;
}

function decoded(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\uFFFD';
}
