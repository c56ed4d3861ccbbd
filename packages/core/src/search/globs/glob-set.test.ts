import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGlob, segmentMatcher } from '../../util/match-segment.js';
import { createGlobMatcher } from './glob-match.js';
import { GlobSet, type AnchoredGlob } from './glob-set.js';
import { stepsOf } from './name-test.js';

const name = fc.stringMatching(/^[ab.[\]!]{1,3}$/);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('*', '**', 'a', 'b', 'a*', '*b', '*.a', '?', '[ab]', '{a,b}', '*.{a,b}') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('!(a)', '@(a|b)*', '{a/b,b}', '***', 'a**b', '[', '\\a', '[!a]', '{,a}', ''),
  },
  { weight: 1, arbitrary: name },
);
const pattern = fc
  .tuple(fc.constantFrom('', '', '', './', '!', '!!'), fc.array(part, { minLength: 1, maxLength: 4 }))
  .map(([sign, parts]) => sign + parts.join('/'))
  .filter((text) => text !== '' && !text.startsWith('/'));
const options = fc.record({ anyDepth: fc.boolean(), ignoreCase: fc.boolean() });

/** The law: a path is judged by every pattern on its own. */
function lawOf(
  patterns: readonly string[],
  given: { anyDepth: boolean; ignoreCase: boolean },
): (path: string) => boolean {
  const excludes = (text: string): boolean => (/^!*/.exec(text)?.[0] ?? '').length % 2 === 1 && !/^!*!\(/.test(text);
  const isOut = patterns.map((text) => (/^!*(?=!\()/.test(text) ? isOddBeforeGroup(text) : excludes(text)));
  const matchers = patterns.map((text) => createGlobMatcher(text, given));
  const ins = matchers.filter((_, index) => isOut[index] === false);
  const outs = matchers.filter((_, index) => isOut[index] === true);
  return (file) => (ins.length === 0 || ins.some((matches) => matches(file))) && outs.every((matches) => matches(file));
}

function isOddBeforeGroup(text: string): boolean {
  return (/^!*(?=!\()/.exec(text)?.[0] ?? '').length % 2 === 1;
}

function judged(globs: GlobSet, file: string): boolean {
  const names = file.split('/');
  for (let count = 1; count < names.length; count++) {
    if (!globs.enters(names.slice(0, count).join('/'))) return false;
  }
  const { matches, isAll, isNone } = globs.judge(names.slice(0, -1).join('/'));
  const answer = matches(names.at(-1) ?? '');
  if (isAll) expect(answer).toBe(true);
  if (isNone) expect(answer).toBe(false);
  return answer;
}

describe('GlobSet', () => {
  it('says of every path what createGlobMatcher says (S99)', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 3 }),
        fc.array(path, { minLength: 1 }),
        options,
        (patterns, paths, given) => {
          const globs = new GlobSet(
            '/ws',
            patterns.map((text): AnchoredGlob => ({ anchor: '/ws', pattern: text })),
            given,
          );
          const law = lawOf(patterns, given);
          for (const file of paths) expect([file, judged(globs, file)]).toEqual([file, law(file)]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('says the same wherever the walk begins', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.array(path, { minLength: 1 }),
        fc.constantFrom('a', 'b', 'a/b'),
        (text, paths, between) => {
          const law = lawOf([text], { anyDepth: false, ignoreCase: false });
          const below = new GlobSet('/ws', [{ anchor: `/ws/${between}`, pattern: text }]);
          const above = new GlobSet(`/ws/${between}`, [{ anchor: '/ws', pattern: text }]);
          for (const file of paths) {
            expect([file, judged(below, `${between}/${file}`)]).toEqual([file, law(file)]);
            expect([file, judged(above, file)]).toEqual([file, law(`${between}/${file}`)]);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('takes doubled slashes for one, as bash does', () => {
    const globs = new GlobSet('/ws', [{ anchor: '/ws', pattern: './/a' }]);
    expect([judged(globs, 'a'), judged(globs, 'b/a')]).toEqual([true, false]);
  });

  it('enters only folders in which something can match', () => {
    const globs = new GlobSet(
      '/ws',
      ['src/*/x/**', 'docs/a.md', '!src/gen/**'].map((text) => ({ anchor: '/ws', pattern: text })),
    );
    const entered = (folder: string): boolean => globs.enters(folder);
    expect(['src', 'src/a', 'src/a/x', 'src/a/x/y', 'docs'].filter(entered)).toHaveLength(5);
    expect(['lib', 'src/gen', 'src/a/y', 'docs/b', 'src/a/y/x'].filter(entered)).toEqual([]);
    const braces = new GlobSet('/ws', [{ anchor: '/ws', pattern: '{src,lib/x}/a/**/*.ts' }]);
    const folders = ['src', 'src/a', 'src/a/b', 'lib', 'lib/x', 'lib/x/a', 'lib/y', 'lib/a', 'src/b', 'docs', 'a'];
    expect(folders.filter((folder) => braces.enters(folder))).toEqual(folders.slice(0, 6));
  });

  it('keeps what another folder’s patterns say out of this one', () => {
    const globs = new GlobSet('/ws/a', [
      { anchor: '/ws/a', pattern: '**' },
      { anchor: '/ws/b', pattern: '!**' },
      { anchor: '/ws', pattern: '!./*.log', isRooted: true },
      { anchor: '/ws/a', pattern: '!./*.tmp', isRooted: true },
    ]);
    expect(['x', 'x.log', 'x.tmp', 'd/x.tmp'].filter((file) => judged(globs, file))).toEqual(['x', 'x.log', 'd/x.tmp']);
  });

  it('answers at once for a hostile pattern', () => {
    const started = performance.now();
    const globs = new GlobSet('/ws', [{ anchor: '/ws', pattern: `${'**/'.repeat(1300)}b` }]);
    expect(judged(globs, `${'a/'.repeat(100)}b`)).toBe(true);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('stepsOf', () => {
  it('judges names as the general matcher does', () => {
    const text = fc
      .array(fc.constantFrom('a', 'A', 'b', 'ﬀ', 'ſ', 'K', '😀', '*', '.', '?', '\ud83d', '\udc80'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, fc.boolean(), (glob, given, ignoreCase) => {
        const [segment] = parseGlob(glob, { ignoreCase, malformed: 'literal' }) ?? [];
        const [step] = stepsOf(glob, ignoreCase);
        if (segment === undefined || typeof step !== 'function') return;
        expect(step(given)).toBe(segmentMatcher(segment)(given));
      }),
      { numRuns: 3000 },
    );
  });
});
