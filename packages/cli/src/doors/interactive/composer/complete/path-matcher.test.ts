import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPathList } from './path-list.js';
import { PathMatcher } from './path-matcher.js';

const { signal } = new AbortController();

async function matcherOf(...paths: string[]): Promise<PathMatcher> {
  return new PathMatcher(await createPathList(paths, signal));
}

describe('the best path', () => {
  it.each([
    ['comp', ['docs/complete.md', 'src/composer/', 'src/composer/composer.ts', 'a/b/xcomp.ts'], 'src/composer/'],
    ['composer', ['src/composer/keys.ts', 'src/composer.ts', 'src/my-composer.ts'], 'src/composer.ts'],
    ['srcab', ['other/source-crane-bar.ts', 'src/ab.ts'], 'src/ab.ts'],
    ['pv', ['src/prove.ts', 'src/panel-view.ts'], 'src/panel-view.ts'],
    ['src/', ['test/src/a.ts', 'src/deep/er/a.ts', 'src/', 'src/a.ts'], 'src/'],
    ['README', ['src/read-me.ts', 'readme/x.ts', 'README.md'], 'README.md'],
    ['ts', ['ts', 'a.ts'], 'ts'],
  ])('for %s', async (typed, paths, best) => {
    const [first] = await (await matcherOf(...paths)).find(typed, 5, signal);
    expect(first).toBe(best);
  });

  it('is, for nothing typed, what is not in a folder, hidden names last', async () => {
    const matcher = await matcherOf('.env', 'src/', 'src/a.ts', 'a.md');
    expect(await matcher.find('', 5, signal)).toEqual(['src/', 'a.md', '.env']);
  });
});

it('finds the paths that have the letters in that order, those and no others, from whatever was typed before', async () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'B', 'c', '-', '/', 'é', 'İ'), minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 30 }), name, async (paths, typed) => {
      const matcher = await matcherOf(...paths);
      for (let length = 1; length <= typed.length; length += 1) {
        const part = typed.slice(0, length);
        const fold = (text: string): string => (text.toLowerCase().length === text.length ? text.toLowerCase() : text);
        const fits = (path: string): boolean => {
          let at = -1;
          return Array.from(fold(part)).every((char) => (at = fold(path).indexOf(char, at + 1)) !== -1);
        };
        const found = await matcher.find(part, 100, signal);
        expect(found.toSorted()).toEqual(paths.filter(fits).toSorted());
      }
    }),
  );
});

it('ends with the signal, without holding anything up', async () => {
  const paths = Array.from(
    { length: 100_000 },
    (_, index) => `packages/p${index % 97}/src/folder-${index % 13}/file-${index}.ts`,
  );
  const matcher = await matcherOf(...paths);
  const stop = new AbortController();
  const finding = matcher.find('file', 10, stop.signal);
  stop.abort(new Error('another key'));
  await expect(finding).rejects.toThrow('another key');
  expect((await matcher.find('file-99999', 3, signal))[0]).toMatch('file-99999.ts');
});
