import type { ExitCode } from '../../exit-codes.js';
import type { Surroundings } from '../../surroundings.js';
import type { InteractiveRun } from './interactive-run.js';

/** A session: drawn where the terminal can do that, else in plain lines from top to bottom. */
export async function runInteractive(surroundings: Surroundings, run: InteractiveRun): Promise<ExitCode> {
  if (isDrawn(surroundings, run)) return (await import('./app/run-app.js')).runApp(surroundings, run);
  return (await import('./plain/run-plain.js')).runPlain(surroundings, run);
}

function isDrawn({ out, env }: Surroundings, { preparation, options }: InteractiveRun): boolean {
  const wantsPlain =
    options.plain === true ||
    options.screenReader === true ||
    preparation.settings.values['ui.screenReader']?.value === true;
  return out.isTerminal && env['TERM'] !== 'dumb' && !wantsPlain;
}
