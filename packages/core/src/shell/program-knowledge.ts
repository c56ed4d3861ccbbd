import { strangeInGit } from './git-knowledge.js';
import { knownOptions, staysBelow, strangeOption, wildcardInOptionPlace } from './known-options.js';
import { strangeInNpm } from './npm-knowledge.js';
import { strangeInSed } from './sed-knowledge.js';

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
    'setarch linux32 linux64 i386 i486 i586 i686 x86_64 uname26 prlimit setpriv choom ssh-agent logsave sg newgrp',
    'numactl uclampset pipesz catchsegv chpst softlimit envdir setuidgid daemonize dbus-launch dbus-run-session rlwrap',
    'cgexec faketime eatmydata torsocks torify proxychains proxychains4 xvfb-run sem hyperfine perf rr',
    'tmux screen mosh tini dumb-init gosu su-exec capsh lxc-attach machinectl m4 dc ssh-keygen',
    'npx bunx pnpx uvx pipx awk gawk mawk nawk vi vim nvim view ex ed emacs nano less more man',
  ].flatMap((line) => line.split(' ')),
);

/** The system's program loader starts the program that it is given. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

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
  ['fd', /^(?:-[^-]*[xX?*[].*|--exec(?:-batch)?(?:=.*)?)$/],
  ['fdfind', /^(?:-[^-]*[xX?*[].*|--exec(?:-batch)?(?:=.*)?)$/],
  ['rg', /^--(?:pre|hostname-bin)(?:=.*)?$/],
  ['split', /^--f.*$/],
  ['zip', /^(?:-T.*|--unzip-command.*)$/],
  ['rsync', /^(?:-[^-]*[eM].*|--(?:rs|remote).*)$/],
  ['scp', /^-[^-]*[oSFDJ]/],
  ['sftp', /^-[^-]*[oSFDJbs]/],
  // `CC=…` on the line is a program that the recipes start.
  ['make', /^(?:--ev.*|-E.*|[A-Za-z_]\w*[:+?!]{0,3}=.*)$/],
  ['gmake', /^(?:--ev.*|-E.*|[A-Za-z_]\w*[:+?!]{0,3}=.*)$/],
  ['cmake', /^-[EP]/],
  ['go', /^--?(?:exec|toolexec|vettool)(?:=.*)?$/],
  ['cargo', /^--config(?:=.*)?$/],
  ['tcpdump', /^-[^-]*[zw]/],
  ['tree', /^-[^-]*o/],
  ['apt-get', /^(?:-[^-]*[oc]|--(?:op|co)).*$/],
  ['apt', /^(?:-[^-]*[oc]|--(?:op|co)).*$/],
]);

/** The predicates of `find` that look and print. Not `-exec`, `-delete`, `-fprint`, `-fls`, `-files0-from`. */
const FIND_LOOKS: ReadonlySet<string> = new Set(
  [
    '-H -L -P -a -amin -and -anewer -atime -cmin -cnewer -ctime -d -daystart -depth -empty -executable -false -follow',
    '-fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -ls -maxdepth -mindepth -mmin',
    '-mount -mtime -name -newer -newerat -newerct -newermt -nogroup -noleaf -not -nouser -o -or -path -perm -print',
    '-print0 -printf -prune -quit -readable -regex -regextype -samefile -size -true -type -uid -used -user -wholename',
    '-writable -xdev -xtype --help --version',
  ].flatMap((line) => line.split(' ')),
);
/** `-7`, `-10k`, `-u+x`: values of `-mtime`, `-size`, `-perm`. */
const FIND_VALUE = /^-(?:\d.*|[ugoa]*[+=][rwxstX,ugoa+=]*)$/;

const SORT_OPTIONS = knownOptions(
  '-b -c -d -f -g -h -i -m -n -r -s -u -z -C -M -R -V -k= -t= -S= --batch-size --buffer-size --check --debug',
  '--dictionary-order --field-separator --general-numeric-sort --human-numeric-sort --ignore-case',
  '--ignore-leading-blanks --ignore-nonprinting --key --merge --month-sort --numeric-sort --parallel --random-sort',
  '--reverse --sort --stable --unique --version-sort --zero-terminated',
);

/** Not `-I`, `-F`, `-P`, `-T` (its file may hold options), `--to-command`, `--checkpoint-action`, `--use-compress-program`. */
const TAR_OPTIONS = knownOptions(
  '-a -c -d -h -j -k -l -m -o -p -r -s -t -u -v -w -x -z -A -J -O -S -Z -b= -f= -C= -X= --append --auto-compress --bzip2',
  '--catenate --concatenate --create --dereference --directory --exclude --exclude-from --exclude-vcs',
  '--exclude-vcs-ignores --extract --file --get --gzip --gunzip --keep-newer-files --keep-old-files --list --mtime',
  '--no-recursion --no-same-owner --no-same-permissions --numeric-owner --one-file-system --overwrite --owner --group',
  '--preserve-permissions --same-permissions --skip-old-files --sort --strip-components --to-stdout --totals --transform',
  '--update --verbose --verify --wildcards --xz --zstd',
);

