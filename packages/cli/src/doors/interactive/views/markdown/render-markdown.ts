import { blanks, displayWidth, joinSafe, makeSafe, safeText, wrapSafe, type Safe } from '@tenon/core';
import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import type { MarkdownBlock } from '../../state/split-markdown.js';
import type { Look } from '../block.js';
import { NOTHING, sign } from '../paint.js';
import type { Highlighter } from './highlighter.js';
import { renderInline } from './inline.js';
import { renderTable } from './table.js';

/** Deeper lists and quotes are shown as they were written. */
const DEEPEST = 10;
/** A rule across a wide terminal would be a wall. */
const WIDEST_RULE = 60;
const CODE_INDENT = safeText`  `;

/** One block of Markdown as lines; the empty line above it is not among them. All of its text is untrusted. */
export function renderMarkdownBlock(block: MarkdownBlock, look: Look, highlighter: Highlighter): Safe[] {
  const drawing: Drawing = { look, highlighter, depth: 0 };
  if (block.kind === 'code') return renderCode(block.source, block.language, block.isStart, drawing);
  return renderTokens(lex(block.source), drawing);
}

interface Drawing {
  readonly look: Look;
  readonly highlighter: Highlighter;
  readonly depth: number;
}

/** Definitions of links stay what they are: those that use them may be printed long before. */
class BlockTokenizer extends Tokenizer {
  override def(): undefined {
    return undefined;
  }
}

function lex(source: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true, tokenizer: new BlockTokenizer() }).lex(source);
  } catch {
    // What is nested too deep to be read.
    return [{ type: 'html', raw: source, text: source }];
  }
}

function renderTokens(tokens: readonly Token[], drawing: Drawing): Safe[] {
  const lines: Safe[] = [];
  let isApart = false;
  for (const token of tokens) {
    if (token.type === 'space') {
      isApart = lines.length > 0;
      continue;
    }
    const drawn = renderBlock(token, drawing);
    if (isApart && drawn.length > 0) lines.push(NOTHING);
    lines.push(...drawn);
    isApart = false;
  }
  return lines;
}

function renderBlock(token: Token, drawing: Drawing): Safe[] {
  const { look } = drawing;
  const { theme, columns } = look;
  if (drawing.depth > DEEPEST) return asWritten(token.raw, look);
  switch (token.type) {
    case 'heading':
      return wrapSafe(renderInline((token as Tokens.Heading).tokens, theme, ['heading']), columns);
    case 'paragraph':
    case 'text': {
      const { tokens } = token as Tokens.Paragraph;
      return wrapSafe(renderInline(tokens ?? [], theme), columns);
    }
    case 'list':
      return renderList(token as Tokens.List, drawing);
    case 'blockquote':
      return renderQuote(token as Tokens.Blockquote, drawing);
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      return renderCode(text, lang ?? '', true, drawing);
    }
    case 'table':
      return renderTable(tableOf(token as Tokens.Table, look), look);
    case 'hr': {
      const dash = sign(look, safeText`─`, safeText`-`);
      const length = Math.min(columns, WIDEST_RULE);
      return [
        theme.paint(
          'border',
          joinSafe(
            Array.from({ length }, () => dash),
            NOTHING,
          ),
        ),
      ];
    }
    default:
      return asWritten(token.raw, look);
  }
}

function asWritten(raw: string, look: Look): Safe[] {
  return wrapSafe(makeSafe(raw.trimEnd(), { multiline: true }), look.columns);
}

function renderList(list: Tokens.List, drawing: Drawing): Safe[] {
  const { look } = drawing;
  const start = list.start === '' ? 1 : list.start;
  const digits = String(start + list.items.length - 1).length;
  return list.items.flatMap((item, index) => {
    const marker = markerOf(list, item, { number: start + index, digits }, look);
    const apart = list.loose && index > 0 ? [NOTHING] : [];
    return [...apart, ...renderWithin(item.tokens, drawing, safeText`${marker} `)];
  });
}

function markerOf(
  list: Tokens.List,
  item: Tokens.ListItem,
  { number, digits }: { readonly number: number; readonly digits: number },
  look: Look,
): Safe {
  const { theme } = look;
  if (item.task) {
    const done = theme.paint('success', sign(look, safeText`☑`, safeText`[x]`));
    return item.checked === true ? done : theme.paint('dim', sign(look, safeText`☐`, safeText`[ ]`));
  }
  if (list.ordered) return theme.paint('accent', makeSafe(`${number}.`.padStart(digits + 1)));
  return theme.paint('accent', sign(look, safeText`•`, safeText`-`));
}

function renderQuote(quote: Tokens.Blockquote, drawing: Drawing): Safe[] {
  const { look } = drawing;
  const bar = look.theme.paint('quote', sign(look, safeText`│ `, safeText`> `));
  return renderWithin(quote.tokens, drawing, bar, bar);
}

/** Blocks with something before each line; `first` is as wide as `rest`, which is blank when it is left out. */
function renderWithin(tokens: readonly Token[], drawing: Drawing, first: Safe, rest?: Safe): Safe[] {
  const width = displayWidth(first);
  const columns = Math.max(1, drawing.look.columns - width);
  const lines = renderTokens(tokens, { ...drawing, depth: drawing.depth + 1, look: { ...drawing.look, columns } });
  const before = (line: Safe): Safe => rest ?? (line === '' ? NOTHING : blanks(width));
  if (lines.length === 0) return [first];
  return lines.map((line, index) => safeText`${index === 0 ? first : before(line)}${line}`);
}

function renderCode(source: string, language: string, isStart: boolean, { look, highlighter }: Drawing): Safe[] {
  const code = makeSafe(source.replaceAll('\r\n', '\n').replaceAll('\t', '    '), { multiline: true });
  const painted = highlighter.paint(code, language, look.theme);
  const word = /^[\w+#.-]{1,30}/.exec(language)?.[0] ?? '';
  const label = isStart && word !== '' ? [safeText`${CODE_INDENT}${look.theme.paint('dim', makeSafe(word))}`] : [];
  if (source === '') return label;
  return [...label, ...wrapSafe(painted, look.columns, { first: CODE_INDENT, rest: CODE_INDENT })];
}

function tableOf(token: Tokens.Table, look: Look): Parameters<typeof renderTable>[0] {
  const cell = ({ tokens }: Tokens.TableCell): Safe => renderInline(tokens, look.theme);
  return { head: token.header.map(cell), rows: token.rows.map((row) => row.map(cell)), align: token.align };
}
