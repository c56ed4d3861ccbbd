import { expect, it } from 'vitest';
import { joinPrompt } from './read-prompt.js';

it('puts piped text below the words, marked', () => {
  expect(joinPrompt('summarise', 'a\nb')).toBe('summarise\n\n<stdin>\na\nb\n</stdin>');
  expect(joinPrompt('summarise', 'a\n')).toBe('summarise\n\n<stdin>\na\n</stdin>');
});

it('takes either alone', () => {
  expect(joinPrompt('summarise', undefined)).toBe('summarise');
  expect(joinPrompt('summarise', ' \n')).toBe('summarise');
  expect(joinPrompt(undefined, 'do this')).toBe('do this');
  expect(joinPrompt(undefined, undefined)).toBeUndefined();
});
