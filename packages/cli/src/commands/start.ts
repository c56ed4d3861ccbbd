import { safeText } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { configuredChoice } from '../choose-model.js';
import type { ExitCode } from '../exit-codes.js';
import { prepareSession } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';

/** `tenon start`, what `npm start` runs: a session when a model is configured, else the demo. */
export async function startCommand(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const preparation = await prepareSession(surroundings, options, {
    mayAsk: options.outputFormat === 'text',
    begins: true,
  });
  const { settings, modelName } = preparation;
  if (configuredChoice(surroundings, settings.values, modelName) === undefined) {
    const { err } = surroundings;
    await err.write(safeText`No model is configured, so here is the demo. tenon alone says how to configure one.\n\n`);
    return (await import('./demo.js')).demoCommand(surroundings, options.quiet);
  }
  return (await import('./run.js')).runPrepared({ surroundings, options, words: [], preparation });
}
