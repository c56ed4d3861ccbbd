import { expect, it } from 'vitest';
import { makeSafe } from './safe-text.js';
import { cutLine, shortenText } from './shorten.js';

const text = makeSafe('one\ntwo and more\nthree\nfour\nfive', { multiline: true });

it('keeps head and tail and counts what is between', () => {
  expect(shortenText(text, 3)).toEqual(['one', '… 3 lines not shown …', 'five']);
  expect(shortenText(text, 5)).toHaveLength(5);
});

it('cuts at the width of the terminal where there is one', () => {
  expect(shortenText(text, 5, 6)).toEqual(['one', 'two a…', 'three', 'four', 'five']);
  expect(shortenText(text, 5)[1]).toBe('two and more');
});

it('shows both ends of a long line', () => {
  expect(cutLine(`a${'x'.repeat(2000)}b`)).toMatch(/^ax+… \[1002 characters not shown\] …x+b$/);
});
