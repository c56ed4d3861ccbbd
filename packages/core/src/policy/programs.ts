/**
 * Programs whose arguments are another program's command line. A deny or ask rule looks through
 * them; "always" is never offered for them, because the rule would say nothing about what runs.
 */
const WRAPPERS = [
  'env sudo doas su nohup nice ionice time timeout gtimeout stdbuf setsid watch xargs parallel command builtin',
  'exec eval source . busybox toybox chroot unshare nsenter strace ltrace flock script caffeinate chrt taskset',
  'setarch linux32 linux64 i386 i486 i586 i686 x86_64 uname26 prlimit setpriv choom ssh-agent logsave sg newgrp numactl',
  'uclampset pipesz catchsegv chpst softlimit envdir setuidgid daemonize dbus-launch rlwrap cgexec faketime eatmydata',
  'torsocks torify proxychains proxychains4 xvfb-run sem hyperfine perf rr valgrind gdb tini dumb-init gosu su-exec capsh',
  'runuser pkexec unbuffer run-parts start-stop-daemon bwrap firejail fakeroot proot at batch crontab lxc-attach machinectl',
  'find fd fdfind ssh mosh docker podman kubectl winpty cmd start trap coproc systemd-run tmux screen entr dbus-run-session',
];

/** Programs that run whatever text or file they are handed. */
const INTERPRETERS = [
  'sh bash zsh dash ksh mksh ash fish csh tcsh pwsh powershell osascript',
  'python python2 python3 pypy pypy3 ipython node nodejs deno bun tsx ts-node ruby irb perl php lua luajit r rscript',
  'julia tclsh wish expect awk gawk mawk nawk java jshell groovy scala elixir iex erl ghci guile racket sqlite3 psql mysql',
  'npx bunx pnpx uvx pipx uv dlx corepack ed ex vi vim nvim emacs gdb lldb',
];

/** The system's program loader, which starts the program that it is given. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

const CONTAINER_LISTS =
  'rm rmi ps images logs pull push tag stop restart kill pause unpause inspect stats top port rename wait';
const CONTAINER_STARTS =
  'run exec create start build buildx builder compose stack service swarm plugin container image cp init';

/**
 * Programs that only read, print, copy or compare what their arguments say, and never start it: another program's
 * name among their words is text or a file.
 */
const STARTS_NOTHING = [
  'echo printf true false test [ which type whereis whatis pwd basename dirname seq date id whoami uname sleep',
  'cat tac head tail wc cut tr uniq paste nl fold fmt column rev grep egrep fgrep zgrep ls dir stat file du df',
  'cmp comm diff cksum md5sum sha1sum sha256sum sha512sum realpath readlink touch mkdir cp mv ln cd jq',
];
/** The same of some subcommands, when nothing stands between them and the program: names of packages, containers, branches. */
const SUBCOMMANDS_START_NOTHING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', names(['add branch checkout commit log restore show stash status switch tag diff'])],
  [
    'npm',
    names([
      'rm r remove un uninstall unlink i in install add ls list ll la view show info outdated search prune dedupe',
    ]),
  ],
  ['yarn', names(['remove add install list info why outdated'])],
  ['pnpm', names(['rm remove un uninstall add i install ls list why outdated'])],
  ['docker', names([CONTAINER_LISTS])],
  ['podman', names([CONTAINER_LISTS])],
  [
    'kubectl',
    names(['get describe logs delete rollout scale label annotate cluster-info api-resources top explain version']),
  ],
]);

/** Of programs that can start others: the subcommands without which they do not. */
const STARTS_ONLY_WITH: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['docker', names([CONTAINER_STARTS])],
  ['podman', names([CONTAINER_STARTS])],
  ['kubectl', names(['exec run debug attach cp edit plugin krew apply create replace patch set'])],
]);

/** Programs that destroy or give away more than one approval can mean. */
const DESTRUCTIVE = [
  'rm rmdir unlink shred dd mkfs fdisk parted wipefs truncate srm del erase format diskutil',
  'chmod chown chgrp chattr setfacl kill killall pkill shutdown reboot halt poweroff mount umount iptables nft',
  'curl wget nc ncat netcat socat telnet ftp scp sftp rsync crontab at launchctl systemctl',
];

/** Programs whose first word changes completely what they do. */
const WITH_SUBCOMMANDS = [
  'git npm yarn pnpm cargo go dotnet mvn gradle swift vitest gh',
  'pip pip3 brew apt apt-get dnf yum pacman helm terraform aws gcloud az make cmake gem bundle composer svn hg jj',
];

const wrappers = names(WRAPPERS);
const withSubcommands = names(WITH_SUBCOMMANDS);
const interpreters = names(INTERPRETERS);
const destructive = names(DESTRUCTIVE);
const startsNothing = names(STARTS_NOTHING);

function names(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** The program's name without folder and Windows ending, in lower case. */
export function programName(word: string): string {
  const base = word.split(/[\\/]/).at(-1) ?? word;
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '');
}

/** True when another command may hide in the arguments. */
export function carriesCommand(word: string): boolean {
  const name = programName(word);
  return wrappers.has(name) || LOADER.test(name) || isInterpreter(name);
}

/** `carriesCommand` of a whole command: some programs start others with some subcommands only, wherever those stand. */
export function mayCarryCommand([program = '', ...words]: readonly string[]): boolean {
  const starting = STARTS_ONLY_WITH.get(programName(program));
  if (starting === undefined) return carriesCommand(program);
  // A subcommand that no table knows may be anything.
  const [first = ''] = words;
  return SUBCOMMANDS_START_NOTHING.get(program)?.has(first) !== true || words.some((word) => starting.has(word));
}

/** True when a program's name among the arguments is known to be nothing but a text or a file. */
export function startsNoArgument([word = '', first = '']: readonly string[]): boolean {
  // By the bare name only: `./cat` is whatever the folder holds.
  return startsNothing.has(word) || SUBCOMMANDS_START_NOTHING.get(word)?.has(first) === true;
}

/** True when a saved rule for the program would be a rule for anything. `python3.12` counts as `python3`. */
export function isUnfitForSavedRule(word: string): boolean {
  const name = programName(word);
  return carriesCommand(name) || destructive.has(name) || name.startsWith('mkfs.');
}

export function hasSubcommands(program: string): boolean {
  return withSubcommands.has(program);
}

function isInterpreter(name: string): boolean {
  return interpreters.has(name) || interpreters.has(name.replace(/-?[\d.]+$/, ''));
}
