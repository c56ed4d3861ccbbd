import { paintLook, type Colour, type TextLook } from '@tenon/core';
import { nearestIndexed, parseHex, type ColourDepth } from './colours.js';
import { PALETTES, type RoleLook } from './palettes.js';
import type { Role, Theme, ThemeName } from './theme.js';

/** A theme in as many colours as the terminal has. */
export function createTheme(name: ThemeName, depth: ColourDepth): Theme {
  const { roles } = PALETTES[depth === 'mono' ? 'no-colour' : name];
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
