import { terminalTraits } from '../../../doctor/terminal-traits.js';
import type { Preparation } from '../../../prepare-session.js';
import type { Surroundings } from '../../../surroundings.js';
import type { TerminalReply } from '../screen/decode-keys.js';
import { chooseTheme } from '../themes/choose-theme.js';
import { createTheme } from '../themes/create-theme.js';
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
  setTheme(name: ThemeName): void;
}

export interface LookWishes {
  readonly surroundings: Pick<Surroundings, 'env'>;
  readonly values: Preparation['settings']['values'];
  /** Of the command line. */
  readonly theme?: ThemeName | 'auto' | undefined;
}

export function createTerminalLook({ surroundings, values, theme: wanted }: LookWishes): TerminalLook {
  const { env } = surroundings;
  const traits = terminalTraits(env, process.platform);
  let setting = wanted ?? values['ui.theme']?.value ?? 'auto';
  let background: { readonly red: number; readonly green: number; readonly blue: number } | undefined;
  let theme = make();

  function make(): Theme {
    const { name, depth } = chooseTheme({ setting, env, ...(background && { background }) });
    return createTheme(name, depth);
  }

  return {
    theme: () => theme,
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
      setting = name;
      theme = make();
    },
  };
}
