import { does, unclear, type PathUse, type ProgramFacts } from '../program-facts.js';
import { constantWord, exactText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords } from './option-words.js';
import { atLeast, named, short, type NamedJudge, type ProgramJudge } from './program-row.js';

/** Names of parts are not known, but begin alike: nothing that a program looks for ends so. */
const PLAIN_BEGINNING = /^(?:[^]*\/)?(?:[A-Za-z]\w*[-_]|xx?)$/;

/** The folder that parts come to lie in; undefined where they could get the name of any file. */
function folderOfParts(beginning: string | undefined): ShellWord | undefined {
  if (beginning === undefined || !PLAIN_BEGINNING.test(beginning)) return undefined;
  return constantWord(beginning.includes('/') ? beginning.slice(0, beginning.lastIndexOf('/') + 1) : '.');
}

function parts(name: string, source: ShellWord | undefined, beginning: string | undefined): ProgramFacts {
  const folder = folderOfParts(beginning);
  if (folder === undefined) return unclear(`\`${name}\` with parts that may be called like any file`);
  const read: PathUse[] = source === undefined || source.text === '-' ? [] : [{ kind: 'read', word: source }];
  return does({ paths: [...read, { kind: 'write', word: folder, tree: true }] });
}

/** Not `--filter`, which starts a program for each part, nor `--additional-suffix`. */
const SPLIT_OPTIONS = optionTable(
  '-b= -C= -d -e -l= -n= -t= -u -x --bytes= --elide-empty-files --hex-suffixes --line-bytes= --lines= --number= --numeric-suffixes --separator= --unbuffered --verbose',
);

/** `split`: puts the parts of a file into files that begin with its second operand, or with `x`. */
const split: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, SPLIT_OPTIONS);
  const [source, beginning, ...more] = read.operands;
  if (read.strange !== undefined || more.length > 0 || read.operands.some((word) => exactText(word) === undefined))
    return unclear(`\`${name} ${short(read.strange ?? '')}\``);
  return parts(name, source, beginning === undefined ? 'x' : exactText(beginning));
};

/** Not `-b`, which says how the parts are called. */
const CSPLIT_OPTIONS = optionTable(
  '-f= -k -n= -q -s -z --digits= --elide-empty-files --keep-files --prefix= --quiet --silent --suppress-matched',
);

/** `csplit`: the same at lines that are like a pattern; parts begin with `-f`, or with `xx`. */
const csplit: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, CSPLIT_OPTIONS);
  const [source] = read.operands;
  if (read.strange !== undefined || read.operands.some((word) => exactText(word) === undefined))
    return unclear(`\`${name} ${short(read.strange ?? '')}\``);
  const beginning = read.values.filter(({ option }) => /^(?:-f|--prefix)$/.test(option)).at(-1)?.word;
  return parts(name, source, beginning === undefined ? 'xx' : exactText(beginning));
};

const PLAIN_TEMPLATE = /^(?:[^]*\/)?[A-Za-z]\w*(?:[-_]X{3,}|\.X{6,})$/;
const MKTEMP_OPTIONS = optionTable('-d -q -t -p=folder --directory --quiet');

/** `mktemp`: makes a new file or folder, by a template below a folder, or where the system keeps such files. */
const mktemp: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, MKTEMP_OPTIONS);
  const [template, ...more] = read.operands;
  const text = template === undefined ? undefined : exactText(template);
  if (read.strange !== undefined || more.length > 0 || (template !== undefined && text === undefined))
    return unclear(`\`${name} ${short(read.strange ?? template?.source ?? '')}\``);
  // Not a name that other programs look for, by a lucky chance.
  if (text !== undefined && !PLAIN_TEMPLATE.test(text)) return unclear(`\`${name} ${short(text)}\``);
  const folder = read.values.find(({ role }) => role === 'folder')?.word;
  // The environment may name another folder; BSD takes what stands behind `-t` for the beginning of a name.
  if (folder === undefined && (text === undefined || read.options.includes('-t')))
    return atLeast({
      paths: [{ kind: 'write', word: constantWord(text ?? 'tmp.XXXXXXXXXX'), from: constantWord('/tmp') }],
    });
  const below = text?.includes('/') === true ? text.slice(0, text.lastIndexOf('/') + 1) : '.';
  const from = folder === undefined ? {} : { from: folder };
  return does({ paths: [{ kind: 'write', word: constantWord(below), tree: true, ...from }] });
};

