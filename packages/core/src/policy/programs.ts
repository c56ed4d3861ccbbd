/**
 * Programs whose arguments are another program's command line. A deny or ask rule looks through
 * them; "always" is never offered for them, because the rule would say nothing about what runs.
 */
const WRAPPERS = [
  'env sudo doas su nohup nice ionice time timeout gtimeout stdbuf setsid watch xargs parallel command builtin',
  'exec eval source . busybox toybox chroot unshare nsenter strace ltrace flock script caffeinate chrt taskset',
  'find fd ssh mosh docker podman kubectl winpty cmd start trap coproc systemd-run tmux screen entr dbus-run-session',
];

/** Programs that run whatever text or file they are handed. */
const INTERPRETERS = [
  'sh bash zsh dash ksh mksh ash fish csh tcsh pwsh powershell osascript',
  'python python2 python3 pypy pypy3 ipython node nodejs deno bun tsx ts-node ruby irb perl php lua luajit r rscript',
  'julia tclsh wish expect awk gawk mawk nawk java jshell groovy scala elixir iex erl ghci guile racket sqlite3 psql mysql',
  'npx bunx pnpx uvx pipx uv dlx corepack ed ex vi vim nvim emacs gdb lldb',
];

/** Programs that destroy or give away more than one approval can mean. */
const DESTRUCTIVE = [
  'rm rmdir unlink shred dd mkfs fdisk parted wipefs truncate srm del erase format diskutil',
  'chmod chown chgrp chattr setfacl kill killall pkill shutdown reboot halt poweroff mount umount iptables nft',
  'curl wget nc ncat netcat socat telnet ftp scp sftp rsync crontab at launchctl systemctl',
];

const wrappers = names(WRAPPERS);
const interpreters = names(INTERPRETERS);
const destructive = names(DESTRUCTIVE);

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
  return wrappers.has(name) || isInterpreter(name);
}

/** True when a saved rule for the program would be a rule for anything. `python3.12` counts as `python3`. */
export function isUnfitForSavedRule(word: string): boolean {
  const name = programName(word);
  return carriesCommand(name) || destructive.has(name) || name.startsWith('mkfs.');
}

function isInterpreter(name: string): boolean {
  return interpreters.has(name) || interpreters.has(name.replace(/-?[\d.]+$/, ''));
}
