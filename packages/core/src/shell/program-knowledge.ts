import { strangeInGit } from './git-knowledge.js';
import { staysBelow } from './known-options.js';
import { packageStarted, strangeInNpm, strangeInNpx } from './npm-knowledge.js';
import { strangeInSqlite, strangeSubcommand } from './running-subcommands.js';

/**
 * What is known about programs, as data. Every row may only raise: a program that stands in no table
 * is an ordinary program that the policy asks about, never one that is known to be harmless.
 */

/** Words that the shell's grammar reads; quoted they are program names that nobody means. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
);

/** Programs whose work is to start what their arguments, their input or a file says. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  [
    'su runuser pkexec parallel chrt script entr gdb unshare nsenter chroot eval exec command builtin source trap',
    'systemd-run at batch crontab ssh expect run-parts start-stop-daemon bwrap firejail fakeroot proot',
    'rbash fish csh tcsh pwsh',
    'setarch linux32 linux64 i386 i486 i586 i686 x86_64 uname26 prlimit setpriv choom ssh-agent logsave sg newgrp',
    'numactl uclampset pipesz catchsegv chpst softlimit envdir setuidgid daemonize dbus-launch dbus-run-session rlwrap',
    'cgexec faketime eatmydata torsocks torify proxychains proxychains4 xvfb-run sem hyperfine perf rr',
    'tmux screen mosh tini dumb-init gosu su-exec capsh lxc-attach machinectl m4 dc ssh-keygen',
    'watchexec nodemon onchange nix-shell nc ncat netcat socat',
    'pnpx uvx pipx vi vim nvim view ex ed emacs nano less more man',
  ].flatMap((line) => line.split(' ')),
);

/** The system's program loader starts the program that it is given. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

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
  ['split', /^--f.*$/],
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
  ['apt-get', /^(?:-[^-]*[oc]|--(?:op|co)).*$/],
  ['apt', /^(?:-[^-]*[oc]|--(?:op|co)).*$/],
]);

/** Program names that can only be names: no glob, no `=`, no blank, no odd character. */
const PLAIN_PROGRAM = /^(?:\[|[\w./+@%:,-]+)$/;

const LONGEST_PART = 60;

/** The reason why a command cannot be judged by its words. */
export interface WordsDoubt {
  readonly reason: string;
  /** The number of words that a rule must spell out to mean what they do; absent: no rule with a wildcard does. */
  readonly spelledOut?: number;
}

/** Programs whose command line is judged as a whole: the part of it that is more than known, or undefined. */
const JUDGES: ReadonlyMap<string, (args: readonly string[], directory?: string) => string | undefined> = new Map([
  ['git', strangeInGit],
  ['npm', strangeInNpm],
  ['npx', strangeInRunner],
  ['bunx', strangeInRunner],
  ['pnpm', strangeInNpm],
  ['yarn', strangeInNpm],
  ['sqlite3', strangeInSqlite],
]);

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);

/** Judges the program that a runner starts by its name too. */
function strangeInRunner(args: readonly string[], directory?: string): string | undefined {
  return strangeInNpx(args) ?? (doubtOfProgram(args, directory) === null ? undefined : args[0]);
}

/**
 * Returns why a command cannot be judged by its words; null if it can. `argv` is after quoting. `directory`: the folder where it runs;
 * without it no absolute path counts as inside.
 */
export function doubtOfProgram(argv: readonly string[], directory?: string): WordsDoubt | null {
  const [word = '', ...args] = argv;
  if (RESERVED_WORDS.has(word)) return { reason: `\`${word}\` used as a program` };
  if (!PLAIN_PROGRAM.test(word)) return { reason: 'a program name with unusual characters' };
  const program = word.slice(word.lastIndexOf('/') + 1);
  // Windows and macOS file systems find `ENV` where `env` is meant.
  const folded = program.toLowerCase().replace(/\.exe$/, '');
  if (word === '.' || LAUNCHERS.has(folded) || LOADER.test(folded))
    return { reason: `\`${program}\` can run other programs` };
  const interpreter = INTERPRETERS.find(({ name }) => name.test(program) || name.test(folded));
  if (interpreter !== undefined && !runsNamedFile(args, interpreter.plainFirst)) {
    return { reason: `\`${program}\` can run code from its arguments or its input` };
  }
  const strange = JUDGES.get(folded)?.(args, directory);
  if (strange !== undefined) {
    const part = `${program} ${strange}`.trim().split('=', 1)[0] ?? '';
    const reason = `\`${part.slice(0, LONGEST_PART)}\` may run another program, write a file or change settings`;
    const startsAt = PACKAGE_MANAGERS.has(folded) ? packageStarted(args, strange) : undefined;
    return { reason, ...spelledOut(args, { startsAt }, directory) };
  }
  const running = strangeSubcommand(folded, args);
  if (running !== undefined) {
    const reason = `\`${[program, ...args].join(' ').slice(0, LONGEST_PART)}\` can ${running.can}`;
    return { reason, ...spelledOut(args, running, directory) };
  }
  const starting = STARTING_OPTIONS.get(folded);
  const option = args.find((arg) => starting?.test(arg) === true) ?? elsewhere(folded, args, directory);
  if (option === undefined) return null;
  return { reason: `\`${program} ${option.split('=', 1)[0] ?? ''}\` can run other programs or delete` };
}

/**
 * Counts the words that a rule must spell out, with the program itself. The program that it starts must be plain, and one that rules may
 * name.
 */
function spelledOut(
  args: readonly string[],
  strange: { readonly spelledOut?: number; readonly startsAt?: number | undefined },
  directory: string | undefined,
): { readonly spelledOut?: number } {
  const { startsAt, spelledOut: words = (startsAt ?? -1) + 1 } = strange;
  if (words === 0 || words > args.length) return {};
  if (startsAt === undefined) return { spelledOut: words + 1 };
  const started = args.slice(startsAt);
  const isPlain = /^[\w@]/.test(started[0] ?? '') && doubtOfProgram(started, directory) === null;
  return isPlain ? { spelledOut: words + 1 } : {};
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
