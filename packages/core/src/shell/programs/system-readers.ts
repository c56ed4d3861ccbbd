import { does, NOTHING_KNOWN } from '../program-facts.js';
import { testedFiles } from '../walk/builtins-that-test.js';
import { exactText } from '../words/shell-word.js';
import { named, type NamedJudge, type ProgramJudge, type ProgramRow } from './program-row.js';

/** Programs that tell of the machine. Not those that show the environment of programs, which may hold secrets. */
export const SYSTEM_READERS: readonly ProgramRow[] = [
  {
    names: 'date',
    reason: 'prints the time; without a `+` in front an operand sets it, and so do `-s` and BSD’s `-f`',
    options:
      '-I -R -u -d= -r=read -j --date= --iso-8601 --reference=read --rfc-2822 --rfc-3339= --rfc-email --universal --utc',
    operands: ['text'],
    operandsLike: /^\+/,
    isOrdinaryElse: true,
  },
  { names: 'arch', reason: 'prints the kind of machine; with operands macOS starts a program', options: '' },
  {
    names: 'hostname',
    reason: 'prints the name of the machine; an operand, `-F` and `-b` set it',
    options: '-f -s -I -d --fqdn --long --short --all-ip-addresses --domain',
    isOrdinaryElse: true,
  },
  {
    names: 'uptime free lscpu lsblk vmstat w users',
    reason: 'print what the system counts; nothing is set, no file that the line names is opened but counts as read',
    anyOption: true,
    operands: ['read'],
  },
  {
    names: 'who',
    reason: 'prints who is there; not `--lookup`, which asks for addresses, nor an operand, which is a file',
    options: '-a -b -d -H -l -m -q -r -s -T -u',
    isOrdinaryElse: true,
  },
  { names: 'cal ncal', reason: 'print a calendar', anyOption: true, operands: ['text'] },
  {
    names: 'pgrep',
    reason: 'prints numbers and command lines of processes; `-F` is not there, which reads a file',
    options:
      '-a -c -f -i -l -n -o -v -x --count --full --ignore-case --list-full --list-name --newest --oldest --exact',
    operands: ['text'],
    isOrdinaryElse: true,
  },
  {
    names: 'lsof',
    reason:
      'prints open files; an operand with `@` asks for the address of a host; not `-D`, which writes a file of its own, nor `-r`, which never ends',
    options: '-a -b -i -l -n -N -O -P -R -t -U -V -c=read -p=read -u=read',
    operands: ['read*'],
    operandsLike: /^[^@\0]*$/,
    isOrdinaryElse: true,
  },
  {
    names: 'ss',
    reason:
      'prints sockets; a host in a filter is asked for; not `-K`, which closes them, `-D`, which writes, nor `-F`, which reads',
    options:
      '-4 -6 -a -e -H -i -l -m -n -O -o -p -s -t -u -w -x --all --extended --ipv4 --ipv6 --listening --no-header --numeric --oneline --options --processes --summary --tcp --udp --unix',
    operands: ['text'],
    operandsLike: /^(?:state|listening|established|all|connected|\(?(?: ?(?:[sd]port|=|eq|or|and|:\d+|\(|\)))+)$/,
    isOrdinaryElse: true,
  },
  {
    names: 'netstat',
    reason: 'prints sockets and routes',
    options:
      '-4 -6 -a -e -i -l -n -o -p -r -s -t -u -v -w -x --all --listening --numeric --programs --route --tcp --udp',
    isOrdinaryElse: true,
  },
  {
    names: 'ifconfig',
    reason: 'prints interfaces; words behind the name of one set it',
    options: '-a -s',
    isOrdinaryElse: true,
  },
  {
    names: 'top',
    reason: 'prints processes once or more; only without a terminal, since its keys write a file and end processes',
    options: '-b -c -H -i -d= -n= -p= -w=',
    needs: '-b',
    isOrdinaryElse: true,
  },
  {
    names: 'getconf',
    reason:
      'prints limits of the system, or of the file system that a path lies on; `-v` is not there, which looks for another one',
    options: '-a',
    operands: ['text', 'read'],
  },
  {
    names: 'locale',
    reason: 'prints what the person’s language sets; a name is one of its settings',
    options: '-a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose',
    operands: ['text'],
  },
  {
    names: 'last',
    reason: 'prints who was there; not `-f`, which reads another file, nor `-d`, which asks for addresses',
    options:
      '-# -a -F -i -n= -p= -R -s= -t= -w -x --fulltimes --hostlast --ip --limit= --nohostname --since= --until= --system',
    operands: ['text'],
  },
  {
    names: 'dmesg',
    reason:
      'prints messages of the kernel; not `-c`, `-C`, which clear them, `-n`, `-D`, `-E`, which set, nor `-w`, which never ends',
    options:
      '-H -k -L -l= -f= -P -r -S -t -T -u -x --color --ctime --decode --facility= --human --kernel --level= --nopager --notime --raw --since= --until= --userspace',
    isOrdinaryElse: true,
  },
  {
    names: 'whereis',
    reason: 'prints where programs and their manuals lie; not `-B`, `-M`, `-S`',
    options: '-b -l -m -s -u',
    operands: ['text'],
  },
  { names: 'pidof', reason: 'prints numbers of processes', options: '-c -q -s -w -x -o= -S=', operands: ['text'] },
  {
    names: 'pstree',
    reason: 'prints processes as a tree',
    options:
      '-a -c -g -h -l -n -p -s -t -T -u -A -U --arguments --ascii --compact-not --show-pids --show-parents --thread-names --hide-threads --uid-changes --unicode',
    operands: ['text'],
  },
  { names: 'lsmod', reason: 'prints what the kernel has loaded', options: '' },
  {
    names: 'lspci lsusb',
    reason:
      'print devices; not `-i`, `-p`, `-F`, which read files, `-q`, `-Q`, which ask for names, nor `-D`, which opens a file',
    options: '-v -n -k -t -m -b -s= -d=',
  },
  {
    names: 'findmnt',
    reason: 'prints where file systems are; not `-F`, `-N`, which read files, nor `-p`, which never ends',
    options:
      '-a -A -b -c -D -e -f -i -J -k -l -m -n -o= -O= -P -r -R -S= -s -t= -T=read -u -U --all --ascii --bytes --df --first-only --json --list --noheadings --options= --output= --pairs --raw --real --source= --submounts --target=read --types= --uniq',
    operands: ['read'],
  },
  {
    names: 'mountpoint',
    reason: 'tells whether a folder is one',
    options: '-d -q -x --fs-devno --nofollow --quiet',
    operands: ['read'],
  },
  {
    names: 'fuser',
    reason: 'prints who uses a file; not `-k`, `-K`, which end them, nor `-i`, `-w`, which go with that',
    options: '-a -c -f -I -m -M -n= -s -u -v --all --ismountpoint --mount --namespace= --silent --user --verbose',
    operands: ['read'],
    isOrdinaryElse: true,
  },
  {
    names: 'dpkg-query',
    reason: 'prints what the package system knows; not `--admindir`, `--root`, which take another one',
    options: '-l -L -p -s -S -W -f= --list --listfiles --print-avail --search --show --showformat= --status',
    operands: ['read'],
  },
  {
    names: 'stty',
    reason: 'prints how the terminal is set; other words set it',
    options: '-a -g --all --save',
    isOrdinaryElse: true,
  },
];

/** What the words together must be like; else the program is an ordinary one. */
function judgeText(...isReading: readonly RegExp[]): ProgramJudge {
  return ({ words }) => {
    const texts = words.map(exactText);
    const text = texts.join(' ');
    return !texts.includes(undefined) && isReading.some((each) => each.test(text)) ? does() : NOTHING_KNOWN;
  };
}

/**
 * Two grammars in one program: where a word is an error in the one, all are read in the other, in which `e` prints the
 * environment of processes. So each is known only by itself.
 */
const PS =
  /^(?:(?:-[AadefFjlLHTNw]+|--forest|--no-headers?|--sort=[\w,%+-]+|-p \d+(?:,\d+)*|--ppid \d+)(?: |$))*$|^-?[auxfjlwrTHmh]+(?: \d+| --forest| --no-headers?| --sort=[\w,%+-]+)*$/;

const IP =
  /^(?:(?:-[46jcdsop0]|-br|-brief|-json|-color|-details|-stats) )*(?:a|addr|address|l|link|n|neigh|r|ro|route|ru|rule)(?: (?:show|list|ls|get)(?: [\w.:/]+| dev [\w.-]+)?)?$/;

/** Lists that hold no secrets; not hosts, which are asked for by name. */
const GETENT = /^(?:passwd|group|services|protocols|rpc|networks)(?: [\w.-]+)*$/;

/** What can be asked of a terminal; not what resets it. */
const TPUT = /^(?:cols|lines|colors|longname)$/;

/** Not `show`, `cat`, which print variables that may hold secrets, nor `-H`, `-M`, which start `ssh` or enter a machine. */
const SYSTEMCTL =
  /^(?:--(?:no-pager|user|system|full|all|quiet|plain|no-legend) )*(?:status|is-active|is-enabled|is-failed|is-system-running|list-units|list-unit-files|list-timers|list-sockets|list-jobs)(?: (?:--(?:no-pager|user|system|full|all|quiet|plain|no-legend|failed|type=\w+|state=\w+)|-[laq]|-n \d+|[\w@.:][\w@.:-]*))*$/;

/**
 * What the service has, without what containers say, hold or are given in variables, which may be secrets. The first word, so
 * that no other service is meant.
 */
const DOCKER =
  /^(?:ps|images|version|info|(?:container|image|network|volume|context) ls|system df|port [\w.-]+|history [\w./:@-]+|stats --no-stream)(?: (?:-[aqsl]+|--(?:all|quiet|size|latest|no-trunc|digests)|(?:-n|--last) \d+|(?:-f|--filter)[ =][\w.=:/-]+))*$/;

export const SYSTEM_JUDGES: readonly NamedJudge[] = [
  // These are the programs; the shell has its own versions.
  ...named('test [', ({ words }) => does({ paths: testedFiles(words) })),
  ...named('ps', judgeText(PS)),
  ...named('ip', judgeText(IP)),
  ...named('getent', judgeText(GETENT)),
  ...named('tput', judgeText(TPUT)),
  ...named('systemctl', judgeText(SYSTEMCTL)),
];

/** They also print their version (`version-queries.ts`). */
export const CONTAINER_JUDGES: readonly NamedJudge[] = named('docker podman', judgeText(DOCKER, /^(?:-v|--version)$/));
