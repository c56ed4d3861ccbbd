import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findImports } from './find-imports.js';

const paths = (text: string): string[] => findImports(text).map(({ path }) => path);

describe('the imports of a context file (S140)', () => {
  it.each([
    ['@docs/style.md', ['docs/style.md']],
    ['See @./a.md, @../b.md and (@c.md).', ['./a.md', '../b.md', 'c.md']],
    ['- @"with blanks.md" and @with\\ blanks2.md', ['with blanks.md', 'with blanks2.md']],
    ['@a.md @a.md', ['a.md']],
    ['mail me@example.com, an @ alone, @@twice', []],
    ['**@a.md**: no word begins there, but *see* @b.md.', ['b.md']],
    ['@~/notes.md', ['~/notes.md']],
    ['`@a.md` and ``x ` @b.md`` and @c.md', ['c.md']],
    ['```\n@a.md\n```\n@b.md', ['b.md']],
    ['~~~md\n@a.md\n```\n@b.md\n~~~\n@c.md', ['c.md']],
    ['````\n```\n@a.md\n````\n@b.md', ['b.md']],
    ['```\n@a.md\n````\n@b.md', ['b.md']],
    ['```\n@a.md\n```` \n@b.md', ['b.md']],
    ['```\n@a.md\n``` js\n@b.md\n```\n@c.md', ['c.md']],
    ['```\n@a.md', []],
    ['- item\n  ```sh\n  @a.md\n  ```\n@b.md', ['b.md']],
    ['<!-- @a.md\n@b.md --> @c.md', ['c.md']],
    ['a ` alone\n\n@a.md ` there', ['a.md']],
  ])('in %j are %j', (text, expected) => {
    expect(paths(text)).toEqual(expected);
  });

  it('are missed only where they can mean nothing but a file', () => {
    const clear = findImports('@docs/a.md @./x @../y @~/z @alice @types/node @/components @/etc/a.md');
    expect(clear.filter(({ isClear }) => isClear).map(({ path }) => path)).toEqual([
      'docs/a.md',
      './x',
      '../y',
      '~/z',
      '/etc/a.md',
    ]);
  });

  it('are none in code, whatever the code is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z@/. ]{0,40}$/), fc.stringMatching(/^[a-z ]{0,20}$/), (code, words) => {
        expect(paths(`${words}\n\`\`\`\n${code}\n\`\`\`\n${words}`)).toEqual([]);
        expect(paths(`${words} \`${code}\` ${words}`)).toEqual([]);
      }),
    );
  });

  it('are found in time that grows with the text', () => {
    const text = '`@a '.repeat(50_000);
    const start = performance.now();
    findImports(text);
    findImports('<!--'.repeat(50_000));
    findImports('`'.repeat(3).concat('` `` ').repeat(20_000));
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
