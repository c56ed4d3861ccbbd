import { describe, expect, it } from 'vitest';
import { bindKeys, describeKeys } from './key-bindings.js';
import { keyName, pressedName, shownKey } from './key-names.js';

describe('names of keys', () => {
  it.each([
    ['Ctrl-C', 'ctrl+c'],
    ['control+c', 'ctrl+c'],
    ['C-x', 'ctrl+x'],
    ['shift+ctrl+z', 'ctrl+shift+z'],
    ['Esc', 'escape'],
    ['Return', 'enter'],
    ['pageUp', 'pageup'],
    ['ctrl+-', 'ctrl+-'],
    ['ctrl+_', 'ctrl+_'],
    ['alt++', 'alt++'],
    ['A', 'A'],
    ['漢', '漢'],
    [' ', 'space'],
    ['F5', 'f5'],
    ['hyper+x', undefined],
    ['ctrl+', undefined],
    ['nothing', undefined],
    ['', undefined],
  ])('%s is %s', (written, name) => {
    expect(keyName(written)).toBe(name);
  });

  it('tells the line feed of Ctrl-J from Enter', () => {
    expect(pressedName({ name: 'enter', text: '', raw: '\n' })).toBe('ctrl+j');
    expect(pressedName({ name: 'enter', text: '', raw: '\r' })).toBe('enter');
  });

  it('is shown as people write it', () => {
    expect(['ctrl+c', 'shift+tab', 'escape', 'pageup', 'ctrl+_', 'alt++'].map(shownKey)).toEqual([
      'Ctrl-C',
      'Shift-Tab',
      'Esc',
      'PageUp',
      'Ctrl-_',
      'Alt-+',
    ]);
  });
});

describe('bindings', () => {
  it('gives no key two meanings by default', () => {
    const { problems, rows } = bindKeys();
    expect(problems).toEqual([]);
    const keys = rows.flatMap((row) => row.keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.map(keyName)).toEqual(keys);
  });

  it('takes keys of the settings in place of the own ones, from other actions too, and says so', () => {
    const bindings = bindKeys({ undo: ['Ctrl-Z', 'f2'], openTranscript: 'f3' });
    expect(bindings.actionOf('ctrl+z')).toBe('undo');
    expect(bindings.actionOf('f2')).toBe('undo');
    expect(bindings.actionOf('ctrl+_')).toBeUndefined();
    expect(bindings.actionOf('f3')).toBe('openTranscript');
    expect(bindings.actionOf('ctrl+o')).toBeUndefined();
    expect(bindings.problems).toEqual(['ui.keys: Ctrl-Z is for undo now, no longer for suspend.']);
  });

  it('takes keys away by an empty list, but never the last way to send or to end', () => {
    const bindings = bindKeys({ suspend: [], submit: [], interrupt: 'x' });
    expect(bindings.actionOf('ctrl+z')).toBeUndefined();
    expect(bindings.actionOf('enter')).toBe('submit');
    expect(bindings.actionOf('ctrl+c')).toBe('interrupt');
    expect(bindings.problems).toEqual([
      'ui.keys: submit keeps its own keys, for it would have none.',
      'ui.keys: X cannot be bound to interrupt, for it could not be typed any more.',
      'ui.keys: interrupt keeps its own keys, for it would have none.',
    ]);
  });

  it('tells of unknown actions, strange keys and keys that are given twice', () => {
    const { problems, actionOf } = bindKeys({ fly: 'f1', undo: 'f4', redo: ['f4', 'alt+r', 'wheel'] });
    expect(actionOf('f4')).toBe('undo');
    expect(actionOf('alt+r')).toBe('redo');
    expect(problems).toEqual([
      'ui.keys: there is no action "fly". /keys shows what there is.',
      'ui.keys: F4 is bound to undo and redo; it counts for undo.',
      'ui.keys: "wheel" is no key. Write it as ctrl+x, alt+enter or f5.',
    ]);
  });

  it('are told with a sentence each', () => {
    const rows = describeKeys(bindKeys({ suspend: [] }));
    expect(rows[0]).toEqual({ keys: ['Enter'], does: 'Sends what is typed, or takes what is chosen.' });
    expect(rows.some(({ keys }) => keys.includes('Ctrl-Z'))).toBe(false);
    expect(rows.every(({ does }) => /^[A-Z].*\.$/.test(does))).toBe(true);
  });
});
