import { does, unclear, type PathUse, type ProgramFacts } from '../program-facts.js';
import { constantWord, exactText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords, type ReadWords } from './option-words.js';
import { atLeast, named, short, type NamedJudge, type ProgramJudge, type ProgramRow } from './program-row.js';

/** Programs that change just the paths that they are given. */
export const CHANGERS: readonly ProgramRow[] = [
  {
    names: 'mkdir',
    reason: 'makes folders, with `-p` those above them too',
    options: '-p -v -m= --parents --verbose --mode=',
    operands: ['write'],
  },
  {
    names: 'touch',
    reason: 'makes files, and sets their times',
    options: '-a -c -m -h -d= -t= -r=read --date= --no-create --no-dereference --reference=read --time=',
    operands: ['write'],
  },
  {
    names: 'rmdir',
    reason: 'removes folders that hold nothing; not `-p`, which removes those above too',
    options: '-v --verbose --ignore-fail-on-non-empty',
    operands: ['delete'],
  },
  {
    names: 'rm',
    reason: 'removes what it is given; with `-r` all below, which is always said',
    options:
      '-f -i -I -r -R -d -v --force --recursive --dir --verbose --one-file-system --preserve-root --interactive=',
    operands: ['delete*'],
  },
  {
    names: 'shred',
    reason: 'overwrites files until nothing of them can be found; `-u` removes them too, which is always said',
    options:
      '-f -n= -s= -u -v -x -z --exact --force --iterations= --random-source=read --remove --size= --verbose --zero',
    operands: ['delete'],
  },
  { names: 'unlink', reason: 'removes one file', options: '', operands: ['delete'] },
  {
    names: 'tee',
    reason: 'writes its input to files and prints it',
    options: '-a -i -p --append --ignore-interrupts --output-error',
    operands: ['write'],
  },
  {
    names: 'truncate',
    reason: 'sets the length of files',
    options: '-c -o -r=read -s= --io-blocks --no-create --reference=read --size=',
    operands: ['write'],
  },
];

/** A program that puts what it is given into a place: `cp a b`, `cp a b folder`, `cp -t folder a b`. */
interface Copier {
  readonly name: string;
  readonly reason: string;
  readonly options: string;
  /** What happens to what it is given. */
  readonly takes: PathUse['kind'] | 'link';
  /** With one of these, whole trees: what lies in the target may be links that are written through. */
  readonly treeWith: readonly string[];
}

export const COPIERS: readonly Copier[] = [
  {
    name: 'cp',
    reason:
      'copies; not `-l`, `-s`, which make other names for a file, `-b`, which keeps the old one, nor `--parents`, which makes folders',
    options:
      '-a -d -f -H -i -L -n -P -p -R -r -T -t=write -u -v -x --archive --force --no-clobber --no-dereference --no-target-directory --one-file-system --preserve --recursive --reflink --sparse= --target-directory=write --update --verbose',
    takes: 'read',
    treeWith: ['-a', '-R', '-r', '--archive', '--recursive'],
  },
  {
    name: 'mv',
    reason: 'moves; not `-b`, which keeps what was there',
    options:
      '-f -i -n -T -t=write -u -v --force --no-clobber --no-target-directory --target-directory=write --update --verbose',
    takes: 'delete',
    treeWith: [],
  },
  {
    name: 'ln',
    reason:
      'gives another name to a file or a folder, through which it can be read and written from then on; not `-b`, `-r`',
    options:
      '-f -i -n -s -T -t=write -v --force --no-dereference --no-target-directory --symbolic --target-directory=write --verbose',
    takes: 'link',
    treeWith: [],
  },
  {
    name: 'install',
    reason: 'copies files, or makes folders with `-d`; not `-s`, which starts `strip`, `-b`, `-o`, `-g`',
    options:
      '-c -C -d -m= -p -T -t=write -v --compare --directory --mode= --no-target-directory --preserve-timestamps --target-directory=write --verbose',
    takes: 'read',
    treeWith: [],
  },
];

