import { makeSafe } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { chooseTheme } from './choose-theme.js';
import { contrast, indexedRgb, nearestIndexed, parseHex, type Rgb } from './colours.js';
import { createTheme } from './create-theme.js';
import { ASIDE, LEAST_CONTRAST, LEAST_CONTRAST_ASIDE } from './own-theme.js';
import { PALETTES } from './palettes.js';
import type { Role, ThemeName } from './theme.js';

const indexed = (colour: Rgb): Rgb => indexedRgb((nearestIndexed(colour) as { readonly index: number }).index);

describe('themes', () => {
  const rows = (['dark', 'light', 'high-contrast'] satisfies ThemeName[]).flatMap((name) =>
    Object.entries(PALETTES[name].roles).map(([role, look]) => ({ name, role, look })),
  );

  it.each(rows)('$name: $role can be read, in all and in 256 colours', ({ name, role, look }) => {
    const least = ASIDE.has(role) ? LEAST_CONTRAST_ASIDE : LEAST_CONTRAST;
    const behind = parseHex(look.behind ?? PALETTES[name].background ?? '#000000');
    const front = look.colour === undefined ? undefined : parseHex(look.colour);
    const all = front === undefined ? 21 : contrast(front, behind);
    const few =
      front === undefined ? 21 : contrast(indexed(front), look.behind === undefined ? behind : indexed(behind));
    expect(all).toBeGreaterThanOrEqual(least);
    expect(few).toBeGreaterThanOrEqual(least);
  });

  it('high contrast is at least 7', () => {
    for (const look of Object.values(PALETTES['high-contrast'].roles))
      expect(contrast(parseHex(look.colour ?? '#ffffff'), parseHex(look.behind ?? '#000000'))).toBeGreaterThanOrEqual(
        7,
      );
  });

  it('use as many colours as the terminal has', () => {
    const text = makeSafe('x\ny', { multiline: true });
    expect(createTheme('dark', 'rgb').paint('success', makeSafe('x'))).toBe('\u001b[38;2;107;196;109mx\u001b[39m');
    expect(createTheme('dark', 'indexed').paint('success', makeSafe('x'))).toMatch(/^\u001b\[38;5;\d+mx\u001b\[39m$/);
    expect(createTheme('dark', 'basic').paint('success', makeSafe('x'))).toBe('\u001b[92mx\u001b[39m');
    expect(createTheme('dark', 'mono').paint('heading', text)).toBe(
      '\u001b[1;4mx\u001b[22;24m\n\u001b[1;4my\u001b[22;24m',
    );
    expect(createTheme('dark', 'none').paint('heading', text)).toBe(text);
    expect(createTheme('no-colour', 'rgb').paint('error', makeSafe('x'))).toBe('\u001b[1mx\u001b[22m');
  });

  it('without colour never set one', () => {
    for (const role of Object.keys(PALETTES['no-colour'].roles) as Role[])
      expect(createTheme('no-colour', 'rgb').paint(role, makeSafe('x'))).not.toMatch(/\u001b\[(?:[\d;]*;)?[3-4][0-8]/);
  });
});

describe('chooseTheme', () => {
  const colour = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  it.each([
    ['a setting', { setting: 'light', env: colour }, { name: 'light', depth: 'rgb' }],
    ['NO_COLOR', { setting: 'light', env: { ...colour, NO_COLOR: '1' } }, { name: 'no-colour', depth: 'mono' }],
    ['an empty NO_COLOR', { env: { ...colour, NO_COLOR: '' } }, { name: 'dark', depth: 'rgb' }],
    ['a dumb terminal', { setting: 'dark', env: { TERM: 'dumb' } }, { name: 'no-colour', depth: 'none' }],
    ['the answer of the terminal', { env: colour, background: parseHex('#fdf6e3') }, { name: 'light', depth: 'rgb' }],
    [
      'it before the variable',
      { env: { ...colour, COLORFGBG: '0;15' }, background: parseHex('#002b36') },
      { name: 'dark', depth: 'rgb' },
    ],
    ['COLORFGBG', { env: { TERM: 'xterm-256color', COLORFGBG: '0;default;15' } }, { name: 'light', depth: 'indexed' }],
    ['COLORFGBG of a dark one', { env: { TERM: 'xterm', COLORFGBG: '15;0' } }, { name: 'dark', depth: 'basic' }],
    ['nothing', { env: {} }, { name: 'dark', depth: 'basic' }],
    ['a setting without colour', { setting: 'no-colour', env: colour }, { name: 'no-colour', depth: 'mono' }],
  ] as const)('follows %s', (_, sources, choice) => {
    expect(chooseTheme(sources)).toEqual(choice);
  });
});
