import { safeText } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../arguments/option-values.js';
import { openEndpoint } from '../choose-model.js';
import { ExitCode } from '../exit-codes.js';
import { modelSources } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { safeLine } from '../ui/safe-lines.js';

/**
 * `tenon acp`: an agent for editors, over standard input and output. Editors run `tenon acp config` in a terminal to sign in, by the same
 * command with a word appended.
 * @throws ExitFailure `NO_MODEL` from `tenon acp config` if no model is configured
 */
export async function acpCommand(
  surroundings: Surroundings,
  [word]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  if (word === undefined) {
    const { runAcp } = await import('../doors/acp/run-acp.js');
    return runAcp({ surroundings, options });
  }
  if (word !== 'config') throw usage(`"tenon acp" takes no further words, or config; not "${word}".`);
  const sources = await modelSources(surroundings, options);
  const { model } = await openEndpoint(surroundings, sources, undefined);
  await surroundings.out.write(safeText`The model is ${safeLine(model.label)}. You can go on in the editor.\n`);
  return ExitCode.OK;
}
