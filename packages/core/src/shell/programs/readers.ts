import type { ProgramRow } from './program-row.js';

/** Programs that look at files as they are, and at the machine, and print. */
export const READERS: readonly ProgramRow[] = [
  {
    names: 'sleep whoami groups uname tty logname nproc id basename dirname seq which',
    reason: 'print a fact, work on the text of their operands, or wait; no path is opened',
    anyOption: true,
    operands: ['text'],
  },
  {
    names: 'echo printf true false pwd expr',
    reason: 'print or compare their operands; as programs, they know nothing of the shell and open no path',
    anyOption: true,
    operands: ['text'],
  },
  {
    names: 'cat tac nl rev',
    reason: 'print files; no option writes or names another file',
    anyOption: true,
    operands: ['read'],
  },
  {
    names: 'head tail',
    reason: 'print a part of files; no option writes or names another file',
    anyOption: true,
    options: '-n= -c= --lines= --bytes=',
    operands: ['read'],
  },
  {
    names: 'wc',
    reason: 'counts what files hold; not `--files0-from`, which names files in a file',
    options: '-c -m -l -L -w --bytes --chars --lines --words --max-line-length --total=',
    operands: ['read'],
  },
  {
    names: 'ls dir vdir',
    reason:
      'print the names of entries and what the system knows of them; values count as paths, since BSD has none; `-L` follows links out of the tree',
    anyOption: true,
    options: '-I=read -T=read -w=read --block-size= --hide= --ignore= --tabsize= --time-style= --width=',
    operands: ['read'],
    treeWith: '-R --recursive',
    moreWith: '-L --dereference',
    without: { role: 'read', path: '.' },
  },
  {
    names: 'stat readlink realpath',
    reason: 'print what the system knows of a path; what BSD takes for a format counts as a path',
    options:
      '-c= -f -L -t -e -m -n -q -s -x -z -v --format= --printf= --terse --dereference --file-system --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --strip --no-symlinks --relative-to=read --relative-base=read --logical --physical',
    operands: ['read'],
  },
  {
    names: 'file',
    reason:
      'tells what a file is by its content; not `-m`, `-f`, `-C`, which take files of their own, `-z`, which unpacks, nor `-p`, which sets times',
    options:
      '-b -E -h -i -I -k -L -n -N -r -v -0 -F= --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --raw --print0 --extension --separator=',
    operands: ['read'],
  },
  {
    names: 'df',
    reason: 'prints how full file systems are; values count as paths, since BSD has none',
    anyOption: true,
    options: '-t=read -x=read -B=read --type= --exclude-type= --block-size=',
    operands: ['read'],
  },
  {
    names: 'du',
    reason: 'adds up sizes; `-L` follows links out of the tree; not `--files0-from`, which names files in a file',
    options:
      '-a -b -c -D -d= -h -H -k -l -L -m -P -s -S -x -0 --all --apparent-size --dereference --max-depth= --human-readable --summarize --total --exclude= --si --inodes --one-file-system --bytes --count-links --separate-dirs --block-size= --null --time --time-style=',
    operands: ['read*'],
    moreWith: '-L --dereference',
    without: { role: 'read*', path: '.' },
  },
  {
    names: 'grep egrep fgrep',
    reason:
      'print the lines of files that match; `-R` and BSD’s `-S` follow links out of the tree; not `-d`, which may go into folders',
    options:
      '-a -b -c -E -F -G -H -h -I -i -L -l -n -o -P -q -R -r -s -T -U -v -w -x -y -Z -z -# -A= -B= -C= -D= -e= -f=read -m= --after-context= --before-context= --context= --binary --binary-files= --byte-offset --color --colour --count --dereference-recursive --devices= --exclude= --exclude-dir= --exclude-from=read --extended-regexp --file=read --files-with-matches --files-without-match --fixed-strings --ignore-case --include= --initial-tab --invert-match --label= --line-buffered --line-number --line-regexp --max-count= --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp= --silent --text --with-filename --word-regexp --basic-regexp',
    operands: ['text', 'read'],
    firstGivenBy: '-e -f --regexp --file',
    treeWith: '-r -R --recursive --dereference-recursive',
    moreWith: '-R --dereference-recursive',
    shiftingOptions: '-C --context',
    without: { role: 'read*', path: '.', with: '-r -R --recursive --dereference-recursive' },
  },
  {
    names: 'diff',
    reason:
      'compares files, also those that lie in folders, where it follows links out of the tree unless told otherwise; not `-l`, which starts `pr`',
    options:
      '-a -b -B -c -d -e -E -i -n -N -p -q -r -s -t -T -u -w -y -Z -# -C= -F= -I= -U= -W= -x= -X=read --brief --color --context --exclude-from=read --ignore-all-space --ignore-blank-lines --ignore-case --ignore-space-change --ignore-tab-expansion --ignore-trailing-space --left-column --new-file --no-dereference --normal --recursive --report-identical-files --show-c-function --side-by-side --strip-trailing-cr --suppress-common-lines --text --unified --width= --exclude= --label= --minimal --speed-large-files',
    operands: ['read'],
    treeWith: '-r --recursive',
    moreWith: '-r --recursive',
    unlessWith: '--no-dereference',
    readsFolders: true,
  },
  {
    names: 'cmp',
    reason: 'compares two files byte by byte; operands behind them are numbers of bytes to skip',
    options: '-b -l -s -i= -n= --bytes= --ignore-initial= --print-bytes --quiet --silent --verbose',
    operands: ['read'],
  },
  {
    names: 'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum',
    reason: 'print sums of files; not `-c`, which reads the files that a file names',
    options: '-b -t -w -z -a= -l= -r -s --binary --text --tag --zero --quiet --status --strict --warn --ignore-missing',
    operands: ['read'],
  },
  {
    names: 'shasum md5',
    reason: 'print sums of files; not `-c`, which reads the files that a file names',
    options: '-a= -b -t -q -r -0 --algorithm= --binary --text',
    operands: ['read'],
  },
];
