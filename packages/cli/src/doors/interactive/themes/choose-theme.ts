import { luminance, type ColourDepth, type Rgb } from './colours.js';

export interface ThemeSources {
  /** `auto` and undefined: what fits the terminal. */
  readonly setting?: string;
  /** Variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the terminal said of its background (OSC 11). */
  readonly background?: Rgb;
}

export interface ThemeChoice {
  readonly name: string;
  readonly depth: ColourDepth;
}

/** Colours of `COLORFGBG` that are bright: of 16, those that terminals show as white or light. */
const BRIGHT = new Set([7, 9, 10, 11, 12, 13, 14, 15]);

/**
 * The theme and how many colours it may use. What the person set wins; `NO_COLOR` (no-color.org) and a dumb terminal have
 * no colours all the same. Without a setting the background decides: as the terminal says it, else `COLORFGBG`, else it is
 * taken to be dark.
 */
export function chooseTheme({ setting = 'auto', env, background }: ThemeSources): ThemeChoice {
  const depth = colourDepth(env);
  if (depth === 'none' || depth === 'mono') return { name: 'no-colour', depth };
  if (setting === 'no-colour') return { name: setting, depth: 'mono' };
  if (setting !== 'auto') return { name: setting, depth };
  const isLight = background === undefined ? isLightByVariable(env['COLORFGBG']) : luminance(background) > MIDDLE;
  return { name: isLight ? 'light' : 'dark', depth };
}

/** Black and white have the same contrast to a colour of this luminance. */
const MIDDLE = 0.179;

/** How many colours the terminal has, by its variables. */
export function colourDepth(env: ThemeSources['env']): ColourDepth {
  const term = env['TERM'] ?? '';
  if (term === 'dumb') return 'none';
  if ((env['NO_COLOR'] ?? '') !== '') return 'mono';
  if (/^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return 'rgb';
  if (/-direct$|kitty|ghostty|wezterm|alacritty/.test(term) || (env['WT_SESSION'] ?? '') !== '') return 'rgb';
  if (/256/.test(term) || env['TERM_PROGRAM'] === 'Apple_Terminal') return 'indexed';
  return /mono|vt1\d\d|vt220/.test(term) ? 'mono' : 'basic';
}

function isLightByVariable(value: string | undefined): boolean {
  const last = value?.split(';').at(-1) ?? '';
  return /^\d+$/.test(last) && BRIGHT.has(Number(last));
}