/** Not `-e`, whose scripts are run by `ed`, `-D`, `-z`, `-Y`, `-B`, which name files by halves, nor `-g`, which takes files out of stores. */
const PATCH_OPTIONS = optionTable(
  '-b -c -E -f -F= -i=read -l -n -N -o=write -p= -r=write -R -s -t -u -v -d=folder --batch --context --directory=folder --dry-run --force --forward --fuzz= --ignore-whitespace --input=read --normal --output=write --quiet --reject-file=write --remove-empty-files --reverse --silent --strip= --unified --verbose --backup',
);

/** `patch`: which files it changes stands in what it reads. It may be a script for `ed` all the same. */
const patch: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, PATCH_OPTIONS);
  if (read.strange !== undefined) return unclear(`\`${name} ${short(read.strange)}\``);
  const folder = read.values.find(({ role }) => role === 'folder')?.word;
  const from = folder === undefined ? {} : { from: folder };
  const [file, input] = read.operands;
  const paths: PathUse[] = read.values.flatMap(({ role, word }) =>
    (role === 'read' || role === 'write') && word.text !== '-' ? [{ kind: role, word, ...from }] : [],
  );
  if (input !== undefined) paths.push({ kind: 'read', word: input, ...from });
  paths.push({ kind: 'write', word: file ?? constantWord('.'), ...from, ...(file === undefined && { tree: true }) });
  return atLeast({ paths });
};

/**
 * Not `-e`, `--rsh`, `--rsync-path`, which start programs, `--files-from`, `--filter`, `-F`, `-C`, which read more than is
 * told, `--remove-source-files`, `--backup-dir` and the like, `-b`, `-K`, nor a host.
 */
const RSYNC_OPTIONS = optionTable(
  '-a -c -D -g -h -H -i -l -L -m -n -o -p -P -q -r -S -t -u -v -W -x -z --archive --checksum --compress --copy-links --delete --delete-after --delete-before --delete-during --delete-excluded --dirs --dry-run --exclude= --exclude-from=read --existing --group --hard-links --human-readable --ignore-existing --include= --include-from=read --info= --itemize-changes --links --max-size= --min-size= --no-group --no-owner --no-perms --no-times --numeric-ids --one-file-system --owner --partial --perms --progress --prune-empty-dirs --quiet --recursive --size-only --stats --times --update --verbose --whole-file',
);
const DELETES = /^--delete/;

/** `rsync` between folders of this machine. With one operand it lists what lies there. */
const rsync: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, RSYNC_OPTIONS);
  const texts = read.operands.map(exactText);
  const strange = read.strange ?? read.operands.find(({ text }) => text === undefined || text.includes(':'))?.source;
  if (strange !== undefined || texts.length === 0) return unclear(`\`${name} ${short(strange ?? '')}\``);
  const has = (...names: readonly string[]): boolean => names.some((each) => read.options.includes(each));
  const target = read.operands.length > 1 ? read.operands.at(-1) : undefined;
  const sources = target === undefined ? read.operands : read.operands.slice(0, -1);
  if (target?.wildcardAt !== undefined) return unclear(`\`${name} ${short(target.source)}\``);
  const paths: PathUse[] = [
    ...read.values.flatMap(({ role, word }) => (role === 'read' ? [{ kind: 'read' as const, word }] : [])),
    ...sources.map((word): PathUse => ({ kind: 'read', word, tree: true })),
  ];
  if (target !== undefined && !has('-n', '--dry-run')) {
    paths.push({ kind: 'write', word: target, tree: true, mayBecomeLink: true });
    if (read.options.some((option) => DELETES.test(option))) paths.push({ kind: 'delete', word: target, tree: true });
  }
  return has('-L', '--copy-links') ? atLeast({ paths }) : does({ paths });
};

export const PART_MAKERS: readonly NamedJudge[] = [
  ...named('split gsplit', split),
  ...named('csplit gcsplit', csplit),
  ...named('mktemp', mktemp),
  ...named('patch gpatch', patch),
  ...named('rsync', rsync),
];
