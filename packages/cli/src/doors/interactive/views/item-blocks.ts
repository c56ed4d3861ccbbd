import { makeSafe, safeText, shortenText, joinSafe, splitLines, wrapSafe, type Safe } from '@tenon/core';
import type { AnswerItem, CallItem, Item, NoticeItem, ThinkingItem, UserItem } from '../state/session-state.js';
import { unfinishedBlocks, type MarkdownBlock } from '../state/split-markdown.js';
import type { Role } from '../themes/theme.js';
import type { Block, Look } from './block.js';
import { renderCall } from './calls/call-view.js';
import type { CallDrawing } from './calls/displays.js';
import { renderImage } from './image-view.js';
import { languageOfFile } from './markdown/languages.js';
import { renderMarkdownBlock } from './markdown/render-markdown.js';
import { duration, NOTHING, paintLine, sign } from './paint.js';

/** What drawing needs beside the look. */
export type BlockServices = Omit<CallDrawing, 'look'>;

/** A block, and what it is drawn from: the same thing gives the same lines. */
export interface ItemBlock extends Block {
  readonly of: object;
}

type Kinds = {
  readonly [K in Item['kind']]: (item: Extract<Item, { kind: K }>, services: BlockServices) => ItemBlock[];
};

/** By what an item is. */
const KINDS: Kinds = {
  user: (item) => [block(item, (look) => renderUser(item, look))],
  answer: answerBlocks,
  thinking: (item) => [block(item, (look) => renderThinking(item, look), item.endedAt !== undefined)],
  call: (item, services) => [callBlock(item, services)],
  notice: (item) => [block(item, (look) => renderNotice(item, look))],
  shown: (item) => [block(item, (look) => spaced(wrapSafe(item.text, look.columns)))],
  images: (item) => [block(item, (look) => item.images.flatMap((image) => renderImage(image, look)))],
};

export function blocksOfItem(item: Item, services: BlockServices): ItemBlock[] {
  const draw = KINDS[item.kind] as (item: Item, services: BlockServices) => ItemBlock[];
  return draw(item, services);
}

function block(item: Item, render: (look: Look) => readonly Safe[], isDone = true): ItemBlock {
  return { key: item.key, of: item, isDone, render };
}

function spaced(lines: readonly Safe[]): Safe[] {
  return [NOTHING, ...lines];
}

/** Rows of what the person said; they know the rest. */
const MOST_USER_LINES = 20;

function renderUser(item: UserItem, look: Look): Safe[] {
  const { theme } = look;
  const mark = theme.paint(
    'accent',
    item.isSteering ? sign(look, safeText`↳ `, safeText`+ `) : sign(look, safeText`› `, safeText`> `),
  );
  const text = makeSafe(item.text.trim().replaceAll('\r\n', '\n').replaceAll('\t', '    '), { multiline: true });
  const lines = wrapSafe(text, Math.max(1, look.columns - 2));
  const shown = look.isOpen ? lines : shortenText(joinSafe(lines, safeText`\n`), MOST_USER_LINES);
  return spaced(shown.map((line, index) => safeText`${index === 0 ? mark : safeText`  `}${theme.paint('user', line)}`));
}

function answerBlocks(item: AnswerItem, services: BlockServices): ItemBlock[] {
  const { markdown, key } = item;
  const at = (index: number): string => `${key}.${markdown.dropped + index}`;
  const done = markdown.finished.map((piece, index) => markdownBlock(at(index), piece, true, services));
  const open = item.isDone ? [] : unfinishedBlocks(markdown);
  const undone = open.map((piece, index) => markdownBlock(at(done.length + index), piece, false, services));
  return [...done, ...undone];
}

function markdownBlock(key: string, piece: MarkdownBlock, isDone: boolean, services: BlockServices): ItemBlock {
  const { highlighter } = services;
  return {
    key,
    of: piece,
    // Printed without colours it could not get them any more.
    get isDone() {
      return isDone && (piece.kind !== 'code' || highlighter.isSettled(piece.language));
    },
    render: (look) => {
      const lines = renderMarkdownBlock(piece, look, highlighter);
      return piece.hasGap ? spaced(lines) : lines;
    },
  };
}

const THOUGHT_LINES = 3;
/** Of thoughts that still grow only the end is drawn. */
const THOUGHT_TAIL = 2_000;

function renderThinking(item: ThinkingItem, look: Look): Safe[] {
  const { theme } = look;
  const took = (item.endedAt ?? look.now) - item.startedAt;
  const time = took < 1_000 ? '' : ` for ${duration(took)}`;
  const isDone = item.endedAt !== undefined;
  const head = paintLine(theme, 'thinking', isDone ? `Thought${time}` : `Thinking${time}`);
  const mark = theme.paint('thinking', sign(look, safeText`✻ `, safeText`* `));
  const first = safeText`${mark}${head}`;
  if (isDone && !look.isOpen) return spaced(wrapSafe(first, look.columns));
  const text = look.isOpen ? item.text : item.text.slice(-THOUGHT_TAIL);
  const safe = makeSafe(text.trim().replaceAll('\t', '    '), { multiline: true });
  const lines = wrapSafe(theme.paint('thinking', safe), look.columns, { first: safeText`  ` });
  return spaced([...wrapSafe(first, look.columns), ...(look.isOpen ? lines : lines.slice(-THOUGHT_LINES))]);
}

function callBlock(item: CallItem, services: BlockServices): ItemBlock {
  const display = item.end?.display;
  const file = typeof display === 'object' && 'fileDiff' in display ? display.fileName : undefined;
  return {
    key: item.key,
    of: item,
    get isDone() {
      return item.phase === 'done' && (file === undefined || services.highlighter.isSettled(languageOfFile(file)));
    },
    render: (look) => {
      const lines = renderCall(item, { look, ...services });
      return item.isNext ? lines : spaced(lines);
    },
  };
}

const NOTICE_ROLES: Readonly<Record<NoticeItem['level'], Role>> = {
  info: 'dim',
  news: 'dim',
  end: 'dim',
  warning: 'warning',
  error: 'error',
};

function renderNotice({ level, text }: NoticeItem, look: Look): Safe[] {
  const safe = makeSafe(text.replaceAll('\r\n', '\n'), { multiline: true });
  return spaced(
    splitLines(safe).flatMap((line) => wrapSafe(look.theme.paint(NOTICE_ROLES[level], line), look.columns)),
  );
}
