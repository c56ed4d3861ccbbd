import { isJsonObject } from '../../schema/json-value.js';

const TEXTS = ['', '\u0000', '../'.repeat(40), 'x'.repeat(100_000), '__proto__'];
const OTHERS: readonly unknown[] = [null, [], {}, 'text', -1, 1.5, true, { nested: { deep: [1] } }];

/** Values in the place of parameters: some are invalid, and all may come. Pure. */
export function wrongParams(schema: object, example: object | undefined): readonly unknown[] {
  const properties =
    isJsonObject(schema) && isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const base = example ?? {};
  const without = properties.map((name) => Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)));
  const replaced = properties.flatMap((name) => [...OTHERS, ...TEXTS].map((value) => ({ ...base, [name]: value })));
  return [
    ...OTHERS,
    undefined,
    { ...base, noSuchParameter: 1 },
    JSON.parse('{"__proto__": 1}'),
    ...without,
    ...replaced,
  ];
}
