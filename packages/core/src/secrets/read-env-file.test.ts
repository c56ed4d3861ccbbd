import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvText } from './read-env-file.js';

describe('environment files', () => {
  it('are read as programs read them', () => {
    const text = [
      'A=plain words # a comment',
      'B=with#sign',
      'C=#nothing',
      'D="a\\nb" # c',
      "E='# no comment'",
      'export F=x',
      'G: y',
      'H=tab\t#c',
      'I=two  ## c # d',
    ].join('\n');
    expect(Object.fromEntries(readEnvText(text))).toEqual({
      A: 'plain words',
      B: 'with#sign',
      C: '',
      D: 'a\nb',
      E: '# no comment',
      F: 'x',
      G: 'y',
      H: 'tab',
      I: 'two',
    });
  });

  it('cut comments off as the slow way does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(' ', '\t', '#', 'a', '='), maxLength: 12 }), (text) => {
        const slow = text.replace(/(?:^|[ \t]+)#.*$/, '').trim();
        expect(Object.fromEntries(readEnvText(`A=x${text}`))).toEqual({
          A: `x${text}`.replace(/[ \t]+#.*$/, '').trim(),
        });
        expect(Object.fromEntries(readEnvText(`A=${text}`.trimEnd()))).toEqual({ A: slow });
      }),
    );
  });

  it.each([
    ['blanks before a letter', `A=x${' '.repeat(500_000)}y`],
    ['blanks and signs', `A=x${' #'.repeat(250_000)}`],
    ['a quote that never ends', `A="${'\\"'.repeat(250_000)}`],
    ['quotes on every line', 'A="b\\"\n'.repeat(100_000)],
    ['blank lines', '\t\n'.repeat(250_000)],
  ])('are read quickly, whatever a stranger wrote into one: %s', (_what, text) => {
    const began = performance.now();
    readEnvText(text);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
