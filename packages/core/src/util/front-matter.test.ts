import { expect, it } from 'vitest';
import { readFrontMatter, splitFrontMatter } from './front-matter.js';

it('takes an empty head, and lines that are no head, as they are', () => {
  expect(splitFrontMatter('---\n---\nText')).toEqual({ head: '', body: 'Text' });
  expect(splitFrontMatter('Text\n---\na: b\n---\n')).toEqual({ body: 'Text\n---\na: b\n---\n' });
  expect(splitFrontMatter('----\na\n---\n')).toEqual({ body: '----\na\n---\n' });
});

it('reads the fields, also where they are lines of text and no YAML', async () => {
  expect(await readFrontMatter('\uFEFF---\ntools: [a, b]\n---\nText')).toEqual({
    fields: { tools: ['a', 'b'] },
    body: 'Text',
  });
  expect(await readFrontMatter('---\nhint: [a] [b]\n---\n')).toEqual({ fields: { hint: '[a] [b]' }, body: '' });
  await expect(readFrontMatter('---\na: [\n---\n')).resolves.toEqual({ fields: { a: '[' }, body: '' });
  await expect(readFrontMatter('---\n- a: [\n---\n')).rejects.toThrow();
});
