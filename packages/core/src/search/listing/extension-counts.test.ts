import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExtensionCounts, extensionOf } from './extension-counts.js';

const name = fc.tuple(
  fc.constantFrom('a', '.a', 'a.b', '', '.json', 'x'.repeat(20)),
  fc.constantFrom('', '.ts', '.d.ts', '.json', '.'),
);

it('counts the endings of names, in any order', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (parts) => {
      const names = parts.map((each) => each.join('')).filter((each) => each !== '');
      const counts = new ExtensionCounts();
      for (const each of names) counts.add(each);
      const expected = new Map<string, number>();
      for (const each of names) expected.set(extensionOf(each), (expected.get(extensionOf(each)) ?? 0) + 1);
      expect(new Map(counts.end())).toEqual(expected);
    }),
  );
});

it('knows no ending of a name that only begins with a dot, or ends with one', () => {
  expect(['.env', 'a.', 'Makefile', 'a.tar.gz', `a.${'x'.repeat(16)}`].map(extensionOf)).toEqual([
    '',
    '',
    '',
    '.gz',
    '',
  ]);
});
