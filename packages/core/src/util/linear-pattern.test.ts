import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.js';

describe('linearPattern', () => {
  it('finds what a regular expression finds (law)', () => {
    const atom = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        '.',
        String.raw`\d`,
        String.raw`\w`,
        '[ab]',
        '[^a]',
        '[0-9b-]',
        '^',
        '$',
        String.raw`\b`,
        String.raw`\.`,
      ),
    );
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(atom, fc.constantFrom('', 'x')).map(([one, two]) => one + two),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, two]) => `${one}|${two}`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
          .map(([one, many]) => `(?:${one})${many}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, two]) => `(${one})(${two})`),
      ),
    }));
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab1. x-]{0,8}$/), (source, text) => {
        expect(linearPattern(source).test(text)).toBe(new RegExp(source, 'u').test(text));
      }),
      { numRuns: 500 },
    );
  });

  it('is found in any case when asked for', () => {
    expect(linearPattern('(?i)Listening on [a-z]+').test('LISTENING ON PORT')).toBe(true);
    expect(linearPattern('Listening').test('LISTENING')).toBe(false);
  });

  it('takes time in proportion to the text', () => {
    const begin = performance.now();
    expect(linearPattern('(a*)*(a|aa)+b').test('a'.repeat(8000))).toBe(false);
    expect(performance.now() - begin).toBeLessThan(5000);
  });

  it.each([
    '',
    '(',
    'a)',
    '*',
    '[a',
    String.raw`(a)\1`,
    '(?=a)',
    '(?<n>a)',
    'a{3,2}',
    'a{999}',
    '((a{150}){150}){150}',
    '\\',
  ])('refuses %j with the cause', (source) => {
    expect(() => linearPattern(source)).toThrow(/^The pattern .* cannot be used: .*\.$/);
  });
});
