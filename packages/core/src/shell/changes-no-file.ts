import type { Effect } from '../effects/effect.js';

/** Whatever their arguments are, these only print. Left out: what can write a file (`uniq`, `tree`, `sed`, `awk`). */
const ONLY_PRINT: ReadonlySet<string> = new Set(
  [
    'ls dir vdir cat tac head tail wc nl od hexdump strings grep egrep fgrep rg stat file du df diff cmp comm cut tr',
    'rev fold fmt column paste join jq realpath readlink which type date printenv ps uptime nproc hostname cd',
    'md5sum sha1sum sha256sum sha512sum cksum b2sum seq test [ printf tput locale getconf lsof pgrep free',
  ].flatMap((line) => line.split(' ')),
);

/** Git's commands that only print, unless an option names a file for the output. */
const GIT_PRINTS: ReadonlySet<string> = new Set(
  'status log show diff rev-parse ls-files ls-tree blame describe shortlog cat-file rev-list show-ref grep'.split(' '),
);

/**
 * True when a command is known to leave every file as it is. Weaker than `readOnly`, which the policy trusts: these may
 * look at anything, so that whether they may run is another question.
 */
export function changesNoFile(effects: readonly Effect[]): boolean {
  return effects.every((effect) => {
    if (effect.kind === 'run') return effect.readOnly || onlyPrints(effect.argv);
    return effect.kind === 'read' || effect.kind === 'ask';
  });
}

function onlyPrints([program, ...args]: readonly string[]): boolean {
  if (program === undefined) return false;
  if (ONLY_PRINT.has(program)) return true;
  const isPlain = !args.some((word) => /[*?[]/.test(word));
  if (program === 'sort') return isPlain && !args.some((word) => /^(?:-[^-]*o|--o)/.test(word));
  // What else it can do is told as an unknown effect.
  if (program === 'find') return isPlain && !args.some((word) => /^-(?:delete|exec|ok|f(?:ls|print))/.test(word));
  if (program !== 'git') return false;
  const [name] = args.filter((word) => word !== '--no-pager' && word !== '-P');
  return GIT_PRINTS.has(name ?? '') && isPlain && !args.some((word) => /^(?:--ou|-O)/.test(word));
}
