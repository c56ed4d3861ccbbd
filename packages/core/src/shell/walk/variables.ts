import { isSetByShell } from '../words/parameters.js';

/**
 * Variables that change what a shell or a program runs or reads. `shell`: set in the shell itself, also in front of a
 * builtin; they hold for all that comes after.
 */
const CHANGES_THE_SHELL =
  /^(?:PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|POSIXLY_CORRECT|HISTFILE|HISTCMD|TMPDIR|HOME|PWD|OLDPWD|SHELL|FPATH|FUNCNEST|LD_.*|DYLD_.*|GIT_.*|TENON.*|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS)|PYTHON(?:PATH|STARTUP|HOME|INSPECT|BREAKPOINT)|PERL5?(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|(?:_?JAVA|JDK_JAVA|MAVEN|GRADLE|SBT)_?(?:TOOL_)?OPT(?:ION)?S|GOFLAGS|GO[A-Z]*PATH|GOROOT|RUSTC.*|RUSTFLAGS|CARGO(?!_TERM_COLOR$).*|(?:npm|NPM|yarn|YARN|PNPM)_.*|MAKEFLAGS|MFLAGS|(?:\w+_)?PAGER|MANPAGER|BAT_.*|SYSTEMD_.*|DPKG_.*|RSYNC_.*|DEBUGINFOD_.*|GH_.*|GREP|EDITOR|VISUAL|BROWSER|LESS.*|CC|CXX|LD|AS|AR|SSH_.*|SUDO_.*|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_CONFIG_PATH|FZF_.*|XDG_.*|PIP_.*|UV_.*|DOCKER_.*|KUBECONFIG|AWS_.*|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO.*|TERMCAP|.*_PRELOAD|.*PROXY|.*proxy)$/;

/** Variables that programs are often given, and that let nothing but wording, colours and amounts differ. */
const HARMLESS =
  /^(?:CI|NODE_ENV|DEBUG|VERBOSE|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|PYTHONWARNINGS|PYTHONHASHSEED|CARGO_TERM_COLOR|TEST|LOG_LEVEL|LOGLEVEL|SEED|JEST_WORKERS|VITEST_MAX_THREADS|DEBIAN_FRONTEND|HUSKY)$/;

/** Why setting the variable means more than a value; undefined when it does not. */
export function reasonOfVariable(name: string, where: 'shell' | 'program'): string | undefined {
  if (isSetByShell(name)) return `the variable \`${name}\`, which the shell itself sets`;
  if (CHANGES_THE_SHELL.test(name)) return `the variable \`${name}\`, which changes what is run`;
  if (where === 'program' && !HARMLESS.test(name)) return `the variable \`${name}\` set for a program`;
  return undefined;
}
