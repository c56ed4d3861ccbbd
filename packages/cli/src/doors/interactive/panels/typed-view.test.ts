import fc from 'fast-check';
import { expect, it } from 'vitest';
import { displayWidth, makeSafe } from '@tenon/core';
import type { Key } from '../screen/panel.js';
import { typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';

const named = (name: string, text = ''): Key => ({ name, text, raw: '' });
const MOVES = ['left', 'right', 'up', 'down', 'home', 'end', 'alt+left', 'alt+right', 'ctrl+home', 'ctrl+end', 'enter'];
const REMOVALS = ['backspace', 'delete', 'ctrl+w', 'alt+d', 'ctrl+u', 'ctrl+k'];
const TEXTS = [
  'a',
  'wörd',
  ' ',
  '你好',
  '👨‍👩‍👧',
  'e\u0301',
  '\t',
  '\u001b[2J',
  '\u202e',
  '\n',
  '\r\n',
  ' '.repeat(60),
  'x'.repeat(90),
];
const keys = fc.array(
  fc.oneof(
    fc.constantFrom(...MOVES, ...REMOVALS).map((name) => named(name)),
    fc.constantFrom(...TEXTS).map((text) => named('paste', text)),
  ),
  { maxLength: 60 },
);

function typeAll(pressed: readonly Key[]): TypedText {
  return pressed.reduce((typed, key) => typeKey(typed, key, true) ?? typed, typedText(''));
}

it.each([
  [['«one two»', 'ctrl+w'], 'one '],
  [['«one two»', 'home', 'alt+d'], ' two'],
  [['«one two»', 'alt+left', 'ctrl+u'], 'two'],
  [['«one two»', 'alt+left', 'ctrl+k', '«x»'], 'one x'],
  [['«你好👨‍👩‍👧»', 'backspace', 'left', 'backspace'], '好'],
  [['«e\u0301x»', 'left', 'backspace'], 'x'],
  [['«ab»', 'enter', '«c»', 'up', '«X»'], 'aXb\nc'],
  [['«ab»', 'enter', '«c»', 'up', 'up', '«X»', 'down', 'end', 'down', '«Y»'], 'Xab\ncY'],
  [['f5', 'ctrl+y', 'tab'], ''],
])('%j types %j', (names, text) => {
  const pressed = names.map((name) => {
    const typed = /^«(.*)»$/su.exec(name)?.[1];
    return typed === undefined ? named(name) : named('paste', typed);
  });
  expect(typeAll(pressed).text).toBe(text);
});

it('in one line breaks become blanks, but for those at the end', () => {
  expect(typeKey(typedText('a'), named('paste', 'b\nc\n\n'))?.text).toBe('ab c');
  expect(typeKey(typedText('a'), named('enter'))).toBe(undefined);
});

it('the cursor always stands between characters as people see them', () => {
  fc.assert(
    fc.property(keys, (pressed) => {
      const { text, at } = typeAll(pressed);
      const { length } = text;
      const line = text.lastIndexOf('\n', at - 1) + (at === 0 ? 0 : 1);
      const end = text.indexOf('\n', at) === -1 ? length : text.indexOf('\n', at);
      const starts = Array.from(
        new Intl.Segmenter().segment(text.slice(at === 0 ? 0 : line, end)),
        ({ index }) => index + (at === 0 ? 0 : line),
      );
      expect([...starts, end]).toContain(at);
    }),
  );
});

it('what is drawn fits, is safe, keeps the cursor in sight, and leaves nothing out', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 9, max: 80 }), fc.integer({ min: 1, max: 6 }), (pressed, columns, height) => {
      const view = new TypedView();
      let typed = typedText('');
      for (const key of pressed) {
        typed = typeKey(typed, key, true) ?? typed;
        const { rows, cursor } = view.draw(typed, { columns, height });
        expect(rows.length).toBeLessThanOrEqual(height);
        for (const row of rows) {
          expect(displayWidth(row)).toBeLessThan(columns);
          expect(row).not.toMatch(/[\u0000-\u001f\u202e]/);
        }
        expect(cursor.row).toBeLessThan(rows.length);
        expect(cursor.row).toBeGreaterThanOrEqual(0);
        expect(cursor.column).toBeLessThan(columns);
      }
      const all = new TypedView().draw(typed, { columns, height: 10_000 }).rows.join('');
      const segments = typed.text.split('\n').flatMap((line) => Array.from(new Intl.Segmenter().segment(line)));
      const shown = segments.map(({ segment }) => (/^[ \t]$/.test(segment) ? '' : makeSafe(segment)));
      expect(all.replaceAll(' ', '')).toBe(shown.join(''));
    }),
    { numRuns: 60 },
  );
});

it('of a megabyte only what is in sight is laid out', () => {
  const view = new TypedView();
  let typed = typedText(Array.from({ length: 20_000 }, (_line, index) => `${index} ${'x'.repeat(45)}`).join('\n'));
  view.draw(typed, { columns: 80, height: 20 });
  const began = performance.now();
  for (let key = 0; key < 50; key += 1) {
    typed = typeKey(typed, named('a', 'a'), true) ?? typed;
    expect(view.draw(typed, { columns: 80, height: 20 }).rows).toHaveLength(20);
  }
  expect((performance.now() - began) / 50).toBeLessThan(30);
});
