import type { Key } from '../screen/panel.js';

/** A text that is being typed. */
export interface TypedText {
  /** As it will be handed on: nothing is made visible or left out. */
  readonly text: string;
  /** Where the next character goes: an index of `text`, between characters as people count them. */
  readonly at: number;
}

export function typedText(text: string): TypedText {
  return { text, at: text.length };
}

/** The text after a key, or undefined where the key does not edit. Without `multiline`, line breaks become blanks. Pure. */
export function typeKey(typed: TypedText, key: Key, multiline = false): TypedText | undefined {
  const move = MOVES[key.name];
  if (move !== undefined) return move(typed);
  if (multiline && key.name === 'enter') return insert(typed, '\n');
  if (multiline && key.name === 'up') return moveLine(typed, -1);
  if (multiline && key.name === 'down') return moveLine(typed, 1);
  const isKeyOnly = key.text === '' || key.name === 'enter' || key.name === 'tab';
  if (isKeyOnly) return undefined;
  return insert(typed, multiline ? key.text : key.text.replaceAll(/\n+$/g, '').replaceAll('\n', ' '));
}

export function insert({ text, at }: TypedText, more: string): TypedText {
  return { text: `${text.slice(0, at)}${more}${text.slice(at)}`, at: at + more.length };
}

type Move = (typed: TypedText) => TypedText;

const goTo =
  (find: (text: string, at: number) => number): Move =>
  ({ text, at }) => ({ text, at: find(text, at) });

/** Takes away what lies between the cursor and the place that `find` names. */
const removeTo =
  (find: (text: string, at: number) => number): Move =>
  ({ text, at }) => {
    const other = find(text, at);
    const [from, to] = other < at ? [other, at] : [at, other];
    return { text: text.slice(0, from) + text.slice(to), at: from };
  };

const MOVES: Readonly<Record<string, Move>> = {
  left: goTo(charBefore),
  'ctrl+b': goTo(charBefore),
  right: goTo(charAfter),
  'ctrl+f': goTo(charAfter),
  home: goTo(lineStart),
  'ctrl+a': goTo(lineStart),
  end: goTo(lineEnd),
  'ctrl+e': goTo(lineEnd),
  'ctrl+home': goTo(() => 0),
  'ctrl+end': goTo((text) => text.length),
  'alt+left': goTo(wordBefore),
  'ctrl+left': goTo(wordBefore),
  'alt+b': goTo(wordBefore),
  'alt+right': goTo(wordAfter),
  'ctrl+right': goTo(wordAfter),
  'alt+f': goTo(wordAfter),
  backspace: removeTo(charBefore),
  delete: removeTo(charAfter),
  'ctrl+d': removeTo(charAfter),
  'ctrl+w': removeTo(wordBefore),
  'alt+backspace': removeTo(wordBefore),
  'alt+d': removeTo(wordAfter),
  'ctrl+u': removeTo(lineStart),
  'ctrl+k': removeTo(lineEnd),
};

/** No character that people see is longer, but for text that is made to be. */
const NEAR = 64;

function charBefore(text: string, at: number): number {
  if (at === 0) return 0;
  if (text[at - 1] === '\n') return at - 1;
  const from = Math.max(lineStart(text, at), at - NEAR);
  const last = Array.from(new Intl.Segmenter().segment(text.slice(from, at))).at(-1);
  return from + (last?.index ?? 0);
}

function charAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const [first] = new Intl.Segmenter().segment(text.slice(at, at + NEAR));
  return at + (first?.segment.length ?? 1);
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** With what is drawn onto a letter: the cursor never goes between the two. */
const WORD = String.raw`(?:[\p{L}\p{N}_][\p{M}\p{Cf}]*)*`;
const BETWEEN = String.raw`[^\p{L}\p{N}_]*`;
const LONGEST_WORD = 2_000;

function wordBefore(text: string, at: number): number {
  const before = new RegExp(`${WORD}${BETWEEN}$`, 'u').exec(text.slice(Math.max(0, at - LONGEST_WORD), at));
  return at - (before?.[0].length ?? 0);
}

function wordAfter(text: string, at: number): number {
  const after = new RegExp(`^${BETWEEN}${WORD}`, 'u').exec(text.slice(at, at + LONGEST_WORD));
  return at + (after?.[0].length ?? 0);
}

/** To the line above or below, as many characters in as before; from the outermost one to its end. */
function moveLine(typed: TypedText, by: -1 | 1): TypedText {
  const { text, at } = typed;
  const start = lineStart(text, at);
  const end = lineEnd(text, at);
  if (by < 0 && start === 0) return { text, at: 0 };
  if (by > 0 && end === text.length) return { text, at: text.length };
  const target = by < 0 ? lineStart(text, start - 1) : end + 1;
  const count = Array.from(new Intl.Segmenter().segment(text.slice(start, at))).length;
  const chars = Array.from(new Intl.Segmenter().segment(text.slice(target, lineEnd(text, target))));
  const before = chars.slice(0, count).reduce((sum, { segment }) => sum + segment.length, 0);
  return { text, at: target + before };
}
