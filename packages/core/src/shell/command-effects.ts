import type { Effect } from '../effects/effect.js';
import { analyseCommand } from './analyse-command.js';
import { isReadOnlyProgram } from './program-knowledge.js';

/**
 * The effects of a shell text: one `run` for each simple command, one `unknown`
 * for each reason that the text may do more. Never empty, and nothing is called read-only in a text
 * that was not understood whole, since one part can change what another means.
 */
export function commandEffects(text: string): Effect[] {
  const { commands, unknown } = analyseCommand(text);
  const certain = unknown.length === 0;
  return [
    ...commands.map(({ text: command, argv }): Effect => ({
      kind: 'run',
      command,
      argv,
      readOnly: certain && isReadOnlyProgram(argv),
    })),
    ...unknown.map((reason): Effect => ({ kind: 'unknown', reason })),
  ];
}
