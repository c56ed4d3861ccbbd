import { beginningOf, closesFence, isListLine, type Beginning, type ListMark } from './markdown-line.js';

/** A piece of a Markdown text that is drawn by itself. */
export interface MarkdownBlock {
  readonly kind: 'text' | 'code';
  /** Of code without its fences. */
  readonly source: string;
  /** Of code: what stands behind the fence. */
  readonly language: string;
  /** Of code: false for what goes on with the piece before it. */
  readonly isStart: boolean;
  /** True: an empty line stands above it. */
  readonly hasGap: boolean;
}

/**
 * A Markdown text that still grows, as blocks. Where a block ends follows from the lines alone, one after the other, so it
 * is the same however the text was cut when it came. Immutable; what was added costs what is added.
 */
export interface GrowingMarkdown {
  /** Done and not yet dropped. */
  readonly finished: readonly MarkdownBlock[];
  /** Of the finished ones, how many were dropped from the front. */
  readonly dropped: number;
  readonly open: OpenBlock | undefined;
  /** The line that has no end yet. */
  readonly partial: string;
  readonly isBlankBefore: boolean;
  readonly last: 'none' | 'flat' | 'spaced';
}

interface OpenBlock {
  readonly kind: 'paragraph' | 'quote' | 'list' | 'code';
  readonly source: string;
  readonly lines: number;
  readonly hasGap: boolean;
  readonly language: string;
  readonly isStart: boolean;
  readonly fence?: string;
  readonly indent: number;
  readonly mark?: ListMark;
  /** In a list: an empty line came just before; the fence of code within it. */
  readonly isAfterBlank?: boolean;
  readonly innerFence?: string;
}

export const NO_MARKDOWN: GrowingMarkdown = {
  finished: [],
  dropped: 0,
  open: undefined,
  partial: '',
  isBlankBefore: false,
  last: 'none',
};

/** A longer line, and a longer block, is cut: what is drawn again with every frame must stay small. */
const LONGEST_LINE = 16_000;
const LONGEST_BLOCK = 24_000;
const MOST_CODE_LINES = 100;

interface Builder {
  readonly finished: MarkdownBlock[];
  open: OpenBlock | undefined;
  isBlankBefore: boolean;
  last: GrowingMarkdown['last'];
}

/** The text with more behind it. */
export function growMarkdown(markdown: GrowingMarkdown, text: string): GrowingMarkdown {
  const room = LONGEST_LINE - markdown.partial.length;
  if (text.length < room && !text.includes('\n')) return { ...markdown, partial: markdown.partial + text };
  const builder: Builder = { ...markdown, finished: [...markdown.finished] };
  let partial = markdown.partial;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    partial += text.slice(at, end);
    while (partial.length > LONGEST_LINE) {
      const cut = /[\ud800-\udbff]/.test(partial.charAt(LONGEST_LINE - 1)) ? LONGEST_LINE - 1 : LONGEST_LINE;
      addLine(builder, partial.slice(0, cut));
      partial = partial.slice(cut);
    }
    if (next === -1) break;
    addLine(builder, partial.endsWith('\r') ? partial.slice(0, -1) : partial);
    partial = '';
    at = next + 1;
  }
  return { ...builder, dropped: markdown.dropped, partial };
}

/** Nothing more comes: all of it is finished. */
export function endMarkdown(markdown: GrowingMarkdown): GrowingMarkdown {
  const builder: Builder = { ...markdown, finished: [...markdown.finished] };
  if (markdown.partial !== '') addLine(builder, markdown.partial);
  finish(builder);
  return { ...builder, dropped: markdown.dropped, partial: '' };
}

/** What is not finished yet, drawn as if the text ended here. */
export function unfinishedBlocks(markdown: GrowingMarkdown): readonly MarkdownBlock[] {
  if (markdown.open === undefined && markdown.partial === '') return [];
  const builder: Builder = { ...markdown, finished: [] };
  if (markdown.partial !== '') addLine(builder, markdown.partial);
  finish(builder);
  return builder.finished;
}

/** Without the first `count` of the finished blocks. */
export function dropBlocks(markdown: GrowingMarkdown, count: number): GrowingMarkdown {
  if (count === 0) return markdown;
  return { ...markdown, finished: markdown.finished.slice(count), dropped: markdown.dropped + count };
}

function addLine(builder: Builder, line: string): void {
  const { open } = builder;
  if (open?.kind === 'code') return addCodeLine(builder, open, line);
  if (line.trim() === '') return addBlank(builder);
  const beginning = beginningOf(line);
  if (open !== undefined && goesOn(open, line, beginning)) return append(builder, open, line, beginning);
  finish(builder);
  begin(builder, line, beginning);
}

