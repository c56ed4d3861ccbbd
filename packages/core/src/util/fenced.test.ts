import { expect, it } from 'vitest';
import { fenced } from './fenced.js';

it('fences a text by more backticks than follow each other in it', () => {
  expect(fenced('a\n', 'js')).toBe('```js\na\n```');
  expect(fenced('a `` b')).toBe('```\na `` b\n```');
  expect(fenced('````md\n```\n````')).toBe('`````\n````md\n```\n````\n`````');
});
