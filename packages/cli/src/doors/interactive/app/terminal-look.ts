import { terminalTraits } from '../../../doctor/terminal-traits.js';
import type { Preparation } from '../../../prepare-session.js';
import type { Surroundings } from '../../../surroundings.js';
import type { TerminalReply } from '../screen/decode-keys.js';
import { chooseTheme } from '../themes/choose-theme.js';
import { createTheme } from '../themes/create-theme.js';
import { isThemeName, loadOwnTheme } from '../themes/own-theme.js';
import type { Palette } from '../themes/palettes.js';
import type { Theme, ThemeName } from '../themes/theme.js';
import type { Look } from '../views/block.js';

/** How the terminal is drawn on. */
export interface TerminalLook {
  readonly theme: () => Theme;
  readonly unicode: boolean;
  readonly images: Look['images'];
  /** What the terminal said of its background decides where nobody else did. True when something looks different now. */
  onReply(reply: TerminalReply): boolean;
  /** The person's choice, from now on. */
  setTheme(name: string): void;
  /** What is wrong with the theme that was wished for at the start, for the person. */
  readonly problems: readonly string[];
}

export interface LookWishes {
  readonly surroundings: Pick<Surroundings, 'env' | 'tenonHome'>;
  readonly values: Preparation['settings']['values'];
  /** Of the command line. */
  readonly theme?: string | undefined;
}

export function createTerminalLook({ surroundings, values, theme: wanted }: LookWishes): TerminalLook {
  const { env, tenonHome } = surroundings;
  const traits = terminalTraits(env, process.platform);
  let own: Palette | undefined;
  const problems: string[] = [];
  let setting = wish(wanted ?? values['ui.theme']?.value ?? 'auto');
  let background: { readonly red: number; readonly green: number; readonly blue: number } | undefined;
  let theme = make();

  function make(): Theme {
    const { name, depth } = chooseTheme({ setting, env, ...(background && { background }) });
    return own !== undefined && name === setting ? createTheme(name, depth, own) : createTheme(themeNamed(name), depth);
  }

  /** What counts of a name: where there is no such theme, the background decides. */
  function wish(name: string): string {
    own = undefined;
    if (name === 'auto' || isThemeName(name)) return name;
    const loaded = loadOwnTheme(name, tenonHome);
    problems.push(...('missing' in loaded ? [loaded.missing] : loaded.problems));
    if ('missing' in loaded) return 'auto';
    own = loaded.palette;
    return name;
  }

  return {
    theme: () => theme,
    problems,
    unicode: traits.unicode,
    images: values['ui.images']?.value === 'off' ? undefined : traits.images,
    onReply(reply) {
      if (reply.kind !== 'background') return false;
      const [red, green, blue] = reply.rgb;
      background = { red, green, blue };
      const before = theme.name;
      theme = make();
      return theme.name !== before;
    },
    setTheme(name) {
      setting = wish(name);
      theme = make();
    },
  };
}

function themeNamed(name: string): ThemeName {
  return isThemeName(name) ? name : 'dark';
}
