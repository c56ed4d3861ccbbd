import { displayWidth } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTheme } from '../../themes/create-theme.js';
import { endMarkdown, growMarkdown, NO_MARKDOWN } from '../../state/split-markdown.js';
import { plainLook } from '../testing/looks.js';
import type { Look } from '../block.js';
import { createHighlighter } from './highlighter.js';
import { renderMarkdownBlock } from './render-markdown.js';

const highlighter = createHighlighter();

function drawn(text: string, look: Look = plainLook()): string[] {
  const { finished } = endMarkdown(growMarkdown(NO_MARKDOWN, text));
  return finished.flatMap((block, index) => [
    ...(block.hasGap && index > 0 ? [''] : []),
    ...renderMarkdownBlock(block, look, highlighter),
  ]);
}

describe('Markdown', () => {
  it.each([
    ['words with looks', 'A **bold** and *soft* `code` &lt;x&gt; \\*', ['A bold and soft code <x> *']],
    ['placeholders of secrets as they are', 'KEY=__secret:A_KEY__ __b__', ['KEY=__secret:A_KEY__ b']],
    ['a line break of the source as a blank', 'one\ntwo', ['one two']],
    ['a line break that is meant', 'one  \ntwo', ['one', 'two']],
    ['lists within lists', '- a\n  - b\n    1. c\n- d', ['• a', '  • b', '    1. c', '• d']],
    ['numbers that end in one column', '9. a\n10. b', [' 9. a', '10. b']],
    ['tasks', '- [x] done\n- [ ] open', ['☑ done', '☐ open']],
    ['quotes', '> one\n> > two', ['│ one', '│ │ two']],
    ['code', '```ts\nlet a;\n\tb\n```', ['  ts', '  let a;', '      b']],
    ['code in a list', '- do\n  ```sh\n  ls\n  ```', ['• do', '    sh', '    ls']],
    ['HTML as it is', '<b>hi</b>', ['<b>hi</b>']],
    ['references as they are', '[a][b]\n\n[b]: http://x', ['[a][b]', '', '[b]: http://x']],
    ['a heading', '# A *b*', ['A b']],
  ])('shows %s', (_, text, lines) => {
    expect(drawn(text)).toEqual(lines);
  });

  it('shows where a link leads whenever its text does not say it', () => {
    expect(drawn('[https://good.example](https://evil.example)')).toEqual([
      'https://good.example (https://evil.example)',
    ]);
    expect(drawn('<https://a.example> and https://b.example')).toEqual(['https://a.example and https://b.example']);
    expect(drawn('![cat](http://x/cat.png)')).toEqual(['cat (http://x/cat.png)']);
  });

  const table = '| Name | Größe | 名前 |\n|:--|--:|:-:|\n| a | 1 | 中 |\n| long name | 1000 | 文字 |';

  it('fits tables to the width, with wide characters right', () => {
    expect(drawn(table)).toEqual([
      'Name      │ Größe │ 名前',
      '──────────┼───────┼─────',
      'a         │     1 │  中 ',
      'long name │  1000 │ 文字',
    ]);
    const narrow = drawn(table, plainLook({ columns: 23 }));
    expect(narrow.at(-1)).toBe('name     │       │     ');
    expect(Math.max(...narrow.map((line) => displayWidth(line)))).toBeLessThanOrEqual(23);
  });

  it('has rows of name and value where a table is too wide', () => {
    expect(drawn(table, plainLook({ columns: 16 }))).toEqual([
      'Name: a',
      'Größe: 1',
      '名前: 中',
      '',
      'Name: long name',
      'Größe: 1000',
      '名前: 文字',
    ]);
  });

  it('colours code in the languages that it knows, once they are there', async () => {
    const own = createHighlighter();
    const look = plainLook({ theme: createTheme('dark', 'basic') });
    const { finished } = endMarkdown(growMarkdown(NO_MARKDOWN, '```ts\nconst a = "<x>"; // b\n```'));
    const draw = (): string => finished.flatMap((block) => renderMarkdownBlock(block, look, own)).join('\n');
    expect(own.isSettled('ts')).toBe(false);
    expect(draw()).toContain('const a = "<x>"; // b');
    await own.load('ts');
    expect(own.isSettled('ts')).toBe(true);
    expect(draw()).toContain('\u001b[95mconst\u001b[39m');
    expect(draw()).toContain('\u001b[92m"<x>"\u001b[39m');
    expect(own.isSettled('nothing-known')).toBe(true);
  });

  it('lets nothing through that a terminal would obey, and no line is too wide (property)', async () => {
    await highlighter.load('ts');
    const piece = fc.oneof(
      fc.constantFrom(
        '# ',
        '- ',
        '> ',
        '```ts\n',
        '```\n',
        '\n',
        '\n\n',
        '| a | b |\n|---|---|\n| ',
        ' | ',
        '**',
        '`',
        '1. ',
      ),
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]0;x\u0007',
        '\u009b31m',
        '&#27;[2J',
        '&#x1b;]52;c;x&#7;',
        '\u202e',
        '\u0000',
        '\r',
      ),
      fc.constantFrom('words and more words ', '中文字符', '👨‍👩‍👧', 'e\u0301', '[t](http://u)', '<div>', '    ', '\t'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom(20, 40, 80), (source, columns) => {
        const look = plainLook({ columns, theme: createTheme('dark', 'rgb') });
        for (const line of drawn(source, look)) {
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
          expect(line.replaceAll(/\u001b\[[\d;]*m/g, '')).not.toMatch(/\p{Cc}|\u202e/u);
        }
      }),
    );
  });
});
