import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSettled, mergeFindings, type Finding, type KnownFile } from './manifest.js';

function file(hash: string | undefined, mode = 0o644): KnownFile {
  return { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1, mode, hash, settled: true };
}

describe('isSettled', () => {
  const now = 1_800_000_000_500;
  it.each([
    ['long ago', now - 60_000.5, now - 60_000.5, true],
    ['within a tick', now - 3.2, now - 3.2, false],
    ['just now, dated back', now - 1e9, now - 3.2, false],
    ['long ago, dated into the future', now + 1e9, now - 60_000.5, true],
    ['a second ago, in whole seconds', now - 1500, now - 1500, false],
    ['three seconds ago, in whole seconds', now - 3500, now - 3500, true],
    ['by a clock that is ahead', now + 1e6 + 0.5, now + 1e6 + 0.5, false],
  ])('judges a file written %s', (_name, mtimeMs, ctimeMs, expected) => {
    expect(isSettled({ size: 1, ino: 1, mode: 0o644, mtimeMs, ctimeMs }, now)).toBe(expected);
  });
});

describe('mergeFindings', () => {
  it('leads from the first state to the last, and names only what differs', () => {
    const state = fc.option(fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom(0o644, 0o755)), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.record({ a: state, b: state }), { minLength: 1, maxLength: 5 }), (states) => {
        const files = states.map(({ a, b }) => ({ a: a && file(...a), b: b && file(...b) }));
        const findings = files
          .slice(1)
          .flatMap((after, index): Finding[] =>
            (['a', 'b'] as const).map((path) => ({ path, before: files[index]?.[path], after: after[path] })),
          );
        const merged = mergeFindings(findings.filter(({ before, after }) => before !== after));
        const expected = (['a', 'b'] as const).filter((path) => {
          const [first, last] = [files[0]?.[path], files.at(-1)?.[path]];
          return first?.hash !== last?.hash || first?.mode !== last?.mode;
        });
        expect(merged.map(({ path }) => path).sort()).toEqual(expected);
        for (const { path, before, after } of merged) {
          if (path !== 'a' && path !== 'b') continue;
          expect([before, after]).toEqual([files[0]?.[path], files.at(-1)?.[path]]);
        }
      }),
    );
  });

  it('keeps a change whose contents are not known', () => {
    const finding: Finding = { path: 'a', before: file(undefined), after: file(undefined) };
    expect(mergeFindings([finding])).toEqual([finding]);
  });
});
