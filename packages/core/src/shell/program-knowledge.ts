/**
 * What is known about programs, as data. Every row may only raise: a program that stands in no table
 * is an ordinary program that the policy asks about, never one that is known to be harmless.
 */

/** Words that the shell's grammar reads; quoted they are program names that nobody means. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
);

/** Programs whose work is to start what their arguments, their input or a file says. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  [
    'env sudo doas su runuser pkexec xargs parallel exec command builtin nohup time timeout nice ionice chrt',
    'taskset setsid watch stdbuf unbuffer script flock entr strace ltrace gdb valgrind unshare nsenter chroot',
    'systemd-run at batch crontab ssh expect run-parts start-stop-daemon bwrap firejail fakeroot proot',
    'sh bash rbash dash ash zsh ksh mksh fish csh tcsh pwsh busybox toybox eval source . trap',
    'npx bunx pnpx uvx pipx awk gawk mawk nawk vi vim nvim view ex ed emacs nano less more man',
  ].flatMap((line) => line.split(' ')),
);

/** Builtins that change what later words of the same line mean, or that evaluate text. */
const SHELL_CHANGERS: ReadonlySet<string> = new Set(
  [
    'alias unalias set shopt enable hash export declare typeset local readonly unset let read mapfile readarray',
    'getopts bind complete compgen compopt fc history printf test [ wait pushd popd',
  ].flatMap((line) => line.split(' ')),
);

/** Of those, the ones that do so only with this option; without it they are ordinary programs. */
const CHANGES_ONLY_WITH: ReadonlyMap<string, RegExp> = new Map([
  // `-v name[…]` evaluates the subscript, even out of single quotes.
  ['printf', /^-v/],
  ['test', /^-[vR]$/],
  ['[', /^-[vR]$/],
  ['wait', /^-\w*p/],
]);

/** Interpreters, with the first arguments that are known to run nothing from the command line. */
const INTERPRETERS: readonly { readonly name: RegExp; readonly plainFirst: RegExp }[] = [
  { name: /^(?:python|pypy)[\d.]*$/, plainFirst: /^(?:-m|-V|--version)$/ },
  { name: /^(?:node|nodejs|bun|deno)$/, plainFirst: /^(?:--test|-v|--version)$/ },
  {
    name: /^(?:perl|ruby|irb|lua|luajit|php|Rscript|R|julia|tclsh|wish|osascript|guile|ghci)[\d.]*$/,
    plainFirst: /^--version$/,
  },
];

/** Options, with the abbreviations that GNU programs take, that make a plain program start another one, or delete and write. */
const STARTING_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/],
  ['fd', /^(?:-[^-]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/],
  ['rg', /^--(?:pre|hostname-bin)(?:=.*)?$/],
  ['tar', /^(?:-[^-]*[IF].*|[A-Za-z]*[IF][A-Za-z]*|--(?:to-c|us|checkpoint-|inf|new-|rs|rm).*)$/],
  ['sort', /^--co.*$/],
  ['split', /^--f.*$/],
  ['zip', /^(?:-TT.*|--unzip-command.*)$/],
  ['rsync', /^(?:-[^-]*e.*|--rs.*)$/],
  ['make', /^(?:--ev.*|-E.*|SHELL=.*)$/],
  ['npm', /^(?:exec|x)$/],
  ['pnpm', /^(?:exec|dlx)$/],
  ['yarn', /^(?:exec|dlx)$/],
]);

/** Program names that can only be names: no glob, no `=`, no blank, no odd character. */
const PLAIN_PROGRAM = /^(?:\[|[\w./+@%:,-]+)$/;

/** Git's global options that start nothing. */
const GIT_HARMLESS: ReadonlySet<string> = new Set([
  '--no-pager',
  '-P',
  '--version',
  '-v',
  '--help',
  '-h',
  '--no-optional-locks',
  '--bare',
]);
/** Git's subcommands and their options that start a program which the line or the configuration names. */
const GIT_STARTING =
  /^(?:foreach|run|filter-branch|difftool|mergetool|-x.*|--exe?|--exec.*|--ext-diff|--(?:upl|rece).*)$/;

/** Why a command with these words cannot be judged by its words, or null. `argv` is after quoting. */
export function reasonOfProgram(argv: readonly string[]): string | null {
  const [word = '', ...args] = argv;
  if (RESERVED_WORDS.has(word)) return `\`${word}\` used as a program`;
  if (!PLAIN_PROGRAM.test(word)) return 'a program name with unusual characters';
  const program = word.slice(word.lastIndexOf('/') + 1);
  // Windows and macOS file systems find `ENV` where `env` is meant.
  const folded = program.toLowerCase().replace(/\.exe$/, '');
  if (word === '.' || LAUNCHERS.has(folded)) return `\`${program}\` can run other programs`;
  if (SHELL_CHANGERS.has(program)) {
    const only = CHANGES_ONLY_WITH.get(program);
    if (only === undefined || args.some((arg) => only.test(arg)))
      return `\`${program}\` can change what the shell does next`;
  }
  const interpreter = INTERPRETERS.find(({ name }) => name.test(program) || name.test(folded));
  if (interpreter !== undefined && !runsNamedFile(args, interpreter.plainFirst)) {
    return `\`${program}\` can run code from its arguments or its input`;
  }
  const starting = STARTING_OPTIONS.get(folded);
  const option = folded === 'git' ? startingOptionOfGit(args) : args.find((arg) => starting?.test(arg) === true);
  if (option === undefined) return null;
  return `\`${program} ${option.split('=', 1)[0] ?? ''}\` can run other programs or delete`;
}

/** Before the subcommand every option counts that is not known to be harmless: `-c` alone can set a program. */
function startingOptionOfGit(args: readonly string[]): string | undefined {
  let at = 0;
  for (; args[at]?.startsWith('-') === true; at += 1) {
    const option = args[at] ?? '';
    if (option === '-C') at += 1;
    else if (!GIT_HARMLESS.has(option)) return option;
  }
  return args.slice(at).find((arg) => GIT_STARTING.test(arg));
}

function runsNamedFile(args: readonly string[], plainFirst: RegExp): boolean {
  const [first] = args;
  if (first === undefined || first === '') return false;
  return first.startsWith('-') ? plainFirst.test(first) : true;
}

/**
 * Programs that change nothing and start nothing, whatever their arguments are, each with the reason.
 * Left out on purpose: `date` and `hostname` (set), `printenv` (shows secrets), `test` and `printf`
 * (evaluate subscripts), `cat`, `ls` and all that open a path (a read effect is not stated for them yet).
 */
export const READ_ONLY_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['true', 'ignores its arguments'],
  ['false', 'ignores its arguments'],
  [':', 'ignores its arguments'],
  ['echo', 'a builtin that writes its arguments to the output'],
  ['pwd', 'a builtin whose only options are -L and -P'],
  ['sleep', 'takes durations only'],
  ['whoami', 'takes no operand; options are --help and --version'],
  ['id', 'looks up names and numbers of users and groups'],
  ['groups', 'looks up the groups of users'],
  ['uname', 'options choose what to print of the system'],
  ['nproc', 'options choose what to count'],
  ['basename', 'works on the text of its operands; opens no path'],
  ['dirname', 'works on the text of its operands; opens no path'],
  ['seq', 'prints numbers; the format is checked and runs nothing'],
]);

export function isReadOnlyProgram(argv: readonly string[]): boolean {
  const [program] = argv;
  // The bare name only: `./true` is whatever the folder holds.
  return program !== undefined && READ_ONLY_PROGRAMS.has(program);
}
