import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathMatcher } from './match-path.js';
import { foldName, parseGlob, segmentEnds, segmentMatcher, type GlobDialect } from './match-segment.js';

const LITERAL: GlobDialect = { malformed: 'literal' };

function matches(glob: string, name: string, dialect = LITERAL): boolean {
  const [segment] = parseGlob(glob, dialect) ?? [];
  return segment !== undefined && segmentMatcher(segment)(name);
}

/** The textbook definition, exponential but plain. */
function matchesPlainly(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob.startsWith('*')) {
    return matchesPlainly(glob.slice(1), name) || (name !== '' && matchesPlainly(glob, name.slice(1)));
  }
  return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && matchesPlainly(glob.slice(1), name.slice(1));
}

describe('segmentMatcher', () => {
  it('means what the definition of a glob says', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*?]{0,8}$/), fc.stringMatching(/^[ab]{0,8}$/), (glob, name) => {
        expect(matches(glob, name)).toBe(matchesPlainly(glob, name));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['[\\]]', ']', true],
    ['[[:digit:][:upper:]]', 'Q', true],
    ['[[:digit:][:upper:]]', 'q', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['?', '😀', true],
    ['??', '😀', false],
    ['*?', '😀', true],
    ['[😀-😂]', '😁', true],
    ['a[b', 'a[b', true],
    ['*\\', 'a\\', true],
    ['[z-a]', '[z-a]', true],
  ])('%s on %s: %s', (glob, name, expected) => {
    expect(matches(glob, name)).toBe(expected);
  });

  it('lets a malformed glob match nothing where that is the rule', () => {
    for (const glob of ['a[b', 'a\\', '[']) expect(parseGlob(glob, { malformed: 'nothing' })).toBeUndefined();
  });

  it('compares in any case, character by character', () => {
    const any: GlobDialect = { malformed: 'literal', ignoreCase: true };
    expect(['SeCret', '\u017fecret'].map((name) => matches('sEcret', name, any))).toEqual([true, true]);
    expect(['B', 'b'].map((name) => matches('[A-C]', name, any))).toEqual([true, true]);
    expect(matches('stra?e', 'STRAßE', any)).toBe(true);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => Array.from(foldName(text)).length === Array.from(text).length,
      ),
    );
  });

  it('never takes long, however many stars there are', () => {
    const name = 'a'.repeat(255);
    const started = performance.now();
    for (let stars = 2; stars < 400; stars++) expect(matches(`${'*a'.repeat(stars)}*b`, name)).toBe(false);
    expect(matches(`[${'[:'.repeat(200_000)}`, name, { malformed: 'nothing' })).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('segmentEnds', () => {
  it('reaches the end of a name exactly when the segment matches it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*?]{0,6}$/), fc.stringMatching(/^[ab]{0,6}$/), (glob, name) => {
        const [segment] = parseGlob(glob, LITERAL) ?? [];
        if (segment === undefined) throw new Error('every glob has a segment');
        expect(segmentEnds(segment, name, new Set([0])).has(name.length)).toBe(matchesPlainly(glob, name));
      }),
    );
  });
});

describe('pathMatcher', () => {
  it('lets ** stand for any number of names', () => {
    const matchesPath = pathMatcher([(name) => name === 'a', '**', '**', (name) => name === 'b']);
    expect(['a/b', 'a/x/y/b', 'a/b/b'].map((path) => matchesPath(path.split('/')))).toEqual([true, true, true]);
    expect(['a', 'b', 'a/b/c', 'x/a/b'].map((path) => matchesPath(path.split('/')))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
