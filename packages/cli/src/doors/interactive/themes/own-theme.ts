import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, nearestName } from '@tenon/core';
import { isObject } from '../../../is-object.js';
import { contrast, parseHex } from './colours.js';
import { PALETTES, type Palette, type RoleLook } from './palettes.js';
import type { Role, ThemeName } from './theme.js';

/** A theme that the person wrote. */
export interface OwnTheme {
  readonly palette: Palette;
  /** What of it does not count, and what is hard to read; a sentence each. */
  readonly problems: readonly string[];
}

/** What text and lines need to be read, by WCAG 2.2. */
export const LEAST_CONTRAST = 4.5;
export const LEAST_CONTRAST_ASIDE = 3;
/** Roles of what stands aside: less is enough. */
export const ASIDE: ReadonlySet<string> = new Set<Role>(['dim', 'border']);

const NAME = /^[a-z\d][\w-]{0,63}$/i;
const HEX = /^#[\da-f]{6}$/i;
const ATTRIBUTES = ['bold', 'dim', 'italic', 'underline', 'inverse'] as const;
const FIELDS: readonly string[] = ['base', 'background', 'roles'];
const BASES = ['dark', 'light', 'high-contrast'] as const satisfies readonly ThemeName[];

export function isThemeName(name: string): name is ThemeName {
  return Object.hasOwn(PALETTES, name);
}

function themesFolder(tenonHome: string): string {
  return path.join(tenonHome, 'themes');
}

/** Their names, by the files of the folder. */
export function ownThemeNames(tenonHome: string): string[] {
  try {
    const names = readdirSync(themesFolder(tenonHome)).filter((file) => file.endsWith('.json'));
    return names
      .map((file) => file.slice(0, -'.json'.length))
      .filter((name) => NAME.test(name) && !isThemeName(name) && name !== 'auto')
      .toSorted();
  } catch {
    // Most people have none.
    return [];
  }
}

/** The theme of that name, or why there is none. */
export function loadOwnTheme(name: string, tenonHome: string): OwnTheme | { readonly missing: string } {
  const file = path.join(themesFolder(tenonHome), `${name}.json`);
  try {
    if (!NAME.test(name)) throw new Error('it is no name of a theme.');
    return readOwnTheme(name, JSON.parse(readFileSync(file, 'utf8')) as unknown);
  } catch (thrown) {
    const meant = nearestName(name, Object.keys(PALETTES));
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const isThere = !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT');
    const why = isThere ? errorMessage(thrown).replace(/\.?$/, '.') : `${file} does not exist.`;
    return { missing: `There is no theme ${JSON.stringify(name)}: ${why}${hint}` };
  }
}

/** What a file says, over the theme that it is based on. Pure. @throws Error for what is no theme at all */
export function readOwnTheme(name: string, content: unknown): OwnTheme {
  if (!isObject(content)) throw new Error('its file is no JSON object.');
  const { base = 'dark', background, roles = {} } = content;
  const known = BASES.find((each) => each === base);
  if (known === undefined) throw new Error(`"base" must be one of ${BASES.join(', ')}.`);
  if (!isObject(roles)) throw new Error('"roles" must be an object of roles and colours.');
  const from = PALETTES[known];
  const problems = Object.keys(content).flatMap((field) => (FIELDS.includes(field) ? [] : [`${field} is not known`]));
  if (background !== undefined && !isHex(background)) problems.push('background is no colour such as #1e1e1e');
  const looks = new Map<string, RoleLook>(Object.entries(from.roles));
  for (const [role, wanted] of Object.entries(roles)) {
    const before = looks.get(role);
    const look = before === undefined ? `is no role${meantFor(role, [...looks.keys()])}` : lookOf(wanted, before);
    if (typeof look === 'string') problems.push(`${role} ${look}`);
    else looks.set(role, look);
  }
  const palette: Palette = {
    background: isHex(background) ? background : (from.background ?? '#000000'),
    roles: { ...from.roles, ...Object.fromEntries(looks) },
  };
  return {
    palette,
    problems: [...problems, ...faint(palette, Object.keys(roles))].map((problem) => `The theme ${name}: ${problem}.`),
  };
}

function meantFor(role: string, roles: readonly string[]): string {
  const meant = nearestName(role, roles);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** A colour, or an object of colours and attributes, over what was; else what is wrong. */
function lookOf(wanted: unknown, before: RoleLook): RoleLook | string {
  if (isHex(wanted)) return { ...before, colour: wanted };
  if (!isObject(wanted)) return 'is no colour such as #6cb6ff';
  const wrong = Object.entries(wanted).find(([field, value]) => !isLookField(field, value));
  return wrong === undefined ? { ...before, ...wanted } : `has ${wrong[0]}, which is not known or no such value`;
}

function isLookField(field: string, value: unknown): boolean {
  if (field === 'colour' || field === 'behind') return isHex(value);
  if (field === 'basic' || field === 'basicBehind')
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 16;
  return ATTRIBUTES.some((attribute) => attribute === field) && typeof value === 'boolean';
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && HEX.test(value);
}

/** Roles of the person that cannot be read well on what is behind them. */
function faint({ background = '#000000', roles }: Palette, own: readonly string[]): string[] {
  return Object.entries(roles).flatMap(([role, { colour, behind }]) => {
    if (colour === undefined || !own.includes(role)) return [];
    const has = contrast(parseHex(colour), parseHex(behind ?? background));
    const least = ASIDE.has(role) ? LEAST_CONTRAST_ASIDE : LEAST_CONTRAST;
    if (has >= least) return [];
    return [`${role} has a contrast of ${has.toFixed(1)} to what is behind it, and ${least} can be read well`];
  });
}
