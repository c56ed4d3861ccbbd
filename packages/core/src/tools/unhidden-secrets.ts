import { basename } from 'node:path';
import type { Effect, PathEffect, RunEffect } from '../effects/effect.js';
import type { Secrets } from '../secrets/secrets.js';
import { changesExpansions, printsWholeLines, readsOnlyNames } from '../shell/prints-lines.js';

/**
 * Returns the reason to ask about a command line that may print secrets of a file in another form (`rev .env`). Such a form cannot be
 * recognized and hidden. Empty if everything in it prints lines unchanged, or if no file that it reads holds a secret.
 */
export function unhiddenSecrets(
  script: string,
  effects: readonly Effect[],
  secrets: Pick<Secrets, 'fileWithSecrets'> | undefined,
): Effect[] {
  if (secrets === undefined) return [];
  const changer = effects.find(
    (effect): effect is RunEffect => effect.kind === 'run' && !printsWholeLines(effect.argv),
  );
  if (changer === undefined && !changesExpansions(script)) return [];
  const places = effects.filter((effect): effect is PathEffect => effect.kind === 'read' && readsContent(effect));
  const file = secrets.fileWithSecrets(places.map(({ path, scope }) => ({ path, isTree: scope === 'tree' })));
  if (file === undefined) return [];
  const what = changer === undefined ? 'the expansion of a variable' : `\`${changer.argv[0] ?? ''}\``;
  const reason = `${what} may print secrets of ${basename(file)} in a form that can't be hidden`;
  return [{ kind: 'unknown', reason }];
}

function readsContent({ by }: PathEffect): boolean {
  return by === undefined || !readsOnlyNames(by.argv);
}
