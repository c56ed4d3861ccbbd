import { joinSafe, makeSafe, safeText, type Safe } from '@tenon/core';
import type { Token, Tokens } from 'marked';
import type { Role, Theme } from '../../themes/theme.js';
import { NOTHING, paintAll } from '../paint.js';

/** Deeper than anybody writes: what is inside is shown as it was written. */
const DEEPEST = 12;

/** What stands for a secret looks like strong words. */
const PLACEHOLDER = /^__secret:[\w.-]+__$/;

/** Text within a block, with its looks; `\n` only where the author asked for a line break. */
export function renderInline(tokens: readonly Token[], theme: Theme, roles: readonly Role[] = [], depth = 0): Safe {
  return joinSafe(
    tokens.map((token) => renderToken(token, theme, roles, depth)),
    NOTHING,
  );
}

function renderToken(token: Token, theme: Theme, roles: readonly Role[], depth: number): Safe {
  const leaf = (text: string, ...more: Role[]): Safe => paintAll(theme, [...roles, ...more], oneLine(text));
  const inner = (role: Role): Safe => renderInline(childrenOf(token), theme, [...roles, role], depth + 1);
  if (depth > DEEPEST) return leaf(token.raw);
  switch (token.type) {
    case 'strong':
      return PLACEHOLDER.test(token.raw) ? leaf(token.raw) : inner('strong');
    case 'em':
      return inner('emphasis');
    case 'del':
      return safeText`${leaf('~~', 'dim')}${inner('dim')}${leaf('~~', 'dim')}`;
    case 'codespan':
      return leaf((token as Tokens.Codespan).text, 'code');
    case 'br':
      return safeText`\n`;
    case 'link':
      return renderLink(token as Tokens.Link, theme, roles, depth);
    case 'image': {
      const { text, href } = token as Tokens.Image;
      return safeText`${leaf(text === '' ? 'image' : text, 'link')} ${leaf(`(${href})`, 'dim')}`;
    }
    case 'escape':
      return leaf((token as Tokens.Escape).text);
    case 'text':
      if (childrenOf(token).length > 0) return renderInline(childrenOf(token), theme, roles, depth + 1);
      return leaf(decodeEntities((token as Tokens.Text).text));
    default:
      return leaf(token.raw);
  }
}

/** Where a link leads is always to be seen: its text may say anything. */
function renderLink(token: Tokens.Link, theme: Theme, roles: readonly Role[], depth: number): Safe {
  const shown = renderInline(token.tokens, theme, [...roles, 'link'], depth + 1);
  const bare = token.href.replace(/^mailto:/, '');
  if (token.text === token.href || token.text === bare) return shown;
  return safeText`${shown} ${paintAll(theme, [...roles, 'dim'], oneLine(`(${token.href})`))}`;
}

export function childrenOf(token: Token): readonly Token[] {
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

/** A line break of the source is a blank, as in a browser. */
function oneLine(text: string): Safe {
  return makeSafe(text.replaceAll(/[ \t]*\n[ \t]*/g, ' '));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
};

/** What is decoded is untrusted as the rest. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (found, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? found;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
  });
}
