import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeSafe } from '@tenon/core';
import { createSteadyText } from './steady-text.js';

const shownOf = (chunks: readonly string[]): string => {
  const steady = createSteadyText();
  const pieces = [...chunks.map((chunk) => steady.push(chunk)), steady.flush()];
  return pieces.map((piece) => makeSafe(piece.replaceAll('\r\n', '\n'), { multiline: true })).join('');
};

it.each(['👨‍👩‍👧 family', '1️⃣ key', 'a ❤️ b', '🏴‍☠️', 'line\r\nline', '中文 e\u0301', '🇩🇪🇫🇷'])(
  'shows %j as itself however it is cut',
  (text) => {
    expect(shownOf(text.split(''))).toBe(shownOf([text]));
    for (let at = 1; at < text.length; at += 1)
      expect(shownOf([text.slice(0, at), text.slice(at)])).toBe(text.replace('\r', ''));
  },
);

it('holds back plain words not at all', () => {
  const steady = createSteadyText();
  expect(steady.push('Hello')).toBe('Hello');
  expect(steady.push(' wörld')).toBe(' wörld');
  expect(steady.push(' 👨')).toBe(' ');
  expect(steady.flush()).toBe('👨');
});

it('loses nothing and changes no order (property)', () => {
  const chunk = fc.string({
    unit: fc.constantFrom('a', '1', '\r', '\n', '\u200d', '\ufe0f', '👩', '\ud83d', '中', '\u0301'),
  });
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      const steady = createSteadyText();
      expect(chunks.map((text) => steady.push(text)).join('') + steady.flush()).toBe(chunks.join(''));
    }),
  );
});