function judgeCopier({ name, options, takes, treeWith }: Copier): ProgramJudge {
  const table = optionTable(options);
  return ({ words }) => {
    const read = readWords(words, table);
    const unknown = (reason: string): ProgramFacts =>
      unclear(reason, { paths: changesAtLeast(readWords(words, table, { isLoose: true }), takes) });
    if (read.strange !== undefined) return unknown(`\`${name} ${short(read.strange)}\``);
    const has = (...names: readonly string[]): boolean => names.some((each) => read.options.includes(each));
    if (name === 'install' && has('-d', '--directory'))
      return does({ paths: read.operands.map((word): PathUse => ({ kind: 'write', word })) });
    const target = targetOf(read);
    if (target === undefined) return unknown(`\`${name}\` without a certain target`);
    const isTree = has(...treeWith);
    // A name that a wildcard stands for may be that of a link in the target, through which `cp` writes.
    const isOpen = takes !== 'delete' && target.sources.some(({ wildcardAt }) => wildcardAt !== undefined);
    const below = isTree || isOpen || takes === 'delete' ? { tree: true } : {};
    const each = target.sources.map((word) => placesOf(word, target.word));
    const places = each.flat();
    // What is certainly a folder is not written itself.
    const isInto = takes === 'read' && !isTree && isFolder(target.word) && each.every((found) => found.length > 0);
    // What is moved may be a link, and what is linked is one.
    const mayBecomeLink =
      takes === 'read' && !isTree && !has('-P', '-d', '--no-dereference') ? {} : { mayBecomeLink: true as const };
    const paths = [...(isInto ? [] : [target.word]), ...places].map((word): PathUse => ({
      kind: 'write',
      word,
      ...below,
      ...mayBecomeLink,
    }));
    for (const word of target.sources) {
      if (takes === 'link') paths.push(...linked(word, target.word, has('-s', '--symbolic')));
      else if (takes === 'read') paths.push({ kind: 'read', word, ...(isTree && { tree: true }) });
      // What is moved can be read under its new name.
      else for (const kind of ['read', takes] as const) paths.push({ kind, word, tree: true });
    }
    return isTree || isOpen ? atLeast({ paths }) : does({ paths });
  };
}

/** What is changed all the same, where a word is not certain. */
function changesAtLeast({ values, operands }: ReadWords, takes: Copier['takes']): PathUse[] {
  const target = values.find(({ role }) => role === 'write')?.word;
  const last = operands.at(-1);
  const targets = [target ?? last].filter((word) => word !== undefined && word.wildcardAt === undefined);
  const taken = takes === 'delete' ? operands.filter((word) => !targets.includes(word)) : [];
  return [...changed('write', targets), ...changed('delete', taken)];
}

/** Those that are known as far as wildcards let them. */
function changed(kind: 'write' | 'delete', words: readonly (ShellWord | undefined)[]): PathUse[] {
  return words.flatMap((word) =>
    word?.text === undefined || word.text === '' ? [] : [{ kind, word, tree: true } satisfies PathUse],
  );
}

/** The text says that it is a folder, or nothing that can be written. */
function isFolder(word: ShellWord): boolean {
  return /(?:^|\/)\.{0,2}$/.test(exactText(word) ?? 'x');
}

interface Target {
  readonly word: ShellWord;
  readonly sources: readonly ShellWord[];
}

function targetOf({ values, operands }: ReadWords): Target | undefined {
  const given = values.find(({ role }) => role === 'write')?.word;
  if (given !== undefined) return operands.length > 0 ? { word: given, sources: operands } : undefined;
  const word = operands.at(-1);
  if (word === undefined || word.wildcardAt !== undefined) return undefined;
  // `ln ../a`: the name is put into the folder.
  return operands.length > 1 ? { word, sources: operands.slice(0, -1) } : { word: constantWord('.'), sources: [word] };
}

/** Where a source comes to lie when the target is a folder. */
function placesOf(source: ShellWord, target: ShellWord): ShellWord[] {
  const [from, to] = [exactText(source), exactText(target)];
  const name = from?.replace(/\/+$/, '').split('/').at(-1);
  if (to === undefined || name === undefined || name === '' || name === '.' || name === '..') return [];
  return [constantWord(`${to.replace(/\/+$/, '')}/${name}`)];
}

