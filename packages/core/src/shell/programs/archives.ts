import { does, unclear, type PathUse, type ProgramFacts } from '../program-facts.js';
import { constantWord, exactText, shownText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords, type ReadWords } from './option-words.js';
import { atLeast, named, short, type NamedJudge, type ProgramJudge } from './program-row.js';

/** Not `-I`, `-F`, `-P`, `-T` (its file may hold options), `--to-command`, `--checkpoint-action`, `--use-compress-program`, `--rsh-command`. */
const TAR_OPTIONS = optionTable(
  '-a -c -d -h -j -k -l -m -o -p -r -t -u -v -w -x -z -A -J -O -S -Z -b= -f=read -C=folder -X=read --append --auto-compress --bzip2 --catenate --concatenate --create --dereference --directory=folder --exclude= --exclude-from=read --exclude-vcs --exclude-vcs-ignores --extract --file=read --get --gzip --gunzip --keep-newer-files --keep-old-files --list --mtime= --no-recursion --no-same-owner --no-same-permissions --numeric-owner --one-file-system --overwrite --owner= --group= --preserve-permissions --same-permissions --skip-old-files --sort= --strip-components= --to-stdout --totals --transform= --update --verbose --verify --wildcards --xz --zstd',
);
const LISTS = ['-t', '--list', '-d'];
const MAKES = ['-c', '--create', '-r', '--append', '-u', '--update', '-A', '--catenate', '--concatenate'];
const EXTRACTS = ['-x', '--extract', '--get'];

/** `tar`: listing reads the archive, making one reads trees and writes it. What comes out of one is not known before. */
const tar: ProgramJudge = ({ name, words }) => {
  const given = withDash(words);
  const read = readWords(given, TAR_OPTIONS);
  const strange = read.strange ?? strangeInTar(read);
  if (strange !== undefined)
    return unclear(`\`${name} ${short(strange)}\` may run another program, write a file or change settings`);
  const folder = read.values.find(({ role }) => role === 'folder')?.word;
  const files = read.values.filter(({ option }) => option === '-f' || option === '--file').map(({ word }) => word);
  const archives = files.filter((word) => word.text !== '-');
  const others = read.values.filter(({ role }) => role === 'read').map(({ word }) => word);
  const at = { ...(folder !== undefined && { from: folder }), tree: true } as const;
  const paths = others.filter(({ text }) => text !== '-').map((word): PathUse => ({ kind: 'read', word }));
  const asks = (names: readonly string[]): boolean => names.some((each) => read.options.includes(each));
  if (files.length === 0) return unclear(`\`${name}\` without the name of an archive`);
  if (asks(EXTRACTS)) {
    paths.push({ kind: 'write', word: constantWord('.'), ...at, mayBecomeLink: true });
    return atLeast({ paths });
  }
  if (asks(MAKES)) {
    for (const word of archives) paths.push({ kind: 'write', word });
    for (const word of read.operands) paths.push({ kind: 'read', word, ...at });
    return read.options.includes('-h') || read.options.includes('--dereference') ? atLeast({ paths }) : does({ paths });
  }
  if (!asks(LISTS)) return unclear(`\`${name}\` that does nothing known`);
  if (read.options.includes('-d')) paths.push({ kind: 'read', word: constantWord('.'), ...at });
  return does({ paths });
};

/** The first word may be letters without their dash, whose values are words of their own. */
function withDash(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first, ...rest] = words;
  const letters = first === undefined ? undefined : exactText(first);
  if (letters === undefined || letters.startsWith('-') || letters === '') return words;
  const values: ShellWord[] = [];
  const flags = Array.from(letters).filter((letter) => !'fbCX'.includes(letter));
  let next = 0;
  for (const letter of letters) {
    if (!'fbCX'.includes(letter)) continue;
    const value = rest[next];
    next += 1;
    if (value === undefined) return words;
    values.push(constantWord(`-${letter}`), value);
  }
  return [constantWord(`-${flags.join('')}`), ...values, ...rest.slice(next)];
}

function strangeInTar({ values, operands }: ReadWords): string | undefined {
  // `host:file` is fetched by a program; more than one folder holds for what comes behind each.
  const folders = values.filter(({ role }) => role === 'folder');
  if (folders.length > 1) return '-C more than once';
  const remote = values.find(
    ({ role, word }) => role === 'read' && (word.text === undefined || word.text.includes(':')),
  );
  // BSD reads `@archive`.
  return remote?.word.source ?? operands.find(({ start }) => /^[@-]/.test(start))?.source;
}

const ZIP_OPTIONS = optionTable('-# -D -i -j -q -r -u -v -X -x -y');

/** `zip`: reads what it is given, and writes the archive. Links in folders are followed without `-y`. */
const zip: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, ZIP_OPTIONS);
  const [archive, ...files] = read.operands;
  const target = archive === undefined ? undefined : exactText(archive);
  if (read.strange !== undefined || target === undefined) return unclear(`\`${name} ${short(read.strange ?? '')}\``);
  const names = /\.\w+$/.test(target) ? [target] : [target, `${target}.zip`];
  const paths = names.map((path): PathUse => ({ kind: 'write', word: constantWord(path) }));
  paths.push(...files.map((word): PathUse => ({ kind: 'read', word, tree: true })));
  return read.options.includes('-r') && !read.options.includes('-y') ? atLeast({ paths }) : does({ paths });
};

const UNZIP_OPTIONS = optionTable('-a -C -d=folder -f -j -l -L -n -o -p -q -t -u -v -x -z');

/** `unzip`: `-l`, `-t`, `-p`, `-v`, `-z` read. What comes out of an archive is not known before. */
const unzip: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, UNZIP_OPTIONS);
  const [archive] = read.operands;
  const source = archive === undefined ? undefined : exactText(archive);
  if (read.strange !== undefined || source === undefined || /[*?[\\]/.test(source))
    return unclear(`\`${name} ${short(read.strange ?? archive?.source ?? '')}\``);
  const names = /\.zip$/i.test(source) ? [source] : [source, `${source}.zip`, `${source}.ZIP`];
  const paths = names.map((path): PathUse => ({ kind: 'read', word: constantWord(path) }));
  const isReading = read.options.length > 0 && read.options.every((each) => /^-[ltpvzqC]$/.test(each));
  if (isReading && read.options.some((each) => /^-[ltpvz]$/.test(each))) return does({ paths });
  const folder = read.values.find(({ role }) => role === 'folder')?.word ?? constantWord('.');
  return atLeast({ paths: [...paths, { kind: 'write', word: folder, tree: true, mayBecomeLink: true }] });
};

/** `zipinfo`: prints what an archive holds. */
const zipinfo: ProgramJudge = (call, surroundings): ProgramFacts => {
  const words = [constantWord('-l'), ...call.words];
  return call.words.every((word) => /^[^-*?[\\]+$/.test(shownText(word)))
    ? unzip({ ...call, words }, surroundings)
    : unclear(`\`${call.name}\` with options`);
};

export const ARCHIVERS: readonly NamedJudge[] = [
  ...named('tar gtar bsdtar', tar),
  ...named('zip', zip),
  ...named('unzip', unzip),
  ...named('zipinfo', zipinfo),
];
