import { commentsIn, type PageDocument, type PageElement } from './page-dom.js';

/** What no reader sees as text, or what only programs read. */
const NO_TEXT =
  'title, script, style, link, meta, template, noscript, iframe, frame, object, embed, applet, canvas, audio, video, svg, dialog:not([open]), input[type="hidden"], datalist';
const HIDDEN = '[hidden], [aria-hidden="true"]';
/** Of the page's own style sheets; each costs a walk over the page. */
const MOST_SELECTORS = 100;
const LONGEST_SHEETS = 512 * 1024;

/**
 * Takes out of the page what a person would not see: hidden elements, what style hides, comments, programs. Returns how
 * many elements with a text were hidden. What only a style sheet in another file hides is not known.
 */
export function removeHidden(document: PageDocument): number {
  const selectors = hidingSelectors([...document.querySelectorAll('style')].map((sheet) => sheet.textContent ?? ''));
  // The page as a whole is often hidden until its program has run.
  const isWhole = ({ tagName }: PageElement): boolean => /^(?:html|body|main)$/i.test(tagName);
  const hidden = new Set<PageElement>();
  for (const element of document.querySelectorAll(HIDDEN)) if (!isWhole(element)) hidden.add(element);
  for (const element of document.querySelectorAll('[style]'))
    if (!isWhole(element) && hides(element.getAttribute('style') ?? '')) hidden.add(element);
  for (const element of document.querySelectorAll('font[size="0"], [width="0"][height="0"]')) hidden.add(element);
  for (const selector of selectors)
    for (const element of selected(document, selector)) if (!isWhole(element)) hidden.add(element);
  for (const element of document.querySelectorAll(NO_TEXT)) element.remove();
  for (const comment of commentsIn(document)) comment.remove();
  let count = 0;
  for (const element of hidden) {
    if ((element.textContent ?? '').trim() !== '') count += 1;
    element.remove();
  }
  return count;
}

/** Whether declarations of a style hide what they are said of. */
export function hides(style: string): boolean {
  const rules = new Map<string, string>();
  for (const declaration of style
    .toLowerCase()
    .replaceAll(/\/\*(?:(?!\*\/)[^])*\*\//g, ' ')
    .split(';')) {
    const at = declaration.indexOf(':');
    if (at === -1) continue;
    rules.set(
      declaration.slice(0, at).trim(),
      declaration
        .slice(at + 1)
        .replace('!important', '')
        .trim(),
    );
  }
  const value = (name: string): string => rules.get(name) ?? '';
  if (value('display') === 'none' || /^(?:hidden|collapse)$/.test(value('visibility'))) return true;
  if (value('content-visibility') === 'hidden' || isNought(value('opacity')) || isNought(value('font-size')))
    return true;
  if (/\bopacity\(\s*0%?\s*\)/.test(value('filter')) || /\bscale\(\s*0[\s,)]/.test(value('transform'))) return true;
  return isFarOff(value) || isCutAway(value) || isUncoloured(value);
}

type Value = (name: string) => string;

function isNought(value: string): boolean {
  return /^[+-]?0*(?:\.0+)?0*(?:px|em|rem|pt|%|vh|vw|ch)?$/.test(value) && /0/.test(value);
}

/** Outside of what can be scrolled to. */
function isFarOff(value: Value): boolean {
  const isFar = (text: string): boolean => /^-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%|vw|vh)?$/.test(text);
  const isMoved = /^(?:absolute|fixed|relative)$/.test(value('position'));
  if (isMoved && ['left', 'right', 'top', 'bottom'].some((side) => isFar(value(side)))) return true;
  return isFar(value('text-indent')) || isFar(value('margin-left')) || isFar(value('margin-top'));
}

/** A box so small that nothing of what is in it shows. */
function isCutAway(value: Value): boolean {
  if (/^rect\(\s*(?:0|1px)[^)]*\)$/.test(value('clip')) || /^inset\(\s*(?:50|100)%/.test(value('clip-path')))
    return true;
  const isCut = /hidden|clip/.test(`${value('overflow')} ${value('overflow-x')} ${value('overflow-y')}`);
  const isTiny = (size: string): boolean => isNought(size) || /^[01]px$/.test(size);
  return isCut && ['width', 'height', 'max-width', 'max-height'].some((name) => isTiny(value(name)));
}

function isUncoloured(value: Value): boolean {
  const colour = value('color').replaceAll(/\s/g, '');
  if (colour === 'transparent' || /^(?:rgba|hsla)\(.*,0(?:\.0+)?%?\)$/.test(colour)) return true;
  const behind = (value('background-color') || value('background')).replaceAll(/\s/g, '');
  return colour !== '' && colourOf(colour) === colourOf(behind);
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['white', '#ffffff'],
  ['black', '#000000'],
]);

function colourOf(text: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text);
  if (short === null) return NAMED.get(text) ?? text;
  return `#${short
    .slice(1)
    .map((digit) => digit + digit)
    .join('')}`;
}

/** Of rules that always hold: not of those for print, or for some widths. */
function hidingSelectors(sheets: readonly string[]): readonly string[] {
  const text = sheets
    .join('\n')
    .slice(0, LONGEST_SHEETS)
    .replaceAll(/\/\*(?:(?!\*\/)[^])*\*\//g, ' ');
  const found: string[] = [];
  let start = 0;
  let opened = -1;
  let depth = 0;
  for (let at = 0; at < text.length && found.length < MOST_SELECTORS; at += 1) {
    const sign = text[at];
    if (sign === '{') {
      if (depth === 0) opened = at;
      depth += 1;
    } else if (sign === '}') {
      depth = Math.max(0, depth - 1);
      if (depth > 0 || opened === -1) continue;
      const selector = text.slice(start, opened).trim();
      if (!selector.startsWith('@') && hides(text.slice(opened + 1, at))) found.push(selector);
      [start, opened] = [at + 1, -1];
    } else if (sign === ';' && depth === 0) start = at + 1;
  }
  return found;
}

function selected(document: PageDocument, selector: string): readonly PageElement[] {
  // What is only so while something else is: a state, a part that is drawn.
  if (/:(?!not\b|is\b|where\b|first-child\b|last-child\b|nth-)/.test(selector)) return [];
  try {
    return [...document.querySelectorAll(selector)];
  } catch {
    // A selector that the library does not know selects nothing.
    return [];
  }
}
