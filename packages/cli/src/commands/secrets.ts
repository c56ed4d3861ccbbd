import { count, explainVariable, openSecrets, secretsOverview, type SecretsOverview } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { prepareSession, toolSystemOptions } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

/** `tenon secrets [list|explain NAME]`: what is hidden and from where, or why a variable is or is not. Never a value. */
export async function secretsCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { out } = surroundings;
  const [what = 'list', name] = words;
  const system = toolSystemOptions(surroundings, await prepareSession(surroundings, options));
  const secrets = openSecrets(system);
  await secrets?.lookAround();
  if (what === 'list' && name === undefined) {
    const overview = secretsOverview(secrets);
    await (options.json ? out.writeData(jsonText(overview)) : out.write(safeBlock(secretsText(overview))));
    return ExitCode.OK;
  }
  if (what !== 'explain' || name === undefined)
    throw new ExitFailure(ExitCode.USAGE, '"tenon secrets" takes: list, or explain NAME with the name of a variable.');
  const sentence = explainVariable(name, system.environment, system.secrets);
  const inFiles = (secrets?.list() ?? []).filter((each) => each.name === name && each.from.includes(' in '));
  const sentences = [sentence, ...inFiles.map(({ from }) => `Hidden as well: ${from}.`)];
  await (options.json
    ? out.writeData(jsonText({ name, sentences }))
    : out.write(safeBlock(`${sentences.join('\n')}\n`)));
  return ExitCode.OK;
}

/** For people. Untrusted text. Pure. */
export function secretsText({ isEnabled, secrets, kinds }: SecretsOverview): string {
  if (!isEnabled) return 'Nothing is hidden: the setting secrets.enabled is off.\n';
  const known = secrets.map(
    ({ name, from, isOther }) => `  __secret:${name}${isOther === true ? '.…' : ''}__: ${from}`,
  );
  return [
    known.length === 0 ? 'No secrets are known by their values.' : `${count(secrets.length, 'secret')} known by value:`,
    ...known,
    `Hidden wherever they are seen: ${kinds.join(', ')}.`,
    'A rule such as Secret(NAME) in permissions.allow lets edits and commands use one.',
    '',
  ].join('\n');
}