/** What a link leads to, seen from the folder that it may lie in. */
function linked(source: ShellWord, target: ShellWord, isSymbolic: boolean): PathUse[] {
  const to = exactText(target);
  const folder = to?.includes('/') === true ? `${to.slice(0, to.lastIndexOf('/'))}/.` : '.';
  const froms = isSymbolic ? [constantWord(folder), target] : [undefined];
  return froms.flatMap((from) =>
    (['read', 'write'] as const).map((kind): PathUse => ({
      kind,
      word: source,
      tree: true,
      ...(from !== undefined && { from }),
    })),
  );
}

/** Not the bits that make a program run as somebody else. */
const PLAIN_MODE = /^(?:0?[0-7]{3}|[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*)$/;
const LIKE_MODE = /^(?:[0-7]{3,5}$|[ugoa]*[-+=])/;
const MODE_OPTIONS = optionTable('-c -f -v -R -h --changes --quiet --recursive --silent --verbose');

/** `chmod`: what may be done with a file counts as a part of it. */
const chmod: ProgramJudge = ({ name, words }) => {
  // `-x` and its kin are modes that look like options.
  const at = words.findIndex(({ text }) => text !== undefined && /^-[rwxX]+$/.test(text));
  const others = at === -1 ? words : words.filter((_, index) => index !== at);
  const read = readWords(others, MODE_OPTIONS);
  const [first, ...rest] = read.operands;
  const mode = at === -1 ? first : words[at];
  const files = at === -1 ? rest : read.operands;
  if (read.strange !== undefined || mode === undefined || !PLAIN_MODE.test(exactText(mode) ?? '')) {
    const { operands } = readWords(others, MODE_OPTIONS, { isLoose: true });
    const paths = changed(
      'write',
      operands.filter(({ start }) => !LIKE_MODE.test(start)),
    );
    return unclear(`\`${name} ${short(read.strange ?? mode?.source ?? '')}\``, { paths });
  }
  const tree = read.options.includes('-R') || read.options.includes('--recursive');
  return does({ paths: files.map((word): PathUse => ({ kind: 'write', word, ...(tree && { tree }) })) });
};

const OWNER_OPTIONS = optionTable(
  '-c -f -v -R -h -H -P --changes --quiet --recursive --silent --verbose --no-dereference --preserve-root --from= --reference=read',
);

/** `chown`, `chgrp`: whom a file belongs to counts as a part of it. `-L` is not known, which follows links out of a tree. */
const chown: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, OWNER_OPTIONS);
  if (read.strange === undefined) {
    const models = read.values.filter(({ role }) => role === 'read');
    const reads = models.map(({ word }): PathUse => ({ kind: 'read', word }));
    // Who it belongs to may let a program run as somebody else.
    return atLeast({ paths: [...reads, ...ownedBy(read)] });
  }
  const paths = ownedBy(readWords(words, OWNER_OPTIONS, { isLoose: true }));
  return unclear(`\`${name} ${short(read.strange)}\``, { paths: paths.filter(({ word }) => word.text !== undefined) });
};

function ownedBy({ operands, options }: ReadWords): PathUse[] {
  const tree = options.includes('-R') || options.includes('--recursive');
  const files = operands.slice(options.includes('--reference') ? 0 : 1);
  return files.map((word): PathUse => ({ kind: 'write', word, ...(tree && { tree }) }));
}

const DD_WORD = /^(?:(?:bs|cbs|count|ibs|obs|seek|skip)=[\w*]+|(?:conv|iflag|oflag|status)=[a-z,_]+)$/;

/** `dd`: reads `if=`, writes `of=`; no other word names a file. */
const dd: ProgramJudge = ({ name, words }): ProgramFacts => {
  const paths: PathUse[] = [];
  for (const word of words) {
    const text = exactText(word) ?? '';
    const [, key, path] = /^(if|of)=(.+)$/s.exec(text) ?? [];
    if (path !== undefined) paths.push({ kind: key === 'if' ? 'read' : 'write', word: constantWord(path) });
    else if (!DD_WORD.test(text)) return unclear(`\`${name} ${short(word.source)}\``);
  }
  return does({ paths });
};

export const COPIER_JUDGES: readonly NamedJudge[] = [
  ...COPIERS.flatMap((copier) => named(copier.name, judgeCopier(copier))),
  ['chmod', chmod],
  ...named('chown chgrp', chown),
  ['dd', dd],
];
