import { does, unclear, type PathUse } from '../program-facts.js';
import { constantWord, exactText } from '../words/shell-word.js';
import { optionTable, readWords, type OptionTable } from './option-words.js';
import { atLeast, named, short, type NamedJudge, type ProgramJudge } from './program-row.js';

/** A program that puts a smaller file beside each operand and removes the operand, or the other way round. */
interface Compressor {
  readonly names: string;
  readonly reason: string;
  readonly options: string;
  /** What it puts behind names. */
  readonly endings: readonly string[];
  /** It prints what it unpacks, whatever its options are. */
  readonly prints?: boolean;
  /** It leaves the operand unless it is told otherwise. */
  readonly keeps?: boolean;
}

/** What it tries behind a name that does not exist. */
const GZIP_ENDINGS = ['.gz', '.z', '-z', '-gz', '_z', '.Z'];
const GZIP =
  '-# -c -d -f -k -l -n -q -r -t -v --best --decompress --fast --force --keep --list --no-name --quiet --recursive --rsyncable --stdout --to-stdout --test --uncompress --verbose';
const XZ =
  '-# -c -d -e -f -k -l -q -t -v -z -T= --compress --decompress --extreme --force --keep --list --quiet --stdout --test --threads= --to-stdout --uncompress --verbose';
const BZIP2 =
  '-# -c -d -f -k -q -s -t -v -z --compress --decompress --force --keep --quiet --small --stdout --test --verbose';

export const COMPRESSOR_TABLE: readonly Compressor[] = [
  {
    names: 'gzip gunzip',
    reason: 'not `-N`, which takes the name from the file, nor `-S`',
    options: GZIP,
    endings: GZIP_ENDINGS,
  },
  { names: 'xz unxz', reason: 'not `-S`, nor `--files`, which names files in a file', options: XZ, endings: ['.xz'] },
  { names: 'bzip2 bunzip2', reason: 'it knows no option that names a file', options: BZIP2, endings: ['.bz2'] },
  {
    names: 'zstd unzstd',
    reason: 'keeps the operand without `--rm`; not `--filelist`, `--train`, `--output-dir-flat`',
    options:
      '-# -c -d -f -k -l -q -r -t -v -T -o=write --compress --decompress --fast --force --keep --list --quiet --rm --stdout --test --ultra --verbose',
    endings: ['.zst'],
    keeps: true,
  },
  { names: 'zcat gzcat', reason: 'prints what was made smaller', options: '-f', endings: GZIP_ENDINGS, prints: true },
  { names: 'bzcat', reason: 'prints what was made smaller', options: '-s', endings: ['.bz2'], prints: true },
  { names: 'xzcat', reason: 'prints what was made smaller', options: '', endings: ['.xz'], prints: true },
  { names: 'zstdcat', reason: 'prints what was made smaller', options: '', endings: ['.zst'], prints: true },
];

const PACKS = '-z --compress';
const MODES = [PACKS, '-d --decompress --uncompress', '-l --list', '-t --test'];
const UNPACKS = ['--decompress', '--uncompress', '--list', '--test'];
/** What it takes off names; a name without any may stand for one with it. */
const ENDING = /[.\-_](?:gz|z|tgz|taz|xz|txz|lzma|tlz|bz2?|tbz2?|zst|tzst)$/i;
const PRINTS = ['-c', '-l', '-t', '--stdout', '--to-stdout', '--list', '--test'];

function judgeCompressor(row: Compressor): ProgramJudge {
  const table: OptionTable = optionTable(row.options);
  return ({ name, words }) => {
    const read = readWords(words, table);
    const texts = read.operands.map(exactText);
    if (read.strange !== undefined || texts.includes(undefined))
      return unclear(`\`${name} ${short(read.strange ?? 'with words that are not certain')}\``);
    const has = (...names: readonly string[]): boolean => names.some((each) => read.options.includes(each));
    // Where two of them stand, the last one holds, or the first.
    const modes = new Set(MODES.filter((each) => read.options.some((option) => each.split(' ').includes(option))));
    if (modes.size > 1 || (/un|cat/.test(name) && modes.has(PACKS)))
      return unclear(`\`${name}\` with more than one thing to do`);
    const isPrinting = row.prints === true || has(...PRINTS);
    const stays = has('-k', '--keep') || (row.keeps === true && !has('--rm'));
    const target = read.values.filter(({ role }) => role === 'write');
    const paths = target.map(({ word }): PathUse => ({ kind: 'write', word }));
    const isUnpacking = row.prints === true || /un/.test(name) || has('-d', '-l', '-t', ...UNPACKS);
    for (const path of texts) {
      if (path === undefined || path === '-') continue;
      const sources =
        isUnpacking && !ENDING.test(path) ? [path, ...row.endings.map((ending) => path + ending)] : [path];
      paths.push(...uses('read', sources));
      if (isPrinting) continue;
      paths.push(...uses('write', isUnpacking ? namesWithoutEnding(path) : [path + (row.endings[0] ?? '')]));
      if (!stays) paths.push(...uses('delete', sources));
    }
    return has('-r', '--recursive') ? atLeast({ paths }) : does({ paths });
  };
}

function uses(kind: PathUse['kind'], paths: readonly string[]): PathUse[] {
  return [...new Set(paths)].map((path) => ({ kind, word: constantWord(path) }));
}

function namesWithoutEnding(path: string): string[] {
  const bare = path.replace(ENDING, '');
  return bare === path ? [path, `${path}.out`] : [bare, `${bare}.tar`, `${path}.out`];
}

export const COMPRESSORS: readonly NamedJudge[] = COMPRESSOR_TABLE.flatMap((row) =>
  named(row.names, judgeCompressor(row)),
);