function addBlank(builder: Builder): void {
  const { open } = builder;
  if (open?.kind === 'list') {
    builder.open = { ...open, source: `${open.source}\n`, lines: open.lines + 1, isAfterBlank: true };
    return;
  }
  finish(builder);
  builder.isBlankBefore = true;
}

function addCodeLine(builder: Builder, open: OpenBlock, line: string): void {
  if (closesFence(line, open.fence ?? '')) return finish(builder);
  let full = open;
  if (open.lines >= MOST_CODE_LINES || open.source.length > LONGEST_BLOCK) {
    push(builder, open);
    full = { ...open, source: '', lines: 0, isStart: false, hasGap: false };
  }
  const indent = Math.min(full.indent, /^ */.exec(line)?.[0].length ?? 0);
  const source = full.lines === 0 ? line.slice(indent) : `${full.source}\n${line.slice(indent)}`;
  builder.open = { ...full, source, lines: full.lines + 1 };
}

/** True: the line belongs to the block that is open. */
function goesOn(open: OpenBlock, line: string, beginning: Beginning): boolean {
  if (open.source.length > LONGEST_BLOCK) return false;
  if (open.kind === 'list') return goesOnInList(open, line, beginning);
  if (open.kind === 'quote') return beginning.kind === 'quote' || beginning.kind === 'plain' || isLateNumber(beginning);
  return beginning.kind === 'plain' || beginning.kind === 'underline' || isLateNumber(beginning);
}

/** Only a list that begins with 1 may begin right below a paragraph. */
function isLateNumber(beginning: Beginning): boolean {
  return beginning.kind === 'list' && (beginning.mark.isEmpty || (beginning.mark.number ?? 1) !== 1);
}

function goesOnInList(open: OpenBlock, line: string, beginning: Beginning): boolean {
  if (/^(?: |\t)/.test(line)) return true;
  if (beginning.kind === 'list') return isListLine(beginning.mark, open.mark);
  return open.isAfterBlank !== true && open.innerFence === undefined && beginning.kind === 'plain';
}

function append(builder: Builder, open: OpenBlock, line: string, beginning: Beginning): void {
  const { innerFence } = open;
  const inner = open.kind === 'list' ? innerFenceAfter(innerFence, line) : undefined;
  const { innerFence: _, ...rest } = open;
  builder.open = {
    ...rest,
    source: `${open.source}\n${line}`,
    lines: open.lines + 1,
    isAfterBlank: false,
    ...(inner !== undefined && { innerFence: inner }),
  };
  if (open.kind === 'paragraph' && beginning.kind === 'underline') finish(builder);
}

function innerFenceAfter(innerFence: string | undefined, line: string): string | undefined {
  const found = /^\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})/.exec(line)?.[1];
  if (innerFence === undefined) return found;
  return found !== undefined && closesFence(line.trim(), innerFence) ? undefined : innerFence;
}

function begin(builder: Builder, line: string, beginning: Beginning): void {
  const isSpaced = beginning.kind === 'fence' || beginning.kind === 'heading';
  const hasGap = builder.isBlankBefore || isSpaced || builder.last !== 'flat';
  const open: OpenBlock = { kind: 'paragraph', source: line, lines: 1, hasGap, language: '', isStart: true, indent: 0 };
  builder.isBlankBefore = false;
  switch (beginning.kind) {
    case 'fence': {
      const { fence, indent, language } = beginning;
      builder.open = { ...open, kind: 'code', source: '', lines: 0, fence, indent, language };
      return;
    }
    case 'heading':
    case 'rule':
      builder.open = open;
      finish(builder);
      if (isSpaced) builder.last = 'spaced';
      return;
    case 'list': {
      const innerFence = innerFenceAfter(undefined, line);
      builder.open = { ...open, kind: 'list', mark: beginning.mark, ...(innerFence !== undefined && { innerFence }) };
      return;
    }
    case 'quote':
      builder.open = { ...open, kind: 'quote' };
      return;
    case 'underline':
    case 'plain':
      builder.open = open;
  }
}

function finish(builder: Builder): void {
  const { open } = builder;
  if (open === undefined) return;
  builder.open = undefined;
  if (open.kind === 'list' && open.isAfterBlank === true) builder.isBlankBefore = true;
  push(builder, open);
}

function push(builder: Builder, open: OpenBlock): void {
  const { source, language, isStart, hasGap, kind } = open;
  builder.last = kind === 'code' ? 'spaced' : 'flat';
  builder.finished.push({ kind: kind === 'code' ? 'code' : 'text', source, language, isStart, hasGap });
}
