import { isSetByShell } from '../words/parameters.js';

/**
 * Variables that change what a shell or a program runs or reads. `shell`: set in the shell itself, also in front of a
 * builtin; they hold for all that comes after.
 */
const CHANGES_THE_SHELL =
  /^(?:PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|POSIXLY_CORRECT|HISTFILE|HISTCMD|TMPDIR|HOME|PWD|OLDPWD|SHELL|FPATH|FUNCNEST|LD_.*|DYLD_.*|GIT_.*|TENON.*|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS)|PYTHON(?:PATH|STARTUP|HOME|INSPECT|BREAKPOINT)|PERL5?(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|(?:_?JAVA|JDK_JAVA|MAVEN|GRADLE|SBT)_?(?:TOOL_)?OPT(?:ION)?S|GOFLAGS|GO[A-Z]*PATH|GOROOT|RUSTC.*|RUSTFLAGS|CARGO(?!_TERM_COLOR$).*|(?:npm|NPM|yarn|YARN|PNPM)_.*|MAKEFLAGS|MFLAGS|(?:\w+_)?PAGER|MANPAGER|BAT_.*|SYSTEMD_.*|DPKG_.*|RSYNC_.*|DEBUGINFOD_.*|GH_.*|GREP|EDITOR|VISUAL|BROWSER|LESS.*|CC|CXX|LD|AS|AR|SSH_.*|SUDO_.*|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_CONFIG_PATH|FZF_.*|XDG_.*|PIP_.*|UV_.*|DOCKER_.*|KUBECONFIG|AWS_.*|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO.*|TERMCAP|.*_PRELOAD|.*PROXY|.*proxy)$/;

interface HarmlessVariables {
  /** The names, as parts of a regular expression, separated by blanks. */
  readonly names: string;
  /** The reason why no program runs, loads or reads anything else because of them. */
  readonly reason: string;
  /** True if a rule for the command also covers it with such a variable and a plain value. */
  readonly keepsRules: boolean;
}

/** Harmless variables that programs often get. None of them may name a program, a file, an address or an option. */
const HARMLESS: readonly HarmlessVariables[] = [
  {
    names:
      'NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM CARGO_TERM_COLOR TERM LANG LANGUAGE LC_[A-Z]+ TZ COLUMNS LINES',
    reason: 'colours, width, language and times of what is printed',
    keepsRules: true,
  },
  {
    names: 'CI RUST_BACKTRACE PYTHONUNBUFFERED DOTNET_NOLOGO DO_NOT_TRACK [A-Z_]+_TELEMETRY_(?:DISABLED|OPTOUT)',
    reason: 'nobody sits there, nobody is told, and how much is printed',
    keepsRules: true,
  },
  {
    names: 'GOOS GOARCH GOARM GOARM64 GOAMD64 GO386 GOPPC64 GORISCV64 GOMAXPROCS CGO_ENABLED',
    reason: 'what machine the same code is built for',
    keepsRules: true,
  },
  {
    names: 'NODE_ENV ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT RAILS_ENV RACK_ENV',
    reason: 'which of the settings that the project has itself',
    keepsRules: true,
  },
  {
    names:
      'DEBUG VERBOSE RUST_LOG LOG_LEVEL LOGLEVEL PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONWARNINGS PYTHONHASHSEED' +
      ' TEST SEED JEST_WORKERS VITEST_MAX_THREADS DEBIAN_FRONTEND HUSKY',
    reason: 'wording and amounts; some choose what is tested or checked, so that the rule may not mean it',
    keepsRules: false,
  },
];

function namesOf(rows: readonly HarmlessVariables[]): RegExp {
  return new RegExp(`^(?:${rows.flatMap(({ names }) => names.split(' ')).join('|')})$`);
}

const KNOWN = namesOf(HARMLESS);
const KEEPS_RULES = namesOf(HARMLESS.filter((row) => row.keepsRules));
/** Matches a value that is no path and no list, so that no program can read more into it. */
const PLAIN_VALUE = /^[\w.@-]*$/;

/** Returns true if a rule that covers a command also covers it with this variable in front. */
export function keepsRules(name: string, value: string | undefined): boolean {
  return value !== undefined && KEEPS_RULES.test(name) && PLAIN_VALUE.test(value);
}

/** Why setting the variable means more than a value; undefined when it does not. */
export function reasonOfVariable(name: string, where: 'shell' | 'program'): string | undefined {
  if (isSetByShell(name)) return `the variable \`${name}\`, which the shell itself sets`;
  if (CHANGES_THE_SHELL.test(name)) return `the variable \`${name}\`, which changes what is run`;
  if (where === 'program' && !KNOWN.test(name)) return `the variable \`${name}\` set for a program`;
  return undefined;
}
