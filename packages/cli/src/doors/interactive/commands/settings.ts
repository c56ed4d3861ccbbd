import path from 'node:path';
import {
  joinSafe,
  loadSettings,
  managedRefusal,
  safeText,
  SETTINGS,
  writeSetting,
  type LoadedSettings,
  type Safe,
} from '@tenon/core';
import { configuredChoice } from '../../../choose-model.js';
import { configCommand } from '../../../commands/config.js';
import type { Preparation } from '../../../prepare-session.js';
import { settingsPlaces } from '../../../surroundings.js';
import { safeLine } from '../../../ui/safe-lines.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { block, completionsOf, say } from './lines.js';
import { readValue, settingNamed, unknownSetting, valueWords, type Setting } from './settings-values.js';

/** Takes a value out of the person's file. */
const UNSET = '--unset';

/** `/settings [KEY [VALUE|--unset]]`: all settings with where each is from, one, or changes one in the person's own file. */
export const settingsCommand: CommandBody = {
  run: async (typed, context) => {
    const [name = '', ...words] = typed.split(/\s+/);
    if (name === '') return { shown: await allSettings(context) };
    const setting = settingNamed(name);
    if (setting === undefined) return say(unknownSetting(name));
    const value = typed.slice(name.length).trim();
    return words.length === 0 ? showSetting(setting, context) : changeSetting(setting, value, context);
  },
  complete: async (typed) => {
    const [name = '', ...words] = typed.split(/\s+/);
    if (words.length === 0)
      return completionsOf(
        SETTINGS.map(({ key, sentence }) => ({ word: key, detail: sentence })),
        name,
      );
    const setting = settingNamed(name);
    if (setting === undefined || words.length > 1) return [];
    return completionsOf([...valueWords(setting), UNSET], words[0] ?? '');
  },
};

/** As the files are now: they may have changed since the session began. */
async function current({ surroundings, preparation }: CommandContext): Promise<LoadedSettings> {
  return loadSettings(settingsPlaces(surroundings, preparation.roots[0]));
}

/** Every value in force in the words of `tenon config`. */
async function allSettings(context: CommandContext): Promise<Safe> {
  const { surroundings, agent } = context;
  const settings = await current(context);
  const mode = agent.config.getApprovalMode();
  const { approvalMode: before, modelName } = context.preparation;
  const preparation: Preparation = {
    ...context.preparation,
    settings,
    approvalMode: before.value === mode ? before : { value: mode, origin: 'this session' },
  };
  const shown: Safe[] = [];
  const out = {
    ...surroundings.out,
    write: async (text: Safe): Promise<void> => void shown.push(text),
    writeData: async (): Promise<void> => undefined,
  };
  const choice = configuredChoice(surroundings, settings.values, modelName);
  await configCommand({ ...surroundings, out }, preparation, { choice, modelName, json: false });
  const problems = settings.problems.map(({ message }) => safeText`! ${safeLine(message)}\n`);
  return joinSafe([...shown, ...problems], safeText``);
}

async function showSetting(setting: Setting, context: CommandContext): Promise<CommandAnswer> {
  const { key, sentence, default: byDefault } = setting;
  const { values } = await current(context);
  const found = Object.entries(values).find(([name]) => name === key)?.[1];
  // A header may carry a key.
  const value = key === 'model.headers' && found !== undefined ? '(hidden)' : JSON.stringify(found?.value);
  const words = valueWords(setting);
  return {
    shown: block([
      safeLine(`${key}: ${sentence}`),
      safeLine(
        found === undefined
          ? `  not set${byDefault === undefined ? '' : `; the default is ${JSON.stringify(byDefault)}`}`
          : `  ${value} (${found.origin})`,
      ),
      safeLine(
        `  /settings ${key} ${words.length === 0 ? 'VALUE' : words.join('|')} changes it in ${userFile(context)}, ${UNSET} takes it out.`,
      ),
    ]),
  };
}

async function changeSetting(setting: Setting, typed: string, context: CommandContext): Promise<CommandAnswer> {
  const { key } = setting;
  const read = typed === UNSET ? { value: undefined } : readValue(setting, typed);
  if ('problem' in read) return say(read.problem);
  const { managed } = context.preparation.settings;
  const single = (Object.keys(managed) as (keyof typeof managed)[]).find((name) => name === key);
  const refusal = single === undefined ? undefined : managedRefusal(single, read.value, managed);
  if (refusal !== undefined && read.value !== undefined) return say(`${key} was left as it is: ${refusal}`);
  const file = userFile(context);
  const [first = key, ...more] = key.split('.');
  await writeSetting({ file, at: [first, ...more], value: read.value, environment: context.surroundings.env });
  const done =
    read.value === undefined
      ? `${key} is no longer in ${file}.`
      : `${key} is now ${JSON.stringify(read.value)} in ${file}.`;
  const inForce = Object.entries((await current(context)).values).find(([name]) => name === key)?.[1];
  const isOverruled = read.value !== undefined && inForce !== undefined && !inForce.origin.includes(file);
  const overruled = isOverruled ? ` But ${inForce.origin} counts before it.` : '';
  return say(`${done} ${whenItCounts(key)}${overruled}`);
}

function whenItCounts(key: string): string {
  if (key === 'approvalMode') return 'It counts from the next session on; /mode changes this one.';
  if (key === 'ui.theme') return 'It counts from the next session on; /theme changes this one as well.';
  if (key === 'model.name') return 'It counts from the next session on; /model changes this one.';
  return 'It counts from the next session on.';
}

function userFile({ surroundings }: CommandContext): string {
  return path.join(surroundings.tenonHome, 'settings.json');
}
