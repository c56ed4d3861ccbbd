import { win32 } from 'node:path';
import { statedEffects } from '../../tools/defined/stated-effects.js';
import type { Effect, RunEffect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import type { Seen } from './observer.js';

type SeenRun = Extract<Seen, { kind: 'run' }>;

/** What a call was seen to start, less what stands in its effects; of a script for a shell, each command by itself. */
export async function unstatedRuns(
  seen: readonly Seen[],
  effects: readonly Effect[],
  runtime: ToolRuntime,
): Promise<readonly Seen[]> {
  const stated = effects.filter((effect) => effect.kind === 'run');
  const rest = await Promise.all(
    seen.map(async (each) => (each.kind === 'run' ? partsOf(each, stated, runtime) : [each])),
  );
  return rest.flat();
}

async function partsOf(run: SeenRun, stated: readonly RunEffect[], runtime: ToolRuntime): Promise<readonly SeenRun[]> {
  if (isStated(run.argv, stated)) return [];
  if (run.script === undefined) return [run];
  const read = await statedEffects([{ kind: 'run', command: run.script }], '', runtime);
  if (read.some(({ kind }) => kind === 'unknown')) return [run];
  return read
    .filter((effect) => effect.kind === 'run')
    .filter(({ argv }) => !isStated(argv, stated))
    .map(({ command, argv }) => ({ kind: 'run', program: command, argv }));
}

/** Programs are found by their names, wherever they lie; what they are given says what they do. */
function isStated([program = '', ...words]: readonly string[], stated: readonly RunEffect[]): boolean {
  return stated.some(
    ({ argv: [name = '', ...given], unread }) =>
      unread !== undefined || (nameOf(name) === nameOf(program) && given.join(' ') === words.join(' ')),
  );
}

function nameOf(program: string): string {
  return win32.basename(program).replace(/\.exe$/i, '');
}
