import type { Options } from '../arguments/parse-arguments.js';
import type { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';

/** `tenon acp`: an agent for editors, over standard input and output. */
export async function acpCommand(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const { runAcp } = await import('../doors/acp/run-acp.js');
  return runAcp({ surroundings, options });
}
