import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHighlighter } from '../views/markdown/highlighter.js';
import { renderMarkdownBlock } from '../views/markdown/render-markdown.js';
import { plainLook } from '../views/testing/looks.js';
import {
  dropBlocks,
  endMarkdown,
  growMarkdown,
  NO_MARKDOWN,
  unfinishedBlocks,
  type MarkdownBlock,
} from './split-markdown.js';

const whole = (text: string): readonly MarkdownBlock[] => endMarkdown(growMarkdown(NO_MARKDOWN, text)).finished;
const sources = (text: string): string[] => whole(text).map(({ source }) => source);
const highlighter = createHighlighter();
const drawn = (blocks: readonly MarkdownBlock[]): string[] =>
  blocks.flatMap((block) => [
    ...(block.hasGap ? [''] : []),
    ...renderMarkdownBlock(block, plainLook({ columns: 30 }), highlighter),
  ]);

/** Lines that Markdown is made of, also where it is broken. */
const line = fc.constantFrom(
  '',
  '',
  'plain words',
  '# Heading',
  'Under',
  '---',
  '===',
  '- item',
  '  - inner',
  '* star',
  '1. one',
  '2. two',
  '> quote',
  '```ts',
  '```',
  '~~~',
  '    code',
  '| a | b |',
  '|---|---|',
  '| 1 | 2 |',
  '<b>x</b>',
  '- [x] task',
  '**bold** and `code`',
  '[a]: http://x',
  '中文字符',
  '- ```',
  '  ```',
  '***',
  '👨‍👩‍👧 family',
  '\tTab',
  'end\r',
);
const markdown = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

describe('a growing Markdown text', () => {
  it('gives the same blocks, and the same lines, however it is cut (property)', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        let state = NO_MARKDOWN;
        const printed: MarkdownBlock[] = [];
        for (let at = 0, index = 0; at < text.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          state = growMarkdown(state, text.slice(at, at + size));
          at += size;
          printed.push(...state.finished);
          state = dropBlocks(state, state.finished.length);
        }
        printed.push(...endMarkdown(state).finished);
        expect(printed).toEqual(whole(text));
        expect(drawn(printed)).toEqual(drawn(whole(text)));
      }),
    );
  });

  it('loses no words (property)', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const wordsOf = (value: string): number => value.split('plain words').length + value.split('family').length;
        expect(
          wordsOf(
            drawn(whole(text))
              .join('\n')
              .replaceAll(/\s*\n\s*(?:[│>]\s*)*/g, ' '),
          ),
        ).toBe(wordsOf(text));
      }),
    );
  });

  it('shows what is not finished as if it ended there', () => {
    const state = growMarkdown(NO_MARKDOWN, 'One.\n\nTwo **b');
    expect(state.finished.map(({ source }) => source)).toEqual(['One.']);
    expect(unfinishedBlocks(state).map(({ source }) => source)).toEqual(['Two **b']);
    expect(unfinishedBlocks(NO_MARKDOWN)).toEqual([]);
  });

  it.each([
    ['paragraphs', 'a\nb\n\nc', ['a\nb', 'c']],
    ['headings', '# A\ntext\nUnder\n---\nmore', ['# A', 'text\nUnder\n---', 'more']],
    ['a loose list, whole', '- a\n\n- b\n\n  more\n\nend', ['- a\n\n- b\n\n  more\n', 'end']],
    [
      'code in a list',
      '1. do\n   ```sh\n   x\n\n   - y\n   ```\n2. then',
      ['1. do\n   ```sh\n   x\n\n   - y\n   ```\n2. then'],
    ],
    ['code, without its fences', 'a\n```ts\nx\n\n# y\n```\nb', ['a', 'x\n\n# y', 'b']],
    ['code that never ends', '````\n```\nx', ['```\nx']],
    [
      'a table below a paragraph',
      'a\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\nb',
      ['a', '| a | b |\n|--|--|\n| 1 | 2 |', 'b'],
    ],
    ['a list below a paragraph', 'Steps:\n- a\n- b', ['Steps:', '- a\n- b']],
    ['a year at the beginning of a line', 'It was in\n1984. Yes', ['It was in\n1984. Yes']],
    ['quotes', '> a\nlazy\n\n> b', ['> a\nlazy', '> b']],
  ])('keeps together %s', (_, text, blocks) => {
    expect(sources(text)).toEqual(blocks);
  });

  it('cuts long code and long lines, so that a frame stays small', () => {
    const code = `\`\`\`\n${'x\n'.repeat(250)}\`\`\`\n`;
    expect(whole(code).map(({ source, isStart }) => [source.split('\n').length, isStart])).toEqual([
      [100, true],
      [100, false],
      [50, false],
    ]);
    const long = `${'👍'.repeat(20_000)} end`;
    const pieces = sources(long);
    expect(pieces.every((piece) => piece.length <= 40_000 && !/^[\udc00-\udfff]/.test(piece))).toBe(true);
    expect(pieces.join('').replaceAll('\n', '')).toBe(long);
  });

  it('costs what is added: a megabyte in small pieces takes a moment', () => {
    const began = performance.now();
    let state = NO_MARKDOWN;
    for (let index = 0; index < 250_000; index += 1) {
      state = growMarkdown(state, index % 20 === 19 ? 'ab\n\n' : 'abcd');
      if (state.finished.length > 0) state = dropBlocks(state, state.finished.length);
    }
    expect(state.dropped).toBe(12_500);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
