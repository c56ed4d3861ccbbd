import type { ProgramRow } from './program-row.js';

/** Programs that read text and print it in another shape. */
export const TEXT_TOOLS: readonly ProgramRow[] = [
  {
    names: 'cut',
    reason: 'prints parts of lines; no option writes or names another file',
    options:
      '-b= -c= -d= -f= -n -s -w -z --bytes= --characters= --complement --delimiter= --fields= --only-delimited --output-delimiter= --zero-terminated',
    operands: ['read'],
  },
  {
    names: 'tr',
    reason: 'replaces characters of its input; it opens no path',
    options: '-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1',
    operands: ['text'],
  },
  {
    names: 'fold',
    reason: 'breaks long lines; no option writes or names another file',
    options: '-b -s -w= --bytes --spaces --width=',
    operands: ['read'],
  },
  {
    names: 'fmt',
    reason: 'fills lines; what BSD reads without a value counts as a path',
    options: '-c -g= -p=read -s -t -u -w= --goal= --split-only --uniform-spacing --width=',
    operands: ['read'],
  },
  {
    names: 'expand unexpand',
    reason: 'turn tabs into blanks and back; no option writes or names another file',
    options: '-a -i -t= --all --first-only --initial --tabs=',
    operands: ['read'],
  },
  {
    names: 'paste',
    reason: 'puts lines of files side by side; no option writes or names another file',
    options: '-d= -s -z --delimiters= --serial --zero-terminated',
    operands: ['read'],
  },
  {
    names: 'sort',
    reason:
      'prints lines in order, or writes them with `-o`; not `--compress-program`, which starts a program, `--files0-from`, nor `-T`, which puts files elsewhere',
    options:
      '-b -c -d -f -g -h -i -m -n -r -s -u -z -C -M -R -V -k= -o=write -S= -t= --batch-size= --buffer-size= --check --debug --dictionary-order --field-separator= --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key= --merge --month-sort --numeric-sort --output=write --parallel= --random-sort --random-source=read --reverse --sort= --stable --unique --version-sort --zero-terminated',
    operands: ['read'],
  },
  {
    names: 'uniq',
    reason: 'prints lines once, or writes them to its second operand',
    options:
      '-c -d -D -f= -i -s= -u -w= -z --all-repeated --check-chars= --count --group --ignore-case --repeated --skip-chars= --skip-fields= --unique --zero-terminated',
    operands: ['read', 'write'],
  },
  {
    names: 'yes',
    reason: 'prints its operands until nobody reads them; no path is opened',
    anyOption: true,
    operands: ['text'],
  },
  {
    names: 'comm join',
    reason: 'put lines of two files side by side; no option writes or names another file',
    options:
      '-i -z -a= -e= -j= -o= -t= -v= --check-order --header --ignore-case --nocheck-order --output-delimiter= --total --zero-terminated -1 -2 -3',
    operands: ['read'],
  },
  {
    names: 'shuf',
    reason: 'prints lines in any order, or writes them with `-o`',
    options:
      '-e -i= -n= -o=write -r -z --echo --head-count= --input-range= --output=write --random-source=read --repeat --zero-terminated',
    operands: ['read'],
  },
  {
    names: 'od',
    reason: 'prints bytes as numbers; no option writes or names another file',
    options:
      '-a -b -c -d -f -i -l -o -s -v -w -x -# -A= -j= -N= -t= --address-radix= --endian= --format= --output-duplicates --read-bytes= --skip-bytes= --width',
    operands: ['read'],
  },
  {
    names: 'hexdump hd',
    reason: 'print bytes as numbers; `-f` reads the format from a file',
    options:
      '-b -c -C -d -o -v -x -e= -f=read -n= -s= --canonical --format= --format-file=read --length= --no-squeezing --skip=',
    operands: ['read'],
  },
  {
    names: 'xxd',
    reason:
      'prints bytes as numbers, or writes them to its second operand; not `-r`, which turns numbers into bytes in place',
    options: '-a -b -C -e -E -i -p -u -c= -g= -l= -n= -o= -s= -ps -plain',
    operands: ['read', 'write'],
  },
  {
    names: 'strings',
    reason: 'prints the text within files; an operand with `@` names a file of options',
    options:
      '-a -f -w -o -n= -t= -e= -U= --all --bytes= --encoding= --include-all-whitespace --print-file-name --radix= --unicode= -#',
    operands: ['read'],
    operandsLike: /^[^@\0]/,
  },
  {
    names: 'column',
    reason: 'prints lines in columns; no option writes or names another file',
    options:
      '-t -x -d -e -J -L -c= -s= -o= -N= -H= -R= -T= -W= -E= -O= --fillrows --json --output-separator= --output-width= --separator= --table --table-columns= --table-hide= --table-noheadings --table-right= --table-truncate=',
    operands: ['read'],
  },
  {
    names: 'iconv',
    reason: 'prints text in another encoding, or writes it with `-o`; an encoding may be a file',
    options:
      '-f=read -t=read -c -l -o=write -s --from-code=read --list --output=write --silent --to-code=read --verbose',
    operands: ['read'],
  },
  {
    names: 'base64 base32',
    reason: 'print bytes as text or back; BSD’s `-i` reads, which its operand here does too, and its `-o` writes',
    options: '-d -D -i -w= -b= -o=write --decode --ignore-garbage --wrap= --input=read --output=write',
    operands: ['read'],
  },
  {
    names: 'factor',
    reason: 'prints the primes of numbers; it opens no path',
    options: '-h --exponents',
    operands: ['text'],
  },
  {
    names: 'numfmt',
    reason: 'prints numbers in another shape; it opens no path',
    options:
      '-d= -z --delimiter= --field= --format= --from= --from-unit= --grouping --header --invalid= --padding= --round= --suffix= --to= --to-unit= --zero-terminated',
    operands: ['text'],
  },
  { names: 'tsort', reason: 'prints pairs in order; no option names a file', options: '', operands: ['read'] },
  {
    names: 'pr',
    reason: 'breaks text into pages; no option writes or names another file',
    options:
      '-# -a -d -F -f -h= -J -l= -m -N= -o= -r -t -T -v -w= -W= --across --columns= --double-space --form-feed --header= --join-lines --length= --merge --first-line-number= --indent= --no-file-warnings --omit-header --omit-pagination --show-nonprinting --width= --page-width=',
    operands: ['read'],
  },
  {
    names: 'look',
    reason: 'prints lines that begin with a text, of a file or the system’s list of words',
    options: '-a -b -d -f -t= --alternative --alphanum --ignore-case --terminate=',
    operands: ['text', 'read'],
  },
  {
    names: 'diff3',
    reason: 'compares three files by `diff`; not `--diff-program`, which names another program',
    options:
      '-A -a -e -E -i -m -T -x -X -3 --easy-only --ed --initial-tab --merge --overlap-only --show-all --show-overlap --text',
    operands: ['read'],
  },
  {
    names: 'zgrep zegrep zfgrep',
    reason: 'print lines of files that were made smaller, by `gzip` and `grep`; not `-r`, which is not theirs',
    options: '-# -a -b -c -E -F -h -H -i -l -L -n -o -q -s -v -w -x -A= -B= -e= -m=',
    operands: ['text', 'read'],
    firstGivenBy: '-e',
  },
];
