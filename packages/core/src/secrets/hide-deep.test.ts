import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapTexts, textsIn } from './hide-deep.js';
import { Secrets } from './secrets.js';

const SECRET = 'hunter2-of-the-build';
const KEY = 'ghp_0123456789abcdefABCDEF0123456789abcd';

const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    SECRET,
    KEY,
    `a ${SECRET} b`,
    SECRET.slice(0, 9),
    `\u001b[1m${SECRET}\u001b[0m`,
    'postgres://me:pa55word@host/x',
  ),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 4 }),
  ),
})).value;

function secretsOf(): Secrets {
  return new Secrets({ environment: { BUILD_PASSWORD: SECRET }, roots: [], key: () => Buffer.alloc(32, 7) });
}

test('data is hidden as each of its texts would be', () => {
  const secrets = secretsOf();
  let changed = 0;
  fc.assert(
    fc.property(data, (value) => {
      const hidden = secrets.hideIn(value);
      expect(hidden).toEqual(mapTexts(value, secrets.hide));
      if (hidden !== value) changed += 1;
    }),
    { numRuns: 500 },
  );
  expect(changed).toBeGreaterThan(50);
});

test('what is too deep to be looked through is not taken for harmless', () => {
  let deep: unknown = SECRET;
  for (let depth = 0; depth < 70; depth += 1) deep = { deep };
  expect(textsIn(deep)).toBeUndefined();
  expect(JSON.stringify(secretsOf().hideIn(deep))).not.toContain(SECRET);
});
