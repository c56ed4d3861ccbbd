export interface TerminalTraits {
  /** Characters beyond ASCII arrive as they are. */
  readonly unicode: boolean;
  /** How images can be shown; undefined: not at all. */
  readonly images?: 'kitty' | 'iterm2';
  /** tmux or screen stands between. */
  readonly multiplexer?: 'tmux' | 'screen';
  readonly isRemote: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What a terminal can do, as far as its variables tell; nothing is asked of it. Pure. */
export function terminalTraits(env: Environment, platform: NodeJS.Platform): TerminalTraits {
  const images = imagesOf(env);
  const multiplexer = multiplexerOf(env);
  return {
    unicode: unicodeOf(env, platform),
    ...(images !== undefined && { images }),
    ...(multiplexer !== undefined && { multiplexer }),
    isRemote: isSet(env['SSH_CONNECTION']) || isSet(env['SSH_TTY']),
  };
}

/** The first of these that is set says which characters programs write (POSIX, 8.2). */
function unicodeOf(env: Environment, platform: NodeJS.Platform): boolean {
  if (env['TERM'] === 'linux') return false;
  if (platform === 'win32') return isSet(env['WT_SESSION']) || isSet(env['TERM_PROGRAM']) || isSet(env['TERM']);
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet);
  if (locale === undefined) return platform === 'darwin';
  return /utf-?8/i.test(locale);
}

function imagesOf(env: Environment): 'kitty' | 'iterm2' | undefined {
  // Neither hands images on by itself.
  if (multiplexerOf(env) !== undefined) return undefined;
  const program = env['TERM_PROGRAM'] ?? '';
  if (/^xterm-(kitty|ghostty)$/.test(env['TERM'] ?? '') || isSet(env['KITTY_WINDOW_ID'])) return 'kitty';
  if (program === 'ghostty' || program === 'WezTerm') return 'kitty';
  return program === 'iTerm.app' ? 'iterm2' : undefined;
}

function multiplexerOf(env: Environment): TerminalTraits['multiplexer'] {
  if (isSet(env['TMUX'])) return 'tmux';
  return isSet(env['STY']) ? 'screen' : undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