/** Program names that can only be names: no glob, no `=`, no blank, no odd character. */
const PLAIN_PROGRAM = /^(?:\[|[\w./+@%:,-]+)$/;

const LONGEST_PART = 60;

/** Programs whose command line is judged as a whole: the part of it that is more than known, or undefined. */
const JUDGES: ReadonlyMap<string, (args: readonly string[], directory?: string) => string | undefined> = new Map([
  ['git', strangeInGit],
  ['sed', strangeInSed],
  ['gsed', strangeInSed],
  ['npm', strangeInNpm],
  ['pnpm', strangeInNpm],
  ['yarn', strangeInNpm],
  ['find', strangeInFind],
  ['gfind', strangeInFind],
  ['tar', strangeInTar],
  ['gtar', strangeInTar],
  ['bsdtar', strangeInTar],
  ['sort', (args): string | undefined => strangeOption(args, SORT_OPTIONS) ?? wildcardInOptionPlace(args)],
]);

function strangeInFind(args: readonly string[]): string | undefined {
  const start = args.findIndex((word) => /^(?:-[^HLPO-]|[!(])/.test(word));
  const folders = start === -1 ? args : args.slice(0, start);
  return (
    args.find((word) => word.startsWith('-') && word !== '-' && !FIND_LOOKS.has(word) && !FIND_VALUE.test(word)) ??
    wildcardInOptionPlace(folders)
  );
}

function strangeInTar(args: readonly string[]): string | undefined {
  // The first word may be letters without their dash, whose values are words of their own.
  const [first = '', ...rest] = args;
  const bare = first.startsWith('-') ? undefined : first;
  if (bare !== undefined && !/^[acdhjklmoprstuvwxzAJOSZbfCX]+$/.test(bare)) return bare;
  return strangeOption(bare === undefined ? args : rest, TAR_OPTIONS) ?? wildcardInOptionPlace(args);
}

/**
 * Why a command with these words cannot be judged by its words, or null. `argv` is after quoting. `directory`:
 * where it runs; without it no absolute path counts as lying in there.
 */
export function reasonOfProgram(argv: readonly string[], directory?: string): string | null {
  const [word = '', ...args] = argv;
  if (RESERVED_WORDS.has(word)) return `\`${word}\` used as a program`;
  if (!PLAIN_PROGRAM.test(word)) return 'a program name with unusual characters';
  const program = word.slice(word.lastIndexOf('/') + 1);
  // Windows and macOS file systems find `ENV` where `env` is meant.
  const folded = program.toLowerCase().replace(/\.exe$/, '');
  if (word === '.' || LAUNCHERS.has(folded) || LOADER.test(folded)) return `\`${program}\` can run other programs`;
  if (SHELL_CHANGERS.has(program)) {
    const only = CHANGES_ONLY_WITH.get(program);
    if (only === undefined || args.some((arg) => only.test(arg)))
      return `\`${program}\` can change what the shell does next`;
  }
  const interpreter = INTERPRETERS.find(({ name }) => name.test(program) || name.test(folded));
  if (interpreter !== undefined && !runsNamedFile(args, interpreter.plainFirst)) {
    return `\`${program}\` can run code from its arguments or its input`;
  }
  const judge = JUDGES.get(folded);
  const strange = judge?.(args, directory);
  if (strange !== undefined) {
    const part = `${program} ${strange}`.trim().split('=', 1)[0] ?? '';
    return `\`${part.slice(0, LONGEST_PART)}\` may run another program, write a file or change settings`;
  }
  const starting = STARTING_OPTIONS.get(folded);
  const option = args.find((arg) => starting?.test(arg) === true) ?? elsewhere(folded, args, directory);
  if (option === undefined) return null;
  return `\`${program} ${option.split('=', 1)[0] ?? ''}\` can run other programs or delete`;
}

/** `make -C folder`: the file that says what runs is another folder's. */
function elsewhere(program: string, args: readonly string[], directory: string | undefined): string | undefined {
  if (program !== 'make' && program !== 'gmake') return undefined;
  return args.find((arg, at) => {
    const given = /^(?:-[^-]*?[CfI]|--(?:d|f|mak|inc)[a-z-]*=?)(.*)$/.exec(arg)?.[1];
    const path = given === '' ? (args[at + 1] ?? '') : given;
    return path !== undefined && (path === '-' || !staysBelow(path, directory));
  });
}

function runsNamedFile(args: readonly string[], plainFirst: RegExp): boolean {
  const [first] = args;
  if (first === undefined || first === '') return false;
  return first.startsWith('-') ? plainFirst.test(first) : true;
}

/**
 * Programs that change nothing and start nothing, whatever their arguments are, each with the reason.
 * Left out on purpose: `date` and `hostname` (set), `printenv` (shows secrets), `test` and `printf`
 * (evaluate subscripts), `cat`, `ls` and all that open a path (a read effect is not stated for them yet), and
 * what some system lacks (`nproc`), where the project's own folders on PATH would be searched for it.
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
  ['basename', 'works on the text of its operands; opens no path'],
  ['dirname', 'works on the text of its operands; opens no path'],
  ['seq', 'prints numbers; the format is checked and runs nothing'],
]);

export function isReadOnlyProgram(argv: readonly string[]): boolean {
  const [program] = argv;
  // The bare name only: `./true` is whatever the folder holds. A wildcard lists folders, wherever they are.
  return program !== undefined && READ_ONLY_PROGRAMS.has(program) && !argv.some((word) => /[*?[]/.test(word));
}
