/** Programs whose options have several names, or may be cut short, and which of them mean the same. */
interface Row {
  readonly programs: string;
  /** The row counts only if the first word that is no option is one of these. */
  readonly subcommands?: string;
  /** Names of the same meaning, those of different meaning separated by `,`. */
  readonly names: string;
}

const ROWS: readonly Row[] = [
  { programs: 'rm', names: 'r R recursive, f force, d dir, v verbose, i interactive, I interactive' },
  { programs: 'cp', names: 'r R recursive a archive, f force, l link, s symbolic-link' },
  { programs: 'mv ln', names: 'f force, s symbolic, T no-target-directory' },
  { programs: 'chmod chown chgrp', names: 'R recursive, f silent quiet, v verbose' },
  { programs: 'shred truncate', names: 'f force, u remove, s size, z zero' },
  { programs: 'git', names: 'f force, d delete, a all, n dry-run, m message, u set-upstream, q quiet' },
  { programs: 'git', subcommands: 'commit am', names: 'n no-verify, a all, m message, q quiet, s signoff' },
  { programs: 'docker podman', names: 'f force, a all, v volume, i interactive, t tty, p publish, d detach' },
  { programs: 'npm', names: 'g global, f force, D save-dev, y yes, w workspace' },
  {
    programs: 'curl',
    names: 'X request, d data, o output, O remote-name, L location, k insecure, T upload-file, F form',
  },
  { programs: 'wget', names: 'O output-document, r recursive, i input-file, P directory-prefix' },
  { programs: 'sed gsed', names: 'i in-place, n quiet silent, e expression, f file' },
  { programs: 'kubectl', names: 'f filename, n namespace, A all-namespaces, l selector' },
];

const TABLE: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  ROWS.flatMap(({ programs, subcommands, names }) => {
    const meanings = names.split(', ').map((each) => each.split(' '));
    const after = subcommands?.split(' ').map((each) => ` ${each}`) ?? [''];
    return programs
      .split(' ')
      .flatMap((program) => after.map((each): [string, readonly (readonly string[])[]] => [program + each, meanings]));
  }),
);

/**
 * For strict rules: whether the words may hold all that an option without a value asks for (`-rf`, `--force`), under any
 * of its names, in clusters, cut short. Undefined for a program that is not known here, and an option that is no such.
 */
export function meansOption(program: string, words: readonly string[], option: string): boolean | undefined {
  const subcommand = words.find((word) => !word.startsWith('-')) ?? '';
  const meanings = TABLE.get(`${program} ${subcommand}`) ?? TABLE.get(program);
  const [, dashes = '', name = ''] = /^(--?)([A-Za-z][\w-]*)$/.exec(option) ?? [];
  if (meanings === undefined || name === '') return undefined;
  const asked = dashes === '-' ? name.split('') : [name];
  return asked.every((each) => {
    const same = new Set([each, ...meanings.filter((names) => names.includes(each)).flat()]);
    return words.some((word) => isOneOf(word, same));
  });
}

function isOneOf(word: string, names: ReadonlySet<string>): boolean {
  const long = /^--([A-Za-z][\w-]*)(?:=|$)/.exec(word)?.[1];
  if (long !== undefined) return [...names].some((name) => name.length > 1 && name.startsWith(long));
  return (
    /^-[A-Za-z]+$/.test(word) &&
    word
      .slice(1)
      .split('')
      .some((letter) => names.has(letter))
  );
}
