import type { HLJSApi, LanguageFn } from 'highlight.js';
import { joinSafe, makeSafe, safeText, type Safe } from '@tenon/core';
import type { Role, Theme } from '../../themes/theme.js';
import { languageOf, LANGUAGES } from './languages.js';

/** Colours code, in the languages that it knows; each is loaded when it is first wanted. */
export interface Highlighter {
  /** False while the language is loading: code should not be drawn for good before it is there. */
  isSettled(language: string): boolean;
  /** `code` with looks; as it is while the language is not there, and where it is none of those known. */
  paint(code: Safe, language: string, theme: Theme): Safe;
  /** Resolves when the language is there, or cannot be had. */
  load(language: string): Promise<void>;
}

/** `onLoad`: something that was drawn plain can be drawn anew. */
export function createHighlighter(onLoad: () => void = () => undefined): Highlighter {
  let engine: HLJSApi | undefined;
  const loading = new Map<string, Promise<void>>();
  const settled = new Set<string>();

  const fetch = async (name: string): Promise<void> => {
    try {
      const [core, language] = await Promise.all([import('highlight.js/lib/core'), LANGUAGES[name]?.()]);
      engine ??= core.default.newInstance();
      if (language !== undefined) engine.registerLanguage(name, language.default as LanguageFn);
    } finally {
      settled.add(name);
    }
    onLoad();
  };
  const load = (name: string): Promise<void> => {
    const known = loading.get(name);
    if (known !== undefined) return known;
    // Code without colours is read as well.
    const begun = fetch(name).catch(() => undefined);
    loading.set(name, begun);
    return begun;
  };

  return {
    isSettled(language) {
      const name = languageOf(language);
      if (name === undefined || settled.has(name)) return true;
      void load(name);
      return false;
    },
    async load(language) {
      const name = languageOf(language);
      if (name !== undefined) await load(name);
    },
    paint(code, language, theme) {
      const name = languageOf(language);
      if (name === undefined || engine?.getLanguage(name) === undefined) return code;
      const { value } = engine.highlight(code, { language: name, ignoreIllegals: true });
      return paintMarkup(value, theme);
    },
  };
}

/** By the first word of what highlight.js calls a part of the code. */
const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['keyword', 'syntaxKeyword'],
  ['literal', 'syntaxNumber'],
  ['number', 'syntaxNumber'],
  ['string', 'syntaxString'],
  ['regexp', 'syntaxString'],
  ['char', 'syntaxString'],
  ['comment', 'syntaxComment'],
  ['doctag', 'syntaxComment'],
  ['quote', 'syntaxComment'],
  ['title', 'syntaxName'],
  ['attr', 'syntaxName'],
  ['attribute', 'syntaxName'],
  ['property', 'syntaxName'],
  ['section', 'syntaxName'],
  ['name', 'syntaxKeyword'],
  ['tag', 'syntaxKeyword'],
  ['selector-tag', 'syntaxKeyword'],
  ['selector-class', 'syntaxName'],
  ['selector-id', 'syntaxName'],
  ['meta', 'syntaxComment'],
  ['built_in', 'syntaxType'],
  ['type', 'syntaxType'],
  ['class', 'syntaxType'],
  ['symbol', 'syntaxNumber'],
  ['variable', 'syntaxType'],
  ['addition', 'added'],
  ['deletion', 'removed'],
]);

const MARKUP = /<span class="hljs-([\w-]+)[^"]*">|<span[^>]*>|<\/span>|[^<]+/g;
const ESCAPES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** What highlight.js gives is HTML: spans within one another, around escaped text. */
function paintMarkup(markup: string, theme: Theme): Safe {
  const open: (Role | undefined)[] = [];
  const parts: Safe[] = [];
  for (const [found, name] of markup.matchAll(MARKUP)) {
    if (found === '</span>') open.pop();
    else if (found.startsWith('<span')) open.push(name === undefined ? undefined : ROLES.get(name));
    else {
      const text = found.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, entity: string) => ESCAPES[entity] ?? '');
      const safe = makeSafe(text, { multiline: true });
      const role = open.findLast((one) => one !== undefined);
      parts.push(role === undefined ? safe : theme.paint(role, safe));
    }
  }
  return joinSafe(parts, safeText``);
}
