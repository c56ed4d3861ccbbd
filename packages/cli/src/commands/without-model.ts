import { configuredChoice } from '../choose-model.js';
import type { Options } from '../arguments/parse-arguments.js';
import type { ExitCode } from '../exit-codes.js';
import { personOf } from '../person.js';
import { prepareSession, toolSystemOptions } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';

/** The commands that need the workspace and the settings, but no model. */
export async function withoutModel(
  surroundings: Surroundings,
  command: 'tools' | 'call' | 'config',
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  if (command === 'tools' && words[0] === 'check')
    return (await import('./tools-check.js')).toolsCheckCommand(surroundings, words[1], options.json);
  const preparation = await prepareSession(surroundings, options);
  if (command === 'config') {
    const choice = configuredChoice(surroundings, preparation.settings.values, preparation.modelName);
    return (await import('./config.js')).configCommand(surroundings, preparation, {
      choice,
      modelName: preparation.modelName,
      json: options.json,
    });
  }
  const system = toolSystemOptions(surroundings, preparation);
  const [first, second] = words;
  if (command === 'tools') {
    return (await import('./tools.js')).toolsCommand(surroundings, system, words, options.json);
  }
  const person = await personOf(surroundings);
  const { runCall } = await import('../doors/call/run-call.js');
  return runCall(surroundings, {
    toolName: first ?? '',
    argumentsText: second ?? '',
    system: { ...system, ...person.approver },
    json: options.json,
    quiet: options.quiet,
    turnstile: person.turnstile,
  });
}
