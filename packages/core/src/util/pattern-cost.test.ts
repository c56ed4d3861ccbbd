import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternRisk } from './pattern-cost.js';
import { codeOf, readPattern, type PatternNode } from './pattern-syntax.js';

/** Steps that an engine takes that tries one way after the other, from every place; it gives up beyond `most`. */
function stepsOf(source: string, text: string, most: number): number {
  const chars = Array.from(text, codeOf);
  let steps = 0;
  type Next = (at: number) => boolean;
  const walk = (node: PatternNode, at: number, next: Next): boolean => {
    steps += 1;
    if (steps > most) return true;
    const char = chars[at];
    switch (node.kind) {
      case 'char':
        return char !== undefined && node.test(char) && next(at + 1);
      case 'assert':
        return (node.what === 'start' ? at === 0 : at === chars.length) && next(at);
      case 'sequence':
        return inOrder(node.parts, at, next);
      case 'choice':
        return node.parts.some((part) => walk(part, at, next));
      case 'repeat':
        return again(node, 0, at, next);
      default:
        return node satisfies never;
    }
  };
  const inOrder = ([part, ...rest]: readonly PatternNode[], at: number, next: Next): boolean =>
    part === undefined ? next(at) : walk(part, at, (then) => inOrder(rest, then, next));
  const again = (node: Extract<PatternNode, { kind: 'repeat' }>, count: number, at: number, next: Next): boolean => {
    const onwards = (then: number): boolean =>
      then === at && count >= node.least ? false : again(node, count + 1, then, next);
    if (count < node.most && walk(node.part, at, onwards)) return true;
    return count >= node.least && next(at);
  };
  const pattern = readPattern(source, { longest: 1000, mostRepeats: 1000 });
  [...chars, 0].some((_, start) => walk(pattern, start, () => true));
  return steps;
}

describe('patternRisk', () => {
  it.each([
    '^[a-zA-Z0-9_-]+$',
    '^[a-zA-Z0-9_-]{1,64}$',
    '^.{1,4096}$',
    '^https?://',
    String.raw`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?Z?)?$`,
    String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`,
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '^([A-Z]{2,3}-)?[0-9]+$',
    String.raw`^(\d{1,3}\.){3}\d{1,3}$`,
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^(asc|desc|ascending|descending)$',
    String.raw`\.json$`,
    '[a-z]+',
    '.*foo.*',
    String.raw`^\s*\S+\s*$`,
    '^(/[^/]+)*/?$',
    '',
    '^$',
    '^(?:a|b)?c*$',
  ])('lets pass what takes no time: %s', (source) => {
    expect(patternRisk(source)).toBeUndefined();
  });

  it.each([
    '(a+)+$',
    '^(a*)*$',
    '^(a|a)*$',
    '^(a|ab|b)*c$',
    String.raw`^(\w+\s?)+$`,
    '^([a-z]+)*@',
    '^(a?){30}a{30}$',
    '^(.*a){12}$',
    '^a*a*a*$',
    '^.*.*.*x$',
    String.raw`\s*\s*x`,
    String.raw`^(([a-z])+.)+[A-Z]([a-z])+$`,
    String.raw`(x+x+)+y`,
    String.raw`^(a{1,10}){1,10}$`,
    String.raw`^(?=a)b$`,
    String.raw`(a)\1`,
    String.raw`^\p{L}+$`,
    'a('.repeat(600),
  ])('tells of what may take for ever, or is not known: %s', (source) => {
    expect(patternRisk(source)).toEqual(expect.any(String));
  });

  it('acquits only patterns that take at most the square of the length (law)', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '^', '$');
    const pattern = fc.letrec<{ all: string; sequence: string; part: string }>((tie) => ({
      part: fc.oneof(
        { withCrossShrink: true, maxDepth: 4 },
        atom,
        fc.tuple(tie('all'), fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{0,2}')).map(([x, n]) => `(${x})${n}`),
        fc.tuple(fc.constantFrom('a', 'b', '.'), fc.constantFrom('*', '+', '{2,}', '{1,9}')).map(([x, n]) => x + n),
      ),
      sequence: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      all: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
    })).all;
    const texts = ['a', 'b', 'ab', 'ba', 'aab', 'c'].flatMap((unit) => ['', 'c', 'a', 'b'].map((end) => [unit, end]));
    let acquitted = 0;
    fc.assert(
      fc.property(pattern, (source) => {
        if (patternRisk(source) !== undefined) return;
        acquitted += 1;
        for (const [unit = '', end = ''] of texts) {
          const text = unit.repeat(40).slice(0, 40) + end;
          const most = 40 * 42 * 42 * Math.max(4, source.length);
          expect(stepsOf(source, text, most), `${source} on ${text}`).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 1500 },
    );
    expect(acquitted).toBeGreaterThan(300);
  });
});
