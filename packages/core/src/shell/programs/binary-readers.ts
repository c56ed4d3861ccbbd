import { does, unclear, type PathUse } from '../program-facts.js';
import { exactText } from '../words/shell-word.js';
import { named, short, type NamedJudge, type ProgramJudge, type ProgramRow } from './program-row.js';

/** An operand with `@` names a file of options; not `--plugin`, `--target-help`, nor what follows links to files of debug information, which may be fetched. */
const NO_FILE_OF_OPTIONS = /^[^@\0]/;

/** Programs that print what lies in object files and libraries. */
export const BINARY_READERS: readonly ProgramRow[] = [
  {
    names: 'nm',
    reason: 'prints the names within object files; not `-l`, which looks for lines, nor `--plugin`, which loads code',
    options:
      '-a -A -B -C -D -g -n -o -p -P -r -S -s -u -v -f= -t= --debug-syms --defined-only --demangle --dynamic --extern-only --format= --no-demangle --no-sort --numeric-sort --portability --print-armap --print-file-name --print-size --radix= --reverse-sort --size-sort --undefined-only',
    operands: ['read'],
    operandsLike: NO_FILE_OF_OPTIONS,
  },
  {
    names: 'objdump',
    reason: 'prints parts of object files; not `-l`, `-S`, `-g`, `-W`, which look for other files, nor `--plugin`',
    options:
      '-a -C -d -D -f -h -j= -M= -p -r -R -s -t -T -w -x -z --all-headers --archive-headers --demangle --disassemble-all --disassembler-options= --dynamic-reloc --dynamic-syms --file-headers --full-contents --headers --private-headers --reloc --section= --section-headers --start-address= --stop-address= --syms --wide',
    operands: ['read'],
    operandsLike: NO_FILE_OF_OPTIONS,
  },
  {
    names: 'readelf',
    reason:
      'prints parts of object files; not `-w`, `-a`, which may follow links to other files, nor `-D` of old versions',
    options:
      '-A -d -e -g -h -I -l -n -p= -r -R= -s -S -t -u -V -W -x= -z --arch-specific --dynamic --file-header --headers --hex-dump= --histogram --notes --program-headers --relocs --section-details --section-headers --sections --segments --string-dump= --symbols --syms --version-info --wide',
    operands: ['read'],
    operandsLike: NO_FILE_OF_OPTIONS,
  },
  {
    names: 'size',
    reason: 'prints how large the parts of object files are',
    options: '-A -B -d -G -o -t -x --common --format= --radix= --totals',
    operands: ['read'],
    operandsLike: NO_FILE_OF_OPTIONS,
  },
  {
    names: 'c++filt',
    reason: 'prints names as they were written; no path is opened',
    options: '-_ -n -p -i -t -s= --format= --no-params --no-verbose --strip-underscore --no-strip-underscore --types',
    operands: ['text'],
    operandsLike: NO_FILE_OF_OPTIONS,
  },
];

/** `ar t lib.a`, `ar p lib.a`: lists and prints what a library holds; every other letter changes it or takes things out. */
const ar: ProgramJudge = ({ name, words }) => {
  const [letters, archive, ...members] = words.map(exactText);
  const isKnown = /^-?[tp]v?O?$/.test(letters ?? '') && archive !== undefined && /^[^@-]/.test(archive);
  const file = words[1];
  if (!isKnown || file === undefined || members.some((member) => member === undefined || /^[-@]/.test(member)))
    return unclear(`\`${name} ${short(words[0]?.source ?? '')}\``);
  return does({ paths: [{ kind: 'read', word: file } satisfies PathUse] });
};

export const BINARY_JUDGES: readonly NamedJudge[] = named('ar', ar);
