import type { Effect } from '../effects/effect.js';

/** Git's commands that only print, unless an option names a file for the output. */
const GIT_PRINTS: ReadonlySet<string> = new Set(
  'status log show diff rev-parse ls-files ls-tree blame describe shortlog cat-file rev-list show-ref grep'.split(' '),
);

/**
 * True when a command is known to leave every file as it is. Weaker than `readOnly`, which the policy trusts: git may
 * look at anything, and what a repository lets it start is another question.
 */
export function changesNoFile(effects: readonly Effect[]): boolean {
  return effects.every((effect) => {
    if (effect.kind === 'run') return effect.readOnly || isPrintingGit(effect.argv);
    return effect.kind === 'read' || effect.kind === 'ask';
  });
}

function isPrintingGit([program, ...args]: readonly string[]): boolean {
  if (program !== 'git') return false;
  const [name, ...rest] = args.filter((word) => word !== '--no-pager' && word !== '-P');
  return GIT_PRINTS.has(name ?? '') && !rest.some((word) => /[*?[]/.test(word) || /^(?:--ou|-O)/.test(word));
}
