import { does, unclear, type PathUse, type ProgramFacts, type StartedCommand } from '../program-facts.js';
import { constantWord, exactText, mayBeOption, openWord, type ShellWord } from '../words/shell-word.js';
import { atLeast, short, type NamedJudge, type ProgramJudge, type ProgramRow } from './program-row.js';

/** Programs that look for files, or in all files below a folder. */
export const FINDERS: readonly ProgramRow[] = [
  {
    names: 'rg',
    reason:
      'prints lines that match; `-L` follows links out of the tree; not `--pre`, `--hostname-bin`, `-z`, which start programs',
    options:
      '-L --follow -A= -B= -C= -E= -F -H -I -M= -N -P -S -T= -U -V -a -b -c -d= -e= -f=read -g= -h -i -j= -l -m= -n -o -p -q -r= -s -t= -u -v -w -x -0 -. --after-context= --before-context= --context= --color= --colors= --column --count --count-matches --crlf --debug --encoding= --engine= --field-context-separator= --field-match-separator= --file=read --files --files-with-matches --files-without-match --fixed-strings --glob= --glob-case-insensitive --heading --help --hidden --iglob= --ignore-case --ignore-file=read --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --pcre2 --path-separator= --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --text --threads= --trim --type= --type-list --type-not= --unrestricted --version --vimgrep --with-filename --word-regexp',
    operands: ['text', 'read*'],
    firstGivenBy: '-e -f --regexp --file --files --type-list',
    moreWith: '-L --follow',
    without: { role: 'read*', path: '.' },
  },
  {
    names: 'tree',
    reason:
      'prints names below folders; `-l` follows links out of the tree; not `-o`, which writes a file, nor `-R`, which may write files',
    options:
      '-l -a -d -f -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -x -n -C -A -S -J -X -L= -P= -I= --dirsfirst --filesfirst --noreport --charset= --filelimit= --prune --gitignore --du --si --sort= --timefmt= --matchdirs --ignore-case --inodes --device --metafirst --info',
    operands: ['read*'],
    moreWith: '-l',
    without: { role: 'read*', path: '.' },
  },
  {
    names: 'fd fdfind',
    reason:
      'prints names below folders; `-L` follows links out of the tree; not `-x`, `-X`, which start programs, nor `-l`, which starts `ls`',
    options:
      '-H -I -u -s -i -g -F -a -L -p -0 -d= -E= -t= -e= -S= -o= -c= -j= -1 -q -h -V --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and= --absolute-path --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --owner= --ignore-file=read --color= --threads= --max-results= --quiet --show-errors --search-path=read* --strip-cwd-prefix --one-file-system --help --version',
    operands: ['text', 'read*'],
    moreWith: '-L --follow',
    without: { role: 'read*', path: '.' },
  },
  {
    names: 'eza exa lsd',
    reason:
      'print names and what the system knows of them; `--git` is looked up in the program itself; values count as paths, since some of them have none',
    options:
      '-1 -a -d -D -F -g -h -H -i -l -L=read -r -R -s=read -S -T -u -U -x --all --classify --color= --colour= --git --git-ignore --group --group-directories-first --header --icons --ignore-glob= --inode --level= --links --list-dirs --long --no-filesize --no-permissions --no-time --no-user --oneline --only-dirs --recurse --reverse --sort= --time= --time-style= --tree',
    operands: ['read'],
    treeWith: '-T -R --tree --recurse',
    without: { role: 'read', path: '.' },
  },
  {
    names: 'bat batcat',
    reason:
      'prints files in colour; a pager starts only at a terminal, where the environment names none, or when it is told to',
    options:
      '-A -l= -n -p -P -r= -s -H= --color= --decorations= --highlight-line= --language= --line-range= --list-languages --list-themes --number --paging= --plain --show-all --style= --tabs= --theme= --wrap=',
    operands: ['read'],
    unlessWord: /^(?:cache|always|auto|--paging=(?!never$).*)$/,
  },
];

