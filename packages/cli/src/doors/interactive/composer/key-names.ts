import type { Key } from '../screen/panel.js';

const MODIFIERS: Readonly<Record<string, string>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  c: 'ctrl',
  alt: 'alt',
  option: 'alt',
  meta: 'alt',
  m: 'alt',
  a: 'alt',
  shift: 'shift',
  s: 'shift',
  super: 'super',
  cmd: 'super',
};
const ORDER = ['ctrl', 'alt', 'shift', 'super'];

const NAMES: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  bs: 'backspace',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pagedn: 'pagedown',
  ' ': 'space',
};
const KNOWN: ReadonlySet<string> = new Set([
  'escape',
  'enter',
  'tab',
  'space',
  'backspace',
  'delete',
  'insert',
  'clear',
  'home',
  'end',
  'pageup',
  'pagedown',
  'up',
  'down',
  'left',
  'right',
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
]);

/**
 * One name for each way to write a key: `Ctrl-C`, `ctrl+c` and `control+C` are `ctrl+c`. Undefined for what is no key. Pure.
 */
export function keyName(written: string): string | undefined {
  const trimmed = written === ' ' ? written : written.trim();
  // A plus or a minus may be the key itself.
  const parts = /^(?:(.*)[+-])?(.[^+-]*)$/su.exec(trimmed);
  if (parts === null) return undefined;
  const [, before = '', last = ''] = parts;
  const modifiers =
    before === ''
      ? []
      : before
          .toLowerCase()
          .split(/[+-]/)
          .map((each) => MODIFIERS[each]);
  if (modifiers.includes(undefined)) return undefined;
  const isOneCharacter = Array.from(last).length === 1;
  const lower = last.toLowerCase();
  const name = NAMES[lower] ?? lower;
  if (!isOneCharacter && !KNOWN.has(name)) return undefined;
  // A capital letter alone is what it types; with Ctrl and Alt it says nothing.
  const isPlain = modifiers.length === 0 && isOneCharacter && name !== 'space';
  return [...ORDER.filter((each) => modifiers.includes(each)), isPlain ? last : name].join('+');
}

/** The name under which a key that was pressed is bound. */
export function pressedName({ name, raw }: Key): string {
  // Enter sends a carriage return; a line feed is what Ctrl-J sends.
  if (raw === '\n') return 'ctrl+j';
  return keyName(name) ?? name;
}

/** As people write it: `Ctrl-C`, `Shift-Tab`, `PageUp`. Pure. */
export function shownKey(name: string): string {
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const parts = /^(?:(.*)\+)?(.[^+]*)$/su.exec(name);
  const [, before, last = name] = parts ?? [];
  const key =
    last === 'escape' ? 'Esc' : capital(last).replace(/^Page(up|down)$/, (_, way: string) => `Page${capital(way)}`);
  return before === undefined || before === '' ? key : [...before.split('+').map(capital), key].join('-');
}
