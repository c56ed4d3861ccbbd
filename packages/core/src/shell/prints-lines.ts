/** Programs that print nothing of a file, or its lines unchanged, whatever their options. */
const WHOLE: ReadonlySet<string> = wordSet(
  `: [ [[ true false test cd pwd echo exit return break continue shift set export declare typeset local unset shopt sleep
   cat tac nl sort uniq tee ls dir tree find fd stat file wc du df basename dirname readlink realpath which type date
   md5sum sha1sum sha256sum sha512sum cksum cp mv rm ln mkdir rmdir touch chmod git`,
);

/** Programs that read names and facts of a folder's files, not their content. */
const NAMES_ONLY: ReadonlySet<string> = wordSet(
  'ls dir tree find fd stat file du test [ [[ readlink realpath basename dirname rm mkdir rmdir touch chmod git',
);

/** Programs that print lines unchanged unless one of their words matches. */
const UNLESS: ReadonlyMap<string, RegExp> = new Map([
  ...each('head tail', /^-\w*c|^--b/),
  ...each('grep egrep fgrep', /^-\w*o|^--o/),
  ...each('rg', /^-\w*[orM]|^--(?:only|replace|max-col)/),
  ...each('diff', /^-\w*[yW]|^--(?:side|width|\w+-format)/),
  ...each('cmp', /^-/),
  ...each('xargs', /^-\w*d|^--delim/),
]);

/** A mark between fields. It never splits a secret into pieces too short to be recognized. */
const MARK = String.raw`(?:[:=,;| ]|\t|\\t)`;

/** Programs that print whole lines or fields only if all their words, joined by line feeds, match. */
const ONLY: ReadonlyMap<string, RegExp> = new Map([
  ...each('printf', /^(?:--\n)?(?:[^%\\\n]|%s|%%|\\n|\\t)*(?:\n[^]*)?$/),
  ...each('sed gsed', /^-n\n(?:-e\n)?(?:\d+|\$)?(?:,(?:\d+|\$))?p(?:\n[^-][^]*)?$/),
  ...each('cut', new RegExp(String.raw`^(?:-c\n?(?:1?-)\d{2,}|-d\n?${MARK}\n-f\n?[\d,-]+)(?:\n[^-][^]*)?$`)),
  ...each(
    'awk gawk mawk',
    new RegExp(
      String.raw`^(?:-F\n?${MARK}\n)?(?:\{ ?print(?: ?\$\d+(?:, ?\$\d+)*)? ?\}|NR *[<>=]=? *\d+)(?:\n[^-][^]*)?$`,
    ),
  ),
]);

/** Matches expansions that cut or change a variable's value: `${x:0:7}`, `${x#a}`, `${x//a/b}`, `${x^^}`, `${x@Q}`. */
const CHANGED_EXPANSION = /\$\{!?\w+(?:\[[^\]]*\])?(?::(?![-+=?])|[#%/^,@])/;

/** Returns true if a command prints whole lines of its input, so that a secret in them is found and hidden. */
export function printsWholeLines([program = '', ...words]: readonly string[]): boolean {
  const name = nameOf(program);
  const unless = UNLESS.get(name);
  if (unless !== undefined) return !words.some((word) => unless.test(word));
  return WHOLE.has(name) || ONLY.get(name)?.test(words.join('\n')) === true;
}

export function readsOnlyNames([program = '']: readonly string[]): boolean {
  return NAMES_ONLY.has(nameOf(program));
}

export function changesExpansions(script: string): boolean {
  return CHANGED_EXPANSION.test(script);
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

function each(names: string, pattern: RegExp): (readonly [string, RegExp])[] {
  return names.split(' ').map((name) => [name, pattern] as const);
}
