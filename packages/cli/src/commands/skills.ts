import { readFile } from 'node:fs/promises';
import {
  count,
  createToolSystem,
  nearestName,
  skillsOverview,
  type ListedSkill,
  type SkillsOverview,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import { prepareSession, toolSystemOptions } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

/**
 * `tenon skills [list|show NAME|check] [--json]`: the skills that are there, one of them, or what is wrong with some; `check`
 * ends with 1 when something is.
 */
export async function skillsCommand(
  surroundings: Surroundings,
  [action = 'list', name, ...rest]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const takesName = action === 'show';
  const isKnown = action === 'list' || action === 'check' || takesName;
  if (!isKnown || rest.length > 0 || (name === undefined) === takesName)
    throw usage('"tenon skills" takes list, show with the name of a skill, or check.');
  const overview = await readOverview(surroundings, options);
  const { out } = surroundings;
  const say = (value: unknown, text: string): Promise<unknown> =>
    options.json ? out.writeData(jsonText(value)) : out.write(safeBlock(text));
  if (action === 'check') {
    const { problems, skills } = overview;
    await say(
      problems,
      problems.length === 0 ? `${count(skills.length, 'skill')}: nothing is wrong.\n` : problemLines(overview),
    );
    return problems.length === 0 ? ExitCode.OK : ExitCode.UNEXPECTED;
  }
  if (name === undefined) {
    await say(overview, skillsText(overview));
    return ExitCode.OK;
  }
  const skill = skillNamed(name, overview);
  if (typeof skill === 'string') throw usage(skill);
  const text = await readFile(skill.real, 'utf8');
  await say({ ...skill, text }, skillText(skill, text));
  return ExitCode.OK;
}

async function readOverview(surroundings: Surroundings, options: Options): Promise<SkillsOverview> {
  const system = await createToolSystem(toolSystemOptions(surroundings, await prepareSession(surroundings, options)));
  const takeOff = surroundings.exits.register(system.endCommands);
  try {
    return await skillsOverview(system.config);
  } finally {
    await system.close();
    takeOff();
  }
}

/** The skill of that name, or a sentence where there is none. Pure. */
export function skillNamed(name: string, { skills, withheld }: SkillsOverview): ListedSkill | string {
  const wanted = name.replace(/^\//, '').toLowerCase();
  const skill = skills.find((each) => each.name.toLowerCase() === wanted);
  if (skill !== undefined) return skill;
  if (withheld.some((each) => each.name.toLowerCase() === wanted))
    return `The skill ${name} came with this folder, which is not trusted: nothing of it is read.`;
  const meant = nearestName(
    wanted,
    skills.map((each) => each.name),
  );
  return `There is no skill ${JSON.stringify(name)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

const GROUPS = [
  ['offered', 'The model is told of:'],
  ['waits', 'Told once a file is touched that they are for:'],
  ['person-only', 'For you alone:'],
] as const;

/** All of them for people, also for a session's `/skills`; lines end with a line feed. Untrusted text. Pure. */
export function skillsText(overview: SkillsOverview): string {
  const { skills, withheld, problems, places } = overview;
  const groups = GROUPS.flatMap(([state, heading]) => {
    const those = skills.filter((skill) => skill.state === state);
    return those.length === 0 ? [] : [heading, ...those.map((skill) => `  ${lineOf(skill)}`)];
  });
  const none = `No skills. Looked for: ${places.map(({ label }) => label).join(', ')}.`;
  const held = withheld.map(({ name, label }) => `  ${name} (${label})`);
  return [
    ...(skills.length === 0 ? [none] : groups),
    ...(held.length === 0 ? [] : ['Withheld, for this folder is not trusted (`tenon trust`):', ...held]),
    ...(problems.length === 0 ? [] : ['Problems:', problemLines(overview).trimEnd()]),
    '',
  ].join('\n');
}

function lineOf({ name, description, isForPerson, isForModel, origin, label, paths }: ListedSkill): string {
  const said = isForPerson && isForModel ? `/${name}` : name;
  const short = description.length > 160 ? `${description.slice(0, 159)}…` : description;
  const whose = origin === 'user' ? 'yours' : 'of the project';
  const only = isForPerson ? '' : ', for the model alone';
  const files = paths === undefined ? '' : `, for ${paths.join(' ')}`;
  return `${said}: ${short} (${whose}, ${label}${only}${files})`;
}

function problemLines({ problems }: SkillsOverview): string {
  return problems.map(({ message }) => `  ${message}\n`).join('');
}

const STATES: Readonly<Record<ListedSkill['state'], string>> = {
  offered: 'The model is told of it with every request.',
  waits: 'The model is told of it once a file is touched that it is for.',
  'person-only': 'Only you call it.',
};

/** One of them with all that stands in its file. Pure. */
export function skillText(skill: ListedSkill, text: string): string {
  const { name, description, file, state, isForPerson, license, argumentHint, paths, notes } = skill;
  return [
    `${name}: ${description}`,
    file,
    STATES[state] + (isForPerson ? ` Said as /${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}.` : ''),
    ...(paths === undefined ? [] : [`For: ${paths.join(', ')}`]),
    ...(license === undefined ? [] : [`License: ${license}`]),
    ...notes,
    '',
    text.trimEnd(),
    '',
  ].join('\n');
}
