import { paintLook, type Colour, type TextLook } from '@tenon/core';
import { nearestIndexed, parseHex, type ColourDepth } from './colours.js';
import { isThemeName } from './own-theme.js';
import { PALETTES, type Palette, type RoleLook } from './palettes.js';
import type { Role, Theme, ThemeName } from './theme.js';

/** A theme in as many colours as the terminal has: one of Tenon's, or another with its `palette`. */
export function createTheme(name: ThemeName, depth: ColourDepth): Theme;
export function createTheme(name: string, depth: ColourDepth, palette: Palette): Theme;
export function createTheme(name: string, depth: ColourDepth, palette?: Palette): Theme {
  const own = palette ?? (isThemeName(name) ? PALETTES[name] : PALETTES.dark);
  const { roles } = depth === 'mono' ? PALETTES['no-colour'] : own;
  const looks = new Map<Role, TextLook>();
  const lookOf = (role: Role): TextLook => {
    const known = looks.get(role);
    if (known !== undefined) return known;
    const look = depth === 'none' ? {} : textLook(roles[role], depth);
    looks.set(role, look);
    return look;
  };
  return { name, paint: (role, text) => paintLook(lookOf(role), text) };
}

function textLook(look: RoleLook, depth: ColourDepth): TextLook {
  const { colour, behind, basic, basicBehind, ...attributes } = look;
  const foreground = colourOf(colour, basic, depth);
  const background = colourOf(behind, basicBehind, depth);
  return { ...attributes, ...(foreground && { foreground }), ...(background && { background }) };
}

function colourOf(hex: string | undefined, basic: number | undefined, depth: ColourDepth): Colour | undefined {
  if (hex === undefined || depth === 'none' || depth === 'mono') return undefined;
  if (depth === 'basic') return basic === undefined ? undefined : { kind: 'basic', index: basic };
  return depth === 'indexed' ? nearestIndexed(parseHex(hex)) : { kind: 'rgb', ...parseHex(hex) };
}