/** Predicates of `find` that take no value, those that take one, and those that start a command. */
const ALONE = words(
  '-a -and -d -daystart -depth -empty -executable -false -follow -ignore_readdir_race -ls -mount -nogroup -noleaf -not -nouser -o',
  '-or -print -print0 -prune -quit -readable -true -writable -xdev -H -L -P ! ( ) ,',
);
const WITH_VALUE = words(
  '-amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth',
  '-mindepth -mmin -mtime -name -newermt -path -perm -printf -regex -regextype -size -type -uid -used -user -wholename -xtype',
);
/** Values that are files to compare with. */
const WITH_FILE = words('-anewer -cnewer -newer -samefile');
const WITH_COMMAND = words('-exec -execdir -ok -okdir');

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** `find`: what it looks through, deletes, writes, and starts. Links are not followed. */
const find: ProgramJudge = ({ name, words: all }) => {
  const start = all.findIndex(({ start: text }) => /^(?:-[^HLP]|--|[!(])/.test(text));
  const front = start === -1 ? all : all.slice(0, start);
  const followsLinks = all.some(({ text }) => text === '-L' || text === '-follow');
  const folders = front.filter(({ text }) => text !== '-H' && text !== '-P' && text !== '-L');
  const expression = start === -1 ? [] : all.slice(start);
  const tops = folders.length > 0 ? folders : [constantWord('.')];
  // What begins with a wildcard may be a name that reads as `-delete`.
  const paths: PathUse[] = tops.map((word) => ({ kind: 'read', word, tree: true }));
  if (tops.some((top) => mayBeOption(top))) return inAnyFolder(name, tops, expression);
  const starts: StartedCommand[] = [];
  const refuse = (part: ShellWord | undefined): ProgramFacts =>
    unclear(`\`${name} ${short(part?.source ?? '')}\` may run another program or write a file`, { paths, starts });
  for (let at = 0; at < expression.length; at += 1) {
    const word = expression[at];
    const text = word === undefined ? undefined : exactText(word);
    if (text === undefined) return refuse(word);
    const value = expression[at + 1];
    if (text === '-delete') paths.push(...tops.map((top): PathUse => ({ kind: 'delete', word: top, tree: true })));
    else if (WITH_COMMAND.has(text)) {
      const end = expression.findIndex((each, index) => index > at && isEndOfCommand(each, expression[index - 1]));
      const command = expression.slice(at + 1, end);
      if (end === -1 || command.length === 0 || command.some((each) => exactText(each) === undefined))
        return refuse(word);
      starts.push(...tops.map((top) => startedFor(top, command, text.endsWith('dir'))));
      at = end;
    } else if (ALONE.has(text)) continue;
    else if (WITH_VALUE.has(text) || WITH_FILE.has(text)) {
      if (value === undefined || !isOneValue(value)) return refuse(word);
      if (WITH_FILE.has(text)) paths.push({ kind: 'read', word: value });
      at += 1;
    } else return refuse(word);
  }
  return followsLinks ? atLeast({ paths, starts }) : does({ paths, starts });
};

/** What it does all the same where a folder may be an option: a delete of what nobody knows is said too. */
function inAnyFolder(name: string, tops: readonly ShellWord[], expression: readonly ShellWord[]): ProgramFacts {
  const deletes = expression.some(({ text }) => text === '-delete');
  const at = expression.findIndex(({ text }) => text !== undefined && WITH_COMMAND.has(text));
  const end = expression.findIndex((each, index) => index > at && isEndOfCommand(each, expression[index - 1]));
  const command = at === -1 ? [] : expression.slice(at + 1, end === -1 ? undefined : end);
  return unclear(`\`${name}\` in folders that are not certain`, {
    paths: deletes ? tops.map((word): PathUse => ({ kind: 'delete', word, tree: true })) : [],
    starts: command.length === 0 ? [] : [startedFor(openWord(''), command, false)],
  });
}

/** Where a wildcard stands for several names, none of them may read as a predicate: no predicate has a point. */
function isOneValue({ splits, wildcardAt, text, start }: ShellWord): boolean {
  if (splits) return false;
  if (wildcardAt === undefined) return true;
  return (
    text !== undefined && !text.includes('/') && (/^[\w.]/.test(start) || /\.[A-Za-z]+$/.test(text)) && wildcardAt >= 0
  );
}

function isEndOfCommand({ text }: ShellWord, before: ShellWord | undefined): boolean {
  return text === ';' || (text === '+' && before?.text === '{}');
}

/** `{}` stands for any path below the folder, which begins with the folder as it was given. */
function startedFor(top: ShellWord, command: readonly ShellWord[], inItsFolder: boolean): StartedCommand {
  const given = command.map((word): ShellWord => {
    if (word.text?.includes('{}') !== true) return word;
    if (word.text !== '{}' || exactText(top) === undefined || inItsFolder) return openWord(word.source);
    return { ...top, source: '{}', isAnyBelow: true };
  });
  return { words: given, ...(inItsFolder && { folder: 'anywhere' as const }), input: 'none' };
}

export const FINDER_JUDGES: readonly NamedJudge[] = [
  ['find', find],
  ['gfind', find],
];
